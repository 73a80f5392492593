import type { ReactNode } from "react";
import { type Scope, useMay, useSession } from "../api/session-context.ts";
import { useMessages } from "../base/messages.ts";

/** Shows a part of a page only to who may see it, and says to others what they lack: a person a role, a key a scope. */
export function NeedsScope({ scope, children }: { scope: Scope; children: ReactNode }) {
  const t = useMessages();
  const { member } = useSession();
  const isPerson = Boolean(member);
  return useMay(scope) ? children : <p className="state">{isPerson ? t.state.needsRole : t.state.needs(scope)}</p>;
}
