// Sends single messages to one address, each to a number of its own, and prints what became of them as one line of JSON. It is
// a process of its own.
//
// Without a `rate`, each connection sends one message after another for so many seconds. With a `rate`, each message has a
// planned time, and it counts as asked for from then on.
import { drive, Tally } from "../../scripts/lib/load/drive.mjs";
import { Connection } from "../connection.mjs";
import { bodyOf, mostMessages, requestTo } from "./messages.mjs";

const job = JSON.parse(process.argv[2]);
const { port, template, accepted, round, connections, seconds, rate } = job;
/** What is added to the times of this process to make them those of the machine's clock. */
const clock = Number(process.hrtime.bigint()) / 1e6 - performance.now();
const answers = {};
/** For each message that was accepted: its index, when it was asked for, when it was accepted. */
const sends = [];

const { user: userBefore, system: systemBefore } = process.cpuUsage();
const started = performance.now();
await (rate ? paced() : closed());
const elapsed = (performance.now() - started) / 1_000;
const { user, system } = process.cpuUsage();
console.log(
  JSON.stringify({
    startedAt: started + clock,
    elapsed,
    answers,
    sends,
    cpuSeconds: (user - userBefore + system - systemBefore) / 1e6,
  }),
);

/** Sends one message, and notes how it was answered. Returns whether the connection can go on. */
async function send(connection, index, askedAt) {
  const status = await connection.ask(requestTo(template, round, index));
  const answer = status === null ? "closed" : [status, bodyOf(connection.answer)].join(" ").trim();
  const isAccepted = answer.startsWith(accepted);
  // What is accepted may tell an id of its own each time.
  const kind = isAccepted ? accepted : answer.slice(0, 60);
  answers[kind] = (answers[kind] ?? 0) + 1;
  if (isAccepted) sends.push([index, askedAt + clock, performance.now() + clock]);
  return status !== null;
}

async function closed() {
  let next = 0;
  const loadOne = async () => {
    let connection = new Connection(port);
    while (performance.now() - started < seconds * 1_000 && next < mostMessages)
      if (!(await send(connection, next++, performance.now()))) connection = new Connection(port);
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, loadOne));
}

async function paced() {
  const requests = Math.min(mostMessages, Math.ceil(rate * seconds));
  const tally = new Tally(requests);
  const idle = Array.from({ length: connections }, () => new Connection(port));
  const one = async (index) => {
    const connection = idle.pop();
    const isOpen = await send(connection, index, tally.startedAt + (index * 1_000) / rate);
    idle.push(isOpen ? connection : new Connection(port));
    return { status: isOpen ? 201 : 0 };
  };
  const { signal } = new AbortController();
  await drive({ rate, seconds, requests, inFlight: connections }, { send: one, tally, signal });
  if (tally.neverStarted > 0) answers["never started"] = tally.neverStarted;
  for (const connection of idle) connection.close();
}
