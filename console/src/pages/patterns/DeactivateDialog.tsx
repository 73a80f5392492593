import { useMessages } from "../../base/messages.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { deactivate, type Pattern } from "./queries.ts";

export function DeactivateDialog({ pattern, onClose }: { pattern: Pattern; onClose: () => void }) {
  const t = useMessages();
  return (
    <Confirm
      title={t.patterns.deactivateTitle(pattern.title)}
      submit={t.patterns.deactivate}
      kind="danger"
      ask={() => deactivate(pattern.slug)}
      stale={[["patterns"]]}
      onClose={onClose}
    >
      <p>{t.patterns.deactivateText(pattern.slug)}</p>
    </Confirm>
  );
}
