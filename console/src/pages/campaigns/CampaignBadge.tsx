import { useMessages } from "../../base/messages.ts";
import { Badge, isSimulated, type Tone, toneFor } from "../../parts/Badge.tsx";
import type { Campaign } from "./queries.ts";

const tones: Record<Campaign["state"], Tone> = {
  COUNTING: "busy",
  DRAFT: "calm",
  SCHEDULED: "warn",
  RUNNING: "busy",
  PAUSED: "warn",
  STOPPED: "warn",
  DONE: "calm",
  CANCELED: "calm",
};

/** Green is for what was delivered: a campaign can be done, and nobody has it. */
function toneOf({ state, progress: { delivered, failed }, ...trial }: Campaign): Tone {
  if (state !== "DONE") return tones[state];
  if (delivered > 0) return toneFor("good", isSimulated(trial));
  return failed > 0 ? "bad" : "calm";
}

export function CampaignBadge({ of }: { of: Campaign }) {
  const t = useMessages();
  return <Badge tone={toneOf(of)}>{t.campaigns.states[of.state]}</Badge>;
}
