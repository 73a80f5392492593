import type { Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { RadioChoice } from "../../parts/RadioChoice.tsx";

type Role = Schemas["Member"]["role"];

const roles = ["OWNER", "SENDER", "FINANCE", "VIEWER"] as const satisfies readonly Role[];

/** A role, with what it may do in words. */
export function RoleChoice({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const t = useMessages();
  const choices = roles.map((id) => ({ id, text: t.roles[id].name }));
  return (
    <>
      <RadioChoice label={t.members.role} value={value} choices={choices} onChange={onChange} />
      <p className="hint" role="status">
        {t.roles[value].may}
      </p>
    </>
  );
}
