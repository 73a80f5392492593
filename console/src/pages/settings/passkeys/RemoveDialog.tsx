import { answer, client, type Schemas } from "../../../api/client.ts";
import { useMessages } from "../../../base/messages.ts";
import { Confirm } from "../../../parts/ConfirmDialog.tsx";

export function RemoveDialog({ of, onClose }: { of: Schemas["Passkey"]; onClose: () => void }) {
  const t = useMessages();
  return (
    <Confirm
      title={t.passkeys.removeTitle(of.title)}
      submit={t.passkeys.removeSubmit}
      keep={t.passkeys.keep}
      kind="danger"
      ask={() => answer(client.DELETE("/console/passkeys/{id}", { params: { path: { id: of.id } } }))}
      stale={[["passkeys"]]}
      onClose={onClose}
    >
      <p>{t.passkeys.removeText}</p>
    </Confirm>
  );
}
