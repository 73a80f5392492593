import type { Schemas } from "../../../../api/client.ts";
import { useSession } from "../../../../api/session-context.ts";
import { useOperatorMessages } from "../../../../base/operator-messages.ts";

/** Nobody can give what they don't have. */
export function useOwnScopes(): Partial<Record<Schemas["OperatorScope"], string>> {
  const o = useOperatorMessages();
  const own: string[] = useSession().scopes;
  const entries = Object.entries(o.scopes).filter(([scope]) => own.includes("admin") || own.includes(scope));
  return Object.fromEntries(entries);
}
