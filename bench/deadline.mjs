// How long what is measured now may still take. One part is measured at a time, and all that waits in it asks here.
import { Failure } from "../scripts/lib/base/command.mjs";

let endsAt = Number.POSITIVE_INFINITY;

/** Does work that may take so many seconds. */
export async function within(seconds, work) {
  endsAt = performance.now() + seconds * 1_000;
  try {
    return await work();
  } finally {
    endsAt = Number.POSITIVE_INFINITY;
  }
}

/** How long is left, ms. */
export const msLeft = () => Math.max(0, endsAt - performance.now());

/** How long may be waited for something, ms: as long as there is patience, and time. */
export const patient = (ms) => Math.min(ms, msLeft());

/** What says that the time is over. */
export class OutOfTime extends Failure {}
