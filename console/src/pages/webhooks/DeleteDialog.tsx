import { answer, client, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { goTo } from "../../base/router.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";

export function DeleteDialog({ endpoint, onClose }: { endpoint: Schemas["Endpoint"]; onClose: () => void }) {
  const t = useMessages();
  return (
    <Confirm
      title={t.webhooks.deleteTitle}
      submit={t.webhooks.deleteSubmit}
      kind="danger"
      ask={() => answer(client.DELETE("/webhook/{id}", { params: { path: { id: endpoint.id } } }))}
      stale={[["webhooks", "list"]]}
      onDone={() => goTo("/webhooks")}
      onClose={onClose}
    >
      <p>{t.webhooks.deleteText(endpoint.url)}</p>
    </Confirm>
  );
}
