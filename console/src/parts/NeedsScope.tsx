import type { ReactNode } from "react";
import { type Scope, useMay } from "../api/session-context.ts";
import { useMessages } from "../base/messages.ts";

/** Shows a part of a page only to a key that may see it, and says to others what they lack. */
export function NeedsScope({ scope, children }: { scope: Scope; children: ReactNode }) {
  const t = useMessages();
  return useMay(scope) ? children : <p className="state">{t.state.needs(scope)}</p>;
}
