import { spawn } from "node:child_process";
import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure, finished } from "../../scripts/lib/base/command.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { percentiles } from "../latency.mjs";
import { busySeconds, cpuSecondsOf } from "../processes.mjs";
import { compare, patternOf } from "./messages.mjs";

/** How long the messages of a round and their receipts may take after the last accept, ms. */
const patience = 20_000;
const everyMs = 20;
/** How many rounds each side has had. At most ten, because one digit of the numbers counts them. */
const rounds = new Map();

/**
 * One round of one side, until every message that it has accepted is delivered and it has told that. A side has:
 *
 * - `warmUpSeconds`: how long it is loaded before it is measured;
 * - `port` and `template`: where a request goes and how it looks (see `requestTo`), and `accepted`: how its good answer begins;
 * - `smsc`, and `helpers`: the processes that serve both, its SMSC's first;
 * - `told()`: of how many messages it has told that they are delivered, and when it told that of the last one;
 * - `cpuSeconds()` and `megabytes()` of all its processes.
 */
export async function measureRound(side, job) {
  const round = rounds.get(side) ?? 0;
  rounds.set(side, round + 1);
  const before = await stateOf(side);
  const load = await runLoader(side, { ...job, round });
  const accepted = load.sends.length;
  await until(async () => (await side.smsc.stats()).submits, before.submits + accepted);
  await until(async () => (await side.told()).count, before.told.count + accepted);
  const after = await stateOf(side);
  const arrivals = await side.smsc.submits(patternOf(round));
  if (arrivals.length === 0) throw new Failure(`nothing of ${side.name} arrived`);
  const compared = compare({ round, sends: load.sends, arrivals });
  const untold = before.told.count + accepted - after.told.count;
  return { ...figuresOf(load, compared, { untold, ...after.told }), ...costOf(before, after, load) };
}

async function stateOf(side) {
  return {
    submits: (await side.smsc.stats()).submits,
    told: await side.told(),
    own: side.cpuSeconds(),
    helpers: [...side.helpers, process.pid].map(cpuSecondsOf),
    busy: busySeconds(),
    at: performance.now(),
    megabytes: side.megabytes(),
  };
}

function figuresOf({ startedAt, elapsed, answers, sends }, compared, { untold, lastAt }) {
  const accepted = sends.length;
  const [submitted, known] = [compared.lastAt, lastAt].map((at) => (at - startedAt) / 1_000);
  return {
    accepted,
    answers,
    acceptsPerSecond: accepted / elapsed,
    submitsPerSecond: (accepted - compared.missing) / submitted,
    receiptsPerSecond: (accepted - untold) / known,
    submittedLater: Math.max(0, submitted - elapsed),
    toldLater: Math.max(0, known - elapsed),
    ...both("answer", compared.answer),
    ...both("fromRequest", compared.fromRequest),
    ...both("fromAccept", compared.fromAccept),
    missing: compared.missing,
    twice: compared.twice,
    untold,
  };
}

function both(name, sorted) {
  const { p50, p99 } = percentiles(sorted);
  return { [`${name}50`]: p50, [`${name}99`]: p99 };
}

/** What a round cost: the side itself, and all that it shares the machine with. */
function costOf(before, after, { sends, cpuSeconds: loader }) {
  const own = after.own - before.own;
  const helpers = after.helpers.map((seconds, at) => seconds - before.helpers[at]);
  const all = [own, loader, ...helpers].reduce((sum, one) => sum + one, 0);
  const possible = ((after.at - before.at) / 1_000) * cpus().length;
  const each = (value) => (value * 1_000) / sends.length;
  return {
    cpuSeconds: own,
    cpuEach: each(own),
    smscEach: each(helpers[0]),
    restEach: each(all - own - helpers[0]),
    elsewhere: Math.max(0, after.busy - before.busy - all) / possible,
    megabytes: after.megabytes,
  };
}

/** Sends the messages of a round from a process of its own, which ends by itself. */
async function runLoader({ name, port, template, accepted }, job) {
  const whole = JSON.stringify({ port, template, accepted, ...job });
  const loader = spawn(process.execPath, [inRoot("bench/peers/loader.mjs"), whole], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  loader.stdout.on("data", (chunk) => (output += chunk));
  const { code } = await finished(loader);
  if (code !== 0) throw new Failure(`the loader of ${name} failed`);
  const result = JSON.parse(output);
  if (result.sends.length === 0) throw new Failure(`${name} accepted nothing: ${JSON.stringify(result.answers)}`);
  return result;
}

/** Waits until a count reaches what is wanted, or for as long as there is patience. */
async function until(count, wanted) {
  for (const started = performance.now(); performance.now() - started < patience; await sleep(everyMs))
    if ((await count()) >= wanted) return;
}
