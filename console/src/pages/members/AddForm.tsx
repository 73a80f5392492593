import { useState } from "react";
import { useMessages } from "../../base/messages.ts";
import { YesNo } from "../../parts/YesNo.tsx";
import { PersonForm } from "./PersonForm.tsx";
import type { NewMember, Role } from "./queries.ts";
import { RoleChoice } from "./RoleChoice.tsx";

type Props = {
  /** Whether nobody is invited, because members need a passkey. */
  needsPasskey?: boolean;
  add: (member: NewMember) => Promise<unknown>;
  onClose: () => void;
};

export function AddForm({ needsPasskey = false, add, onClose }: Props) {
  const t = useMessages();
  const [role, setRole] = useState<Role>("SENDER");
  const [invite, setInvite] = useState(true);
  return (
    <PersonForm
      rights={() => (
        <>
          <RoleChoice value={role} onChange={setRole} />
          {needsPasskey ? (
            <p className="hint">{t.members.noInvitations}</p>
          ) : (
            <YesNo label={t.members.invite} hint={t.members.inviteHint} value={invite} onChange={setInvite} />
          )}
        </>
      )}
      hasRights
      add={(person) => add({ ...person, role, invite: invite && !needsPasskey })}
      onClose={onClose}
    />
  );
}
