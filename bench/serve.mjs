import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Failure, say } from "../scripts/lib/base/command.mjs";
import { sqlite } from "../scripts/lib/base/sqlite.mjs";
import { watchOver } from "../scripts/lib/base/watch.mjs";
import { childrenOf, keyIn, newPlace, startServing } from "../tests/support/serving.mjs";
import { number } from "./aims.mjs";
import { openAccount } from "./ask.mjs";
import { inTurn, load, seconds, settle } from "./load.mjs";
import { cpuSecondsOf, memoryOf } from "./processes.mjs";

const accounts = 16;
/** How many of them ask at once. */
const connections = 32;

/**
 * Single messages through `npm run serve`, from the gate to the sandbox: from one account, in turn with Peyk as the other parts have it,
 * without gate and documentation, and from 16 accounts. Then what its processes have in memory, and what a message takes in the stores.
 */
export async function measureServe(peyk) {
  const place = newPlace();
  const command = await startServing(place, { args: ["--demo"], began: watchOver });
  try {
    if (!command.baseUrl) throw new Failure(`the command did not serve:\n${command.output()}`);
    const served = { ...sideOf(command), adminKey: keyIn(place) };
    const keys = await openAccounts(served);
    const bytesBefore = await bytesIn(place.data);
    const results = await measureSpeed(served, keys, peyk);
    const memories = Object.entries(served.pids).map(([name, pid]) => [name, memoryOf(pid)]);
    return report(results, memories, ((await bytesIn(place.data)) - bytesBefore) / served.messages);
  } finally {
    await end(command);
    place.remove();
  }
}

/** A command that serves, as a side of the comparison. */
function sideOf({ baseUrl, child: { pid } }) {
  const [runtime] = childrenOf(pid, "--external-addr=loopback");
  const [gate] = childrenOf(pid, "gate.capnp");
  const pids = { "Peyk's runtime": runtime, "the gate": gate, "the command": pid };
  return { name: "serve", baseUrl, port: Number(new URL(baseUrl).port), pids };
}

async function end({ child, exited }) {
  child.kill("SIGTERM");
  await exited;
}

/** The keys of one account, and of many. */
async function openAccounts(served) {
  const many = [];
  for (let at = 0; at < accounts; at += 1) many.push(await keyOf(served, `bench-serve-${at}`));
  return { key: await keyOf(served, "bench-serve"), many };
}

async function measureSpeed(served, { key, many }, peyk) {
  const alone = await keyOf(peyk, "bench-beside-serve");
  say("loading both for 2 seconds each, which don't count …");
  await delivered(served, [key], 2);
  await delivered(peyk, [alone], 2);
  const [through, without] = await inTurn("1 recipient, one account", [
    () => delivered(served, [key]),
    () => delivered(peyk, [alone]),
  ]);
  const [sixteen] = await inTurn(`1 recipient, ${accounts} accounts`, [() => delivered(served, many)]);
  return { through, without, sixteen };
}

const keyOf = async (side, username) => (await openAccount(side, username)).key;

/** Loads one side, until everything is delivered. Times of processors are ms a message. */
async function delivered(side, keys, forSeconds = seconds) {
  const before = cpuSeconds(side);
  const result = await load(side, { keys, connections, seconds: forSeconds });
  const endedAt = await settle(side, keys, 50);
  if (endedAt === null) throw new Failure(`${side.name} did not deliver everything`);
  side.messages = (side.messages ?? 0) + result.accepted;
  const each = cpuSeconds(side).map((after, at) => ((after - before[at]) * 1_000) / result.accepted);
  const [runtimeMs, gateMs, commandMs] = each;
  const took = (endedAt - result.startedAt) / 1_000;
  return { ...result, deliveredPerSecond: result.accepted / took, runtimeMs, gateMs, commandMs };
}

/** Of the runtime, the gate and the command. A runtime without a gate has none of the others. */
const cpuSeconds = (side) => (side.pids ? Object.values(side.pids).map(cpuSecondsOf) : [side.cpuSeconds(), 0, 0]);

/** How many bytes the stores below a folder have, with what stands in their logs of writes alone. */
async function bytesIn(dir) {
  const { DatabaseSync } = await sqlite();
  const files = readdirSync(dir, { recursive: true }).filter((name) => name.endsWith(".sqlite"));
  return files.reduce((sum, name) => {
    const db = new DatabaseSync(join(dir, name), { readOnly: true });
    try {
      const { bytes } = db
        .prepare("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size")
        .get();
      return sum + bytes;
    } finally {
      db.close();
    }
  }, 0);
}

function report({ through, without, sixteen }, memories, bytes) {
  const row = (what, one) => [
    what,
    ...[one.requestsPerSecond, one.deliveredPerSecond].map((value) => number(value)),
    ...[one.p50, one.p99].map((value) => number(value, 1)),
    ...[one.runtimeMs, one.gateMs, one.commandMs].map((value) => number(value, 2)),
  ];
  const head = ["accepted/s", "delivered/s", "p50 ms", "p99 ms", "CPU ms of Peyk a message", "of the gate"];
  return {
    aims: [],
    tables: [
      {
        head: ["`npm run serve`, single messages", ...head, "of the command"],
        rows: [
          row("one account", through),
          row("… Peyk without gate and documentation, as in the other parts", without),
          row(`${accounts} accounts`, sixteen),
        ],
      },
      {
        head: ["`npm run serve`, memory", "MB", "at most MB"],
        rows: memories.map(([name, { now, peak }]) => [name, number(now), number(peak)]),
      },
      { head: ["`npm run serve`, disk", ""], rows: [["bytes a message", number(bytes)]] },
    ],
  };
}
