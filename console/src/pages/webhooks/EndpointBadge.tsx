import type { Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { Badge } from "../../parts/Badge.tsx";

export function EndpointBadge({ of: { active, disabledReason } }: { of: Schemas["Endpoint"] }) {
  const t = useMessages();
  if (active) return <Badge tone="good">{t.webhooks.on}</Badge>;
  if (disabledReason) return <Badge tone="bad">{t.webhooks.stopped}</Badge>;
  return <Badge tone="calm">{t.webhooks.off}</Badge>;
}
