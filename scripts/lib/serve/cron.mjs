// Calls the worker when its crons say so, as Cloudflare does. `croner` reads the patterns.
import { Cron } from "croner";
import { say } from "../base/command.mjs";

/**
 * Calls `fire(pattern, time)` at each time of these patterns, which are in UTC, with the time in ms. It resolves with how the worker
 * has ended: `ok`, or another word. A time that comes while the call of an earlier one is under way is left out. `tell` says in the log
 * what has failed. Returns what stops it.
 */
export function startCrons(patterns, fire, tell = say) {
  const options = { timezone: "UTC", protect: true, catch: (error) => tell(`the cron failed: ${error.message}`) };
  const run = async (pattern, time) => {
    const outcome = await fire(pattern, time);
    if (outcome !== "ok") tell(`the cron ended with “${outcome}”; the lines above may say why`);
  };
  const jobs = patterns.map((pattern) => new Cron(pattern, options, (job) => run(pattern, job.currentRun().getTime())));
  return () => {
    for (const job of jobs) job.stop();
  };
}
