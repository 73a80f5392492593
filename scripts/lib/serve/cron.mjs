// Calls the worker when its crons say so, as Cloudflare does. `croner` reads the patterns.
import { Cron } from "croner";
import { say } from "../base/command.mjs";

/**
 * Calls `fire(pattern, time)` at each time of these patterns, which are in UTC, with the time in ms. A time that comes while the call
 * of an earlier one is under way is left out, and a call that fails is told in the log. Returns what stops it.
 */
export function startCrons(patterns, fire) {
  const options = { timezone: "UTC", protect: true, catch: (error) => say(`the cron failed: ${error.message}`) };
  const jobs = patterns.map(
    (pattern) => new Cron(pattern, options, (job) => fire(pattern, job.currentRun().getTime())),
  );
  return () => {
    for (const job of jobs) job.stop();
  };
}
