import type { Schemas } from "../api/client.ts";
import { useMessages } from "../base/messages.ts";

export type Tone = "good" | "bad" | "warn" | "busy" | "calm";

export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}

const tones: Record<Schemas["MessageStatus"], Tone> = {
  SCHEDULED: "warn",
  QUEUED: "busy",
  SENDING: "busy",
  DONE: "good",
  CANCELED: "calm",
};

export function StatusBadge({ status }: { status: Schemas["MessageStatus"] }) {
  return <Badge tone={tones[status]}>{useMessages().statuses[status]}</Badge>;
}

export const recipientTones: Record<Schemas["RecipientStatus"], Tone> = {
  SCHEDULED: "warn",
  QUEUED: "busy",
  SUBMITTED: "busy",
  UNKNOWN: "warn",
  DELIVERED: "good",
  UNDELIVERED: "bad",
  EXPIRED: "bad",
  REJECTED: "bad",
  CANCELED: "calm",
};

export function RecipientBadge({ status }: { status: Schemas["RecipientStatus"] }) {
  return <Badge tone={recipientTones[status]}>{useMessages().recipientStatuses[status]}</Badge>;
}
