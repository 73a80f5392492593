import type { Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { Badge, type Tone } from "../../parts/Badge.tsx";

type Delivery = Schemas["Delivery"];

const tones: Record<Delivery["status"], Tone> = {
  WAITING: "busy",
  DELIVERED: "good",
  FAILED: "bad",
  DROPPED: "bad",
  NOTED: "calm",
};

export function DeliveryBadge({ status }: { status: Delivery["status"] }) {
  const t = useMessages();
  return <Badge tone={tones[status]}>{t.deliveryStatuses[status]}</Badge>;
}
