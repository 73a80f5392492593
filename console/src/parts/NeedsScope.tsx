import type { ReactNode } from "react";
import { type Scope, useMay, useSession } from "../api/session-context.ts";
import { useMessages } from "../base/messages.ts";

/** Shows a part of a page only to who may see it, and says to others what they may: a person by the role, a key by what it lacks. */
export function NeedsScope({ scope, children }: { scope: Scope; children: ReactNode }) {
  const t = useMessages();
  const { member } = useSession();
  if (useMay(scope)) return children;
  if (!member?.role) return <p className="state">{member ? t.state.needsOther : t.state.needs(scope)}</p>;
  const { name, may } = t.roles[member.role];
  return <p className="state">{t.state.needsRole(name, may)}</p>;
}
