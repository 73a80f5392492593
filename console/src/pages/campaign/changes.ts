import type { Campaign } from "../campaigns/queries.ts";

const unstarted = new Set<Campaign["state"]>(["COUNTING", "DRAFT"]);
const standing = new Set<Campaign["state"]>([...unstarted, "SCHEDULED", "PAUSED", "STOPPED"]);

/** Whether all of it can be changed: it was not started, and is not the resend of another campaign. */
export const isEditable = ({ state, resendOf }: Campaign) => unstarted.has(state) && resendOf === null;

/** Whether its title and its limits can be changed. One that runs is paused first, and one that has ended is not changed any more. */
export const isChangeable = ({ state }: Campaign) => standing.has(state);
