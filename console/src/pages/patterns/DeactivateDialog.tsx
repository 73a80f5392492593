import { answer, client, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";

export function DeactivateDialog({ pattern, onClose }: { pattern: Schemas["Pattern"]; onClose: () => void }) {
  const t = useMessages();
  return (
    <Confirm
      title={t.patterns.deactivateTitle(pattern.title)}
      submit={t.patterns.deactivate}
      kind="danger"
      ask={() => answer(client.POST("/pattern/{slug}/deactivate", { params: { path: { slug: pattern.slug } } }))}
      stale={[["patterns"]]}
      onClose={onClose}
    >
      <p>{t.patterns.deactivateText(pattern.slug)}</p>
    </Confirm>
  );
}
