// Sends the same by several protocols in turn, and prints for each how long a send takes, ms, as one line of JSON: the mean without
// the slowest tenth. A turn is one send on each connection, all at once. Whatever the machine does besides hits all protocols alike,
// because their turns are milliseconds apart. After so many seconds there is no further turn.
import { Connection, written } from "./connection.mjs";
import { protocols } from "./protocols.mjs";
import { sends } from "./sends.mjs";

const { port, sides, sendAt, turns, connections, seconds } = JSON.parse(process.argv[2]);
const texts = sends(1, sendAt);
const requests = sides.map(({ protocol, key }) =>
  texts.map((text) => toRequest(protocols[protocol]({ key, ...text }))),
);
const times = sides.map(() => []);
const open = Array.from({ length: connections }, () => new Connection(port));

/** The first turns make the service warm, and do not count. */
const warm = Math.ceil(turns / 4);
const began = performance.now();
const hasPassed = (share) => performance.now() - began > seconds * 1_000 * share;
for (let turn = 0, counted = 0; counted < turns && !(counted > 0 && hasPassed(1)); turn += 1) {
  if (turn >= warm || hasPassed(1 / 4)) counted += 1;
  for (let step = 0; step < sides.length; step += 1) {
    // Each side is the first of a turn as often as the others.
    const at = (turn + step) % sides.length;
    const started = performance.now();
    const statuses = await Promise.all(
      open.map((connection, i) => connection.ask(request(at, turn * connections + i))),
    );
    if (counted > 0) times[at].push((performance.now() - started) / connections);
    if (statuses.some((status) => !["200", "201"].includes(status)))
      throw new Error(`${sides[at].protocol}: ${statuses}: ${open[0].answer}`);
  }
}
for (const connection of open) connection.close();
console.log(JSON.stringify(times.map(mean)));

function toRequest({ path, headers, body }) {
  return written({ method: "POST", path, port, headers, body });
}

function request(side, number) {
  const own = requests[side];
  return own[number % own.length];
}

function mean(values) {
  const kept = values.toSorted((a, b) => a - b).slice(0, Math.ceil(values.length * 0.9));
  return kept.reduce((sum, value) => sum + value, 0) / kept.length;
}
