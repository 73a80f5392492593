import { atMost, number, ratio } from "./aims.mjs";
import { openAccount } from "./ask.mjs";
import { msLeft } from "./deadline.mjs";
import { runLoader } from "./load.mjs";
import { protocols } from "./protocols.mjs";

/** A send by a door takes at most so many times as long as the same by our own API. */
const most = 1.1;
/** On a slow machine there are fewer turns: those of so many seconds. */
const mostSeconds = 40;
/** How many sends come at once, and how many turns each protocol has: one alone tells the time of a send, many that of its work. */
const loads = [
  { what: "alone", connections: 1, turns: 2_000 },
  { what: "16 at once", connections: 16, turns: 500 },
];

/**
 * The same sends by our own API and by each door, in turn, see `turns.mjs`: one recipient, scheduled, so that they are accepted and
 * nothing else. Our own API stands there twice, so that its second row says how exact the others are. Doors stand between the two:
 * what a protocol leaves to do falls to the next one, so each of the two must come behind a door, as most doors do.
 */
export async function measureDoors(peyk) {
  const [own, ...doors] = Object.keys(protocols);
  const half = Math.ceil(doors.length / 2);
  const order = [own, ...doors.slice(0, half), own, ...doors.slice(half)];
  const sendAt = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 7_200_000).toISOString();
  const sides = [];
  for (const [at, protocol] of order.entries())
    sides.push({ protocol, key: (await openAccount(peyk, `bench-door-${at}`)).key });
  const measured = [];
  for (const { what, ...load } of loads) {
    // Most of what is left, in equal shares: a turn that has begun goes on to its end.
    const share = (0.8 * msLeft()) / 1_000 / (loads.length - measured.length);
    const seconds = Math.min(mostSeconds, share);
    const job = { port: peyk.port, sides, sendAt, seconds, ...load };
    measured.push({ what, times: await runLoader("bench/turns.mjs", job) });
  }
  return {
    aims: measured.flatMap(({ what, times }) =>
      doors.map((door) => {
        const time = times[order.indexOf(door)];
        return atMost(most, `1 recipient by ${door} / by our own API, ${what}, time`, time / times[0], ratio);
      }),
    ),
    tables: [
      {
        head: ["protocol", ...measured.flatMap(({ what }) => [`µs a send, ${what}`, "/ own"])],
        rows: order.map((protocol, at) => [
          protocol === own && at > 0 ? `${own}, again` : protocol,
          ...measured.flatMap(({ times }) => [number(times[at] * 1_000), ratio(times[at] / times[0])]),
        ]),
      },
    ],
  };
}
