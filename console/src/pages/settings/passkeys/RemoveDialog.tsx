import { useMessages } from "../../../base/messages.ts";
import { Confirm } from "../../../parts/ConfirmDialog.tsx";
import { type Passkey, passkeysQuery, remove } from "./queries.ts";

export function RemoveDialog({ of, onClose }: { of: Passkey; onClose: () => void }) {
  const t = useMessages();
  return (
    <Confirm
      title={t.passkeys.removeTitle(of.title)}
      submit={t.passkeys.removeSubmit}
      keep={t.passkeys.keep}
      kind="danger"
      ask={() => remove(of.id)}
      stale={[passkeysQuery.queryKey]}
      onClose={onClose}
    >
      <p>{t.passkeys.removeText}</p>
    </Confirm>
  );
}
