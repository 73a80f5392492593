import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Badge } from "../../../parts/Badge.tsx";

export function LineBadge({ line: { active, paused } }: { line: Schemas["Line"] }) {
  const o = useOperatorMessages();
  if (!active) return <Badge tone="calm">{o.lineStates.inactive}</Badge>;
  return paused ? <Badge tone="warn">{o.lineStates.paused}</Badge> : <Badge tone="good">{o.lineStates.active}</Badge>;
}
