// What the numbers of a campaign come to.
import type { Campaign } from "./queries.ts";

/** What it has cost: what has come back was not paid in the end. */
export const costOf = ({ progress: { cost, returned } }: Campaign) => cost - returned;

/** How many were in a wave, and canceled before they were sent to. */
export const canceledOf = ({ progress }: Campaign) => progress.canceled;

/** Of all whom it reaches: those who are in no wave yet. */
export function waitingOf({ state, counted, progress }: Campaign): number {
  return state === "DONE" ? 0 : Math.max(0, counted.people - progress.recipients);
}

/** How many have left, of how many. */
export function sentOf(campaign: Campaign): { sent: number; all: number } {
  const { recipients, queued } = campaign.progress;
  return { sent: recipients - queued - canceledOf(campaign), all: recipients + waitingOf(campaign) };
}
