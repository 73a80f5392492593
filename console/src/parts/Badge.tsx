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
  DONE: "calm",
  CANCELED: "calm",
};

type Standing = Pick<Schemas["Message"], "status" | "paused"> & Partial<Pick<Schemas["MessageDetail"], "counts">>;

/** Green is for what was delivered: a message can be done, and nobody has it. Without counts nobody knows. */
function toneOf({ status, counts }: Standing): Tone {
  if (status !== "DONE" || !counts) return tones[status];
  if (counts.DELIVERED) return "good";
  return counts.UNDELIVERED || counts.EXPIRED || counts.REJECTED ? "bad" : "calm";
}

export function StatusBadge({ of }: { of: Standing }) {
  const t = useMessages();
  if (of.paused) return <Badge tone="warn">{t.messages.paused}</Badge>;
  return <Badge tone={toneOf(of)}>{t.statuses[of.status]}</Badge>;
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
  SKIPPED: "calm",
};

export function RecipientBadge({ status }: { status: Schemas["RecipientStatus"] }) {
  return <Badge tone={recipientTones[status]}>{useMessages().recipientStatuses[status]}</Badge>;
}
