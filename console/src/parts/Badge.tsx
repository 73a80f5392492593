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

type Trial = { test?: boolean; simulated?: true };
type Standing = Pick<Schemas["Message"], "status" | "paused" | "delivered" | "failed"> & Trial;

/** Whether no phone has it: it came from a test key, or the sandbox took it in place of a carrier that sends. */
export const isSimulated = ({ test, simulated }: Trial): boolean => test === true || simulated === true;

/** Nothing is green of what no phone has. */
export const toneFor = (tone: Tone, isSimulated: boolean): Tone => (isSimulated && tone === "good" ? "calm" : tone);

/** Green is for what was delivered: a message can be done, and nobody has it. */
function toneOf({ status, delivered, failed, ...trial }: Standing): Tone {
  if (status !== "DONE") return tones[status];
  if (delivered > 0) return toneFor("good", isSimulated(trial));
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

type RecipientProps = { status: Schemas["RecipientStatus"]; isSimulated: boolean };

export function RecipientBadge({ status, isSimulated }: RecipientProps) {
  const t = useMessages();
  const name = t.recipientStatuses[status];
  const tone = toneFor(recipientTones[status], isSimulated);
  return <Badge tone={tone}>{status === "DELIVERED" && isSimulated ? t.messages.simulatedAs(name) : name}</Badge>;
}
