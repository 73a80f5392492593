// Loads one address and prints the results as one line of JSON. It is a process of its own and makes the requests beforehand.
//
// Without a `rate`, each connection sends one request after another, for so many seconds or until there are so many answers.
// With `keyed`, each request has an Idempotency-Key of its own. One whose connection ends without an answer is repeated with the
// same key until it has one.
//
// With a `rate`, each request starts at its planned time, whatever has become of those before it, and its latency counts from
// that time.
import { drive, Tally } from "../scripts/lib/load/drive.mjs";
import { Connection, written } from "./connection.mjs";
import { protocols } from "./protocols.mjs";
import { sends } from "./sends.mjs";

const job = JSON.parse(process.argv[2]);
const { port, keys, recipients, sendAt, connections, keyed, rate, seconds = Infinity, answers = Infinity } = job;
const texts = sends(recipients, sendAt);
/** The requests of each key. */
const requests = keys.map((key) => texts.map((text) => toSend(key, text)));
const statuses = {};
let next = 0;

const startedAt = Date.now();
const { user: userBefore, system: systemBefore } = process.cpuUsage();
const { elapsed, p50, p99 } = rate ? await paced() : await inTurn();
const { user, system } = process.cpuUsage();
const accepted = statuses[201] ?? 0;
console.log(
  JSON.stringify({
    startedAt,
    elapsed,
    statuses,
    accepted,
    requestsPerSecond: accepted / elapsed,
    p50,
    p99,
    loaderCores: (user - userBefore + system - systemBefore) / 1e6 / elapsed,
  }),
);

function toSend(key, text, more = {}) {
  const { path, headers, body } = protocols.own({ key, ...text });
  return written({ method: "POST", path, port, headers: { ...headers, ...more }, body });
}

/** A request of the key of this connection. */
function request(at) {
  const number = next++;
  if (keyed) {
    const [key, text] = [keys[at % keys.length], texts[number % texts.length]];
    return toSend(key, text, { "Idempotency-Key": `load-${number}` });
  }
  const own = requests[at % requests.length];
  return own[number % own.length];
}

/**
 * The runtime closes a connection on which it has read nothing for five seconds. When it had no processor for so long, it does
 * that before it looks whether a request is there. The loader counts this and connects again.
 */
function count(status) {
  statuses[status ?? "closed"] = (statuses[status ?? "closed"] ?? 0) + 1;
}

async function inTurn() {
  const latencies = [];
  const started = performance.now();
  let begun = 0;
  const isOver = () => performance.now() - started >= seconds * 1_000 || begun >= answers;
  const loadOne = async (at) => {
    let connection = new Connection(port);
    let unanswered = null;
    while (unanswered || !isOver()) {
      const asked = unanswered ?? request(at);
      begun += 1;
      const sentAt = performance.now();
      const status = await connection.ask(asked);
      count(status);
      if (status === null) {
        begun -= 1;
        unanswered = keyed ? asked : null;
        connection = new Connection(port);
      } else {
        unanswered = null;
        latencies.push(performance.now() - sentAt);
      }
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, (_, at) => loadOne(at)));
  const elapsed = (performance.now() - started) / 1_000;
  latencies.sort((a, b) => a - b);
  const percentile = (p) => latencies[Math.min(latencies.length - 1, Math.floor((latencies.length * p) / 100))];
  return { elapsed, p50: percentile(50), p99: percentile(99) };
}

async function paced() {
  const idle = Array.from({ length: connections }, () => new Connection(port));
  const tally = new Tally(Math.ceil(rate * seconds));
  const send = async (at) => {
    const connection = idle.pop() ?? new Connection(port);
    const status = await connection.ask(request(at));
    count(status);
    if (status === null) return { failure: "closed" };
    idle.push(connection);
    return { status: Number(status) };
  };
  const plan = { rate, seconds, requests: Math.ceil(rate * seconds), inFlight: connections };
  await drive(plan, { send, tally, signal: new AbortController().signal });
  for (const connection of idle) connection.close();
  const { p50, p99 } = tally.percentiles("accepted") ?? {};
  if (tally.neverStarted > 0) statuses["never started"] = tally.neverStarted;
  return { elapsed: (tally.endedAt - tally.startedAt) / 1_000, p50, p99 };
}
