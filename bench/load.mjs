import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { call } from "../scripts/lib/base/client.mjs";
import { Failure, finished, say } from "../scripts/lib/base/command.mjs";
import { inRoot } from "../scripts/lib/base/paths.mjs";
import { msLeft, OutOfTime } from "./deadline.mjs";

/** The length of a round. */
export const seconds = Number(process.env.BENCH_SECONDS || 2.5);
const rounds = 3;
/** JSON knows no infinity. */
const forever = Number.MAX_SAFE_INTEGER;
const settleWithinMs = 120_000;
/** A loader that is to end by itself has so long for that, ms. */
const loaderGraceMs = 5_000;

/**
 * Loads a worker from a process of its own. `loader.mjs` says what a job has. The result has the times of the load too, by
 * `performance.now()` of this process.
 */
export async function load(worker, job) {
  const whole = { port: worker.port, recipients: 1, connections: 32, ...job };
  whole.seconds = Math.min(whole.seconds ?? forever, msLeft() / 1_000, forever);
  const from = performance.now();
  const result = await runLoader("bench/loader.mjs", whole);
  if (Object.keys(result.statuses).some((status) => status !== "201")) {
    say(`some answers of ${worker.name} were not 201: ${JSON.stringify(result.statuses)}`);
  }
  return { ...result, from, to: performance.now(), recipientsPerSecond: result.requestsPerSecond * whole.recipients };
}

/** Runs a loader in a process of its own, for as long as there is time, and returns what it prints. */
export async function runLoader(path, job) {
  const loader = spawn(process.execPath, [inRoot(path), JSON.stringify(job)], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  loader.stdout.on("data", (chunk) => (output += chunk));
  const left = msLeft();
  const timer = Number.isFinite(left) && setTimeout(() => loader.kill("SIGKILL"), left + loaderGraceMs);
  const { code } = await finished(loader);
  clearTimeout(timer);
  if (code !== 0)
    throw msLeft() === 0 ? new OutOfTime("the loader did not end in time") : new Failure("the loader failed");
  return JSON.parse(output);
}

/**
 * Loads several workers in turn, round by round: what else the machine does then hits all alike. `sides` are functions that
 * load one each and return a result. Returns for each side the median of each figure, and all its results. A round that would not
 * end in time is left out.
 */
export async function inTurn(what, sides) {
  const results = sides.map(() => []);
  let longest = 0;
  for (let round = 1; round <= rounds; round += 1) {
    if (msLeft() <= longest) {
      if (round === 1) throw new OutOfTime(`there was no time for ${what}`);
      say(`${what}: no time for round ${round} of ${rounds}`);
      break;
    }
    say(`${what}: round ${round} of ${rounds} …`);
    const started = performance.now();
    for (const [at, side] of sides.entries()) results[at].push(await side(round));
    longest = Math.max(longest, performance.now() - started);
  }
  return results.map(medians);
}

function medians(results) {
  const of = (member) => median(results.map((result) => result[member]));
  const members = Object.keys(results[0]).filter((member) => typeof results[0][member] === "number");
  return { ...Object.fromEntries(members.map((member) => [member, of(member)])), results };
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/**
 * Waits until every accepted message of these accounts is done, so that the work of one round does not slow down the next.
 * Returns the time of the end, or `null` if that takes two minutes.
 */
export async function settle({ baseUrl }, keys, everyMs = 250) {
  const started = performance.now();
  const open = [...keys];
  while (open.length > 0) {
    if (msLeft() === 0) throw new OutOfTime("messages were left when the time was over");
    if (performance.now() - started > settleWithinMs) {
      say(`Peyk had messages left after ${settleWithinMs / 1_000} seconds`);
      return null;
    }
    if (await isUnfinished(baseUrl, open[0])) await sleep(everyMs);
    else open.shift();
  }
  return Date.now();
}

async function isUnfinished(baseUrl, key) {
  for (const status of ["QUEUED", "SENDING"]) {
    const answer = await call(baseUrl, "GET", `/messages?status=${status}&limit=1`, { key });
    if (answer.status !== 200) throw new Failure(`GET /messages: ${answer.status} ${answer.text}`);
    if (answer.json.data.length > 0) return true;
  }
  return false;
}
