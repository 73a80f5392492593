import { atMost, number, ratio } from "./aims.mjs";
import { openAccount } from "./ask.mjs";
import { inTurn, load, seconds } from "./load.mjs";
import { protocols } from "./protocols.mjs";

/** A send by a door takes at most so many times as long as the same by our own API. */
const most = 1.1;

/**
 * The same sends by our own API and by each door, in turn: one recipient a request, scheduled, so that they are accepted and
 * nothing else. Each round has a new account, because what is scheduled stays in its object.
 */
export async function measureDoors(peyk) {
  const names = Object.keys(protocols);
  const sendAt = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 7_200_000).toISOString();
  const side = (protocol) => async (round) => {
    const { key } = await openAccount(peyk, `bench-${protocol}-${round}`);
    return load(peyk, { keys: [key], sendAt, seconds, protocol });
  };
  await side("own")(0);
  const results = await inTurn("1 recipient, scheduled, by each door", names.map(side));
  const [own, ...doors] = results;
  return {
    aims: doors.map((door, at) =>
      atMost(
        most,
        `1 recipient by ${names[at + 1]} / by our own API, time`,
        own.requestsPerSecond / door.requestsPerSecond,
        ratio,
      ),
    ),
    tables: [
      {
        head: ["protocol", "requests/s", "p50 ms", "p99 ms", "loader's cores"],
        rows: results.map(({ requestsPerSecond, p50, p99, loaderCores }, at) => [
          names[at],
          number(requestsPerSecond),
          number(p50, 1),
          number(p99, 1),
          number(loaderCores, 2),
        ]),
      },
    ],
  };
}
