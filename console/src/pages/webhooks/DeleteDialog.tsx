import { useMessages } from "../../base/messages.ts";
import { goTo } from "../../base/router.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { type Endpoint, remove } from "./queries.ts";

export function DeleteDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const t = useMessages();
  return (
    <Confirm
      title={t.webhooks.deleteTitle}
      submit={t.webhooks.deleteSubmit}
      kind="danger"
      ask={() => remove(endpoint.id)}
      stale={[["webhooks", "list"]]}
      onDone={() => goTo("/webhooks")}
      onClose={onClose}
    >
      <p>{t.webhooks.deleteText(endpoint.url)}</p>
    </Confirm>
  );
}
