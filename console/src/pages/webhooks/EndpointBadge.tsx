import { useMessages } from "../../base/messages.ts";
import { Badge } from "../../parts/Badge.tsx";
import type { Endpoint } from "./queries.ts";

export function EndpointBadge({ of: { active, disabledReason } }: { of: Endpoint }) {
  const t = useMessages();
  if (active) return <Badge tone="good">{t.webhooks.on}</Badge>;
  if (disabledReason) return <Badge tone="bad">{t.webhooks.stopped}</Badge>;
  return <Badge tone="calm">{t.webhooks.off}</Badge>;
}
