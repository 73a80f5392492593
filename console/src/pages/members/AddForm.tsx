import { useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { YesNo } from "../../parts/YesNo.tsx";
import { PersonForm } from "./PersonForm.tsx";
import { RoleChoice } from "./RoleChoice.tsx";

type Props = {
  /** Whether nobody is invited, because members need a passkey. */
  needsPasskey?: boolean;
  add: (member: Schemas["AccountMemberInput"]) => Promise<unknown>;
  onClose: () => void;
};

export function AddForm({ needsPasskey = false, add, onClose }: Props) {
  const t = useMessages();
  const [role, setRole] = useState<Schemas["Member"]["role"]>("SENDER");
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
