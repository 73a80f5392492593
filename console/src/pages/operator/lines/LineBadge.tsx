import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Badge } from "../../../parts/Badge.tsx";
import type { Line } from "./queries.ts";

export function LineBadge({ line: { active, paused } }: { line: Line }) {
  const o = useOperatorMessages();
  if (!active) return <Badge tone="calm">{o.lineStates.inactive}</Badge>;
  return paused ? <Badge tone="warn">{o.lineStates.paused}</Badge> : <Badge tone="good">{o.lineStates.active}</Badge>;
}
