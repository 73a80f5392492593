import { useState } from "react";
import { everything } from "../../api/change.ts";
import type { Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { DialogButton } from "../../parts/DialogButton.tsx";
import { RoleChoice } from "./RoleChoice.tsx";

type Member = Schemas["Member"];
type Props = { of: Member; giveRole: (id: string, role: Member["role"]) => Promise<unknown> };

/** Gives a member another role. */
export function RoleDialog({ of, giveRole }: Props) {
  const t = useMessages();
  return (
    <DialogButton
      kind="link"
      text={t.members.changeRole}
      label={t.members.changeOf(of.name)}
      dialog={(close) => <Asked of={of} giveRole={giveRole} onClose={close} />}
    />
  );
}

function Asked({ of, giveRole, onClose }: Props & { onClose: () => void }) {
  const t = useMessages();
  const [role, choose] = useState(of.role);
  return (
    <Confirm
      title={t.members.roleTitle(of.name)}
      submit={t.members.roleSubmit}
      keep={t.members.keep}
      ask={() => giveRole(of.id, role)}
      stale={everything}
      onClose={onClose}
    >
      <RoleChoice value={role} onChange={choose} />
      <p>{t.members.roleText}</p>
    </Confirm>
  );
}
