import { useState } from "react";
import { everything } from "../../api/change.ts";
import { client, dataOf, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { RoleChoice } from "./RoleChoice.tsx";

export function RoleDialog({ of, onClose }: { of: Schemas["Member"]; onClose: () => void }) {
  const t = useMessages();
  const [role, choose] = useState(of.role);
  return (
    <Confirm
      title={t.members.roleTitle(of.name)}
      submit={t.members.roleSubmit}
      keep={t.members.keep}
      ask={() => dataOf(client.PATCH("/members/{id}", { params: { path: { id: of.id } }, body: { role } }))}
      stale={everything}
      onClose={onClose}
    >
      <RoleChoice value={role} onChange={choose} />
      <p>{t.members.roleText}</p>
    </Confirm>
  );
}
