import { atMost, number, ratio } from "./aims.mjs";
import { openAccount } from "./ask.mjs";
import { inTurn, load } from "./load.mjs";
import { protocols } from "./protocols.mjs";

/** A send by a door takes at most so many times as long as the same by our own API. */
const most = 1.1;
/** Many short rounds: what the machine does besides then changes the figures of one, and not their median. */
const rounds = 11;
const sends = 1_500;

/**
 * The same sends by our own API and by each door, in turn: one recipient a request, scheduled, so that they are accepted and
 * nothing else. Each round has a new account, because what is scheduled stays in its object. The time of a send is what the
 * service's process takes of the processor: requests a second tell how busy the machine is, too.
 */
export async function measureDoors(peyk) {
  const names = Object.keys(protocols);
  const sendAt = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 7_200_000).toISOString();
  const side = (protocol) => async (round) => {
    const { key } = await openAccount(peyk, `bench-${protocol}-${round}`);
    const before = peyk.cpuSeconds();
    const job = { keys: [key], sendAt, answers: sends, connections: 8, protocol };
    const result = await load(peyk, job);
    return { ...result, cpuMicros: ((peyk.cpuSeconds() - before) * 1e6) / result.accepted };
  };
  for (const name of names) await side(name)(0);
  const results = await inTurn("1 recipient, scheduled, by each door", names.map(side), rounds);
  const [own, ...doors] = results;
  return {
    aims: doors.map(({ cpuMicros }, at) =>
      atMost(most, `1 recipient by ${names[at + 1]} / by our own API, time`, cpuMicros / own.cpuMicros, ratio),
    ),
    tables: [
      {
        head: ["protocol", "µs of the processor a send", "requests/s", "p50 ms", "p99 ms"],
        rows: results.map(({ cpuMicros, requestsPerSecond, p50, p99 }, at) => [
          names[at],
          number(cpuMicros),
          number(requestsPerSecond),
          number(p50, 1),
          number(p99, 1),
        ]),
      },
    ],
  };
}
