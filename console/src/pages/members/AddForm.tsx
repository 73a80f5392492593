import { useState } from "react";
import { PersonForm } from "./PersonForm.tsx";
import type { NewMember, Role } from "./queries.ts";
import { RoleChoice } from "./RoleChoice.tsx";

type Props = { add: (member: NewMember) => Promise<unknown>; onClose: () => void };

export function AddForm({ add, onClose }: Props) {
  const [role, setRole] = useState<Role>("SENDER");
  return (
    <PersonForm
      rights={() => <RoleChoice value={role} onChange={setRole} />}
      hasRights
      add={(person) => add({ ...person, role })}
      onClose={onClose}
    />
  );
}
