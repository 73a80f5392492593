import { atMost, number, ratio } from "./aims.mjs";
import { openAccount } from "./ask.mjs";
import { runLoader } from "./load.mjs";
import { protocols } from "./protocols.mjs";

/** A send by a door takes at most so many times as long as the same by our own API. */
const most = 1.1;
/** How many sends come at once, and how many turns each protocol has: one alone tells the time of a send, many that of its work. */
const loads = [
  { what: "alone", connections: 1, turns: 2_000 },
  { what: "16 at once", connections: 16, turns: 500 },
];

/**
 * The same sends by our own API and by each door, in turn, see `turns.mjs`: one recipient, scheduled, so that they are accepted and
 * nothing else. Our own API stands there twice, so that its second row says how exact the others are.
 */
export async function measureDoors(peyk) {
  const [own, ...doors] = Object.keys(protocols);
  const names = [own, ...doors, `${own}, again`];
  const sendAt = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 7_200_000).toISOString();
  const sides = [];
  for (const [at, protocol] of [own, ...doors, own].entries())
    sides.push({ protocol, key: (await openAccount(peyk, `bench-door-${at}`)).key });
  const measured = [];
  for (const { what, ...load } of loads)
    measured.push({ what, times: await runLoader("bench/turns.mjs", { port: peyk.port, sides, sendAt, ...load }) });
  return {
    aims: measured.flatMap(({ what, times }) =>
      doors.map((door, at) =>
        atMost(most, `1 recipient by ${door} / by our own API, ${what}, time`, times[at + 1] / times[0], ratio),
      ),
    ),
    tables: [
      {
        head: ["protocol", ...measured.flatMap(({ what }) => [`µs a send, ${what}`, "/ own"])],
        rows: names.map((name, at) => [
          name,
          ...measured.flatMap(({ times }) => [number(times[at] * 1_000), ratio(times[at] / times[0])]),
        ]),
      },
    ],
  };
}
