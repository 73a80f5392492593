import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Badge, type Tone } from "../../../parts/Badge.tsx";

export type State = Schemas["ServiceHealth"]["carriers"][number]["state"];

export const carrierTones: Record<State, Tone> = {
  UP: "good",
  THROTTLED: "warn",
  CONNECTING: "busy",
  DOWN: "bad",
  PAUSED: "warn",
  INACTIVE: "calm",
  UNKNOWN: "calm",
  HANGS: "bad",
};

export function CarrierBadge({ state }: { state: State }) {
  return <Badge tone={carrierTones[state]}>{useOperatorMessages().carrierStates[state]}</Badge>;
}
