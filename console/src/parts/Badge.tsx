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

type Standing = Pick<Schemas["Message"], "status" | "paused" | "delivered" | "failed">;

/** Green is for what was delivered: a message can be done, and nobody has it. */
function toneOf({ status, delivered, failed }: Standing): Tone {
  if (status !== "DONE") return tones[status];
  if (delivered > 0) return "good";
  return failed > 0 ? "bad" : "calm";
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
