import { say } from "../scripts/lib/base/command.mjs";
import { atLeast, number, ratio } from "./aims.mjs";
import { openAccount } from "./ask.mjs";
import { msLeft } from "./deadline.mjs";
import { inTurn, load, seconds, settle } from "./load.mjs";
import { memoryReport, watchMemory } from "./memory.mjs";

const accounts = 16;
/** So many messages are sent before the runtime's memory is judged. 100,000 with rounds of 2.5 seconds. */
const messages = Math.round(40_000 * seconds);

/**
 * Messages to one recipient: all from one account, delivered and then scheduled ones, which are accepted and nothing else; then
 * from 16 accounts; each beside the floor worker. Then at half of the speed of one account; then until there are enough for the
 * memory.
 */
export async function measureSingles(peyk, { floor }) {
  const { key } = await openAccount(peyk, "bench-singles");
  const many = [];
  for (let at = 0; at < accounts; at += 1) many.push((await openAccount(peyk, `bench-of-${accounts}-${at}`)).key);
  say("loading Peyk and the floor worker for 3 seconds each, which don't count …");
  const memory = watchMemory(peyk);
  await loadPeyk([key], { seconds: 3 });
  await load(floor, { keys: ["one"], seconds: 3 });
  const one = await besideFloor("1 recipient, one account", [key]);
  const scheduled = await scheduledBesideFloor();
  const sixteen = await besideFloor(`1 recipient, ${accounts} accounts`, many);
  const rate = Math.max(1, Math.round(one[0].requestsPerSecond / 2));
  const [paced] = await inTurn(`1 recipient, ${rate} a second`, [() => loadPeyk([key], { rate, connections: 256 })]);
  const missing = messages - memory.messages();
  if (missing > 0) {
    say(`sending ${missing} messages more, for the memory …`);
    // They have to be delivered too, in the time that is left.
    await loadPeyk([key], { answers: missing, seconds: msLeft() / 2_000, connections: 64 });
  }
  memory.stop();
  return report({ one, scheduled, sixteen, paced: { rate, ...paced } }, memoryReport(memory));

  /** Each round by a new account: what is scheduled stays in its object. */
  async function scheduledBesideFloor() {
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    return inTurn("1 recipient, scheduled", [
      async (round) =>
        load(peyk, { keys: [(await openAccount(peyk, `bench-scheduled-${round}`)).key], sendAt, seconds }),
      () => load(floor, { keys: ["floor scheduled"], seconds }),
    ]);
  }

  async function besideFloor(what, keys) {
    const floorKeys = keys.map((_, at) => `floor ${at}`);
    return inTurn(what, [() => loadPeyk(keys), () => load(floor, { keys: floorKeys, seconds })]);
  }

  /** Nothing of the load is left when this returns. */
  async function loadPeyk(keys, job) {
    const result = await load(peyk, { keys, seconds, ...job });
    memory.note(result);
    await settle(peyk, keys);
    return result;
  }
}

function report({ one, scheduled, sixteen, paced }, memory) {
  const [ofOne, ofScheduled, ofSixteen] = [one, scheduled, sixteen].map(
    ([peyk, floor]) => peyk.requestsPerSecond / floor.requestsPerSecond,
  );
  const rows = [
    ["Peyk", "one account", one[0]],
    ["floor", "one object", one[1]],
    ["Peyk", "one account, scheduled", scheduled[0]],
    ["floor", "one object, beside the scheduled ones", scheduled[1]],
    ["Peyk", `${accounts} accounts`, sixteen[0]],
    ["floor", `${accounts} objects`, sixteen[1]],
    ["Peyk", `one account, paced at ${number(paced.rate)}/s`, paced],
  ];
  const cells = ({ requestsPerSecond, p50, p99, loaderCores }) => [
    number(requestsPerSecond),
    number(p50, 1),
    number(p99, 1),
    number(loaderCores, 2),
  ];
  return {
    aims: [
      atLeast(1.3, "1 recipient, one account, 32 connections, accepted and delivered: Peyk / floor", ofOne, ratio),
      atLeast(2, "1 recipient, scheduled (accept alone): Peyk / floor", ofScheduled, ratio),
      atLeast(0.8, "1 recipient: accepted and delivered / only accepted", ofOne / ofScheduled, ratio),
      atLeast(0.45, `1 recipient, ${accounts} accounts, 2 connections each: Peyk / floor`, ofSixteen, ratio),
      ...memory.aims,
    ],
    tables: [
      {
        head: ["worker", "1 recipient", "requests/s", "p50 ms", "p99 ms", "loader's cores"],
        rows: rows.map(([worker, what, result]) => [worker, what, ...cells(result)]),
      },
      ...memory.tables,
    ],
  };
}
