// The clients of a soak, and what they meet.
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { call } from "../scripts/lib/base/client.mjs";

/** A share of the clients hangs up before the answer. */
const HANGS_UP = 0.05;
/** Requests under way at most. */
const IN_FLIGHT = 64;

let lastNumber = 0;

/** Different numbers, to all of which the sandbox delivers. */
function phones(count) {
  return Array.from({ length: count }, () => {
    lastNumber += 1;
    // The sandbox does not simply deliver to numbers that end in 901 to 905.
    return `+989${12 + Math.floor(lastNumber / 1e6)}${String(lastNumber % 1e6).padStart(6, "0")}0`;
  });
}

const soon = () => new Date(Date.now() + randomInt(5_000, 60_000)).toISOString();

/** By kind: how often of a hundred, and what is sent. */
const kinds = [
  { share: 55, make: () => ["/sms/send", { message: "soak", recipients: phones(1) }] },
  { share: 20, make: () => ["/sms/pattern", { pattern: "soak", variables: { CODE: "1234" }, recipients: phones(1) }] },
  { share: 10, make: () => ["/sms/send", { message: "soak", recipients: phones(randomInt(2, 200)) }] },
  {
    share: 5,
    make: () => [
      "/sms/bulk",
      { messages: phones(randomInt(10, 500)).map((recipient) => ({ recipient, message: `to ${recipient}` })) },
    ],
  },
  { share: 10, make: () => ["/sms/send", { message: "later", recipients: phones(1), sendAt: soon() }] },
];

function draft() {
  let at = randomInt(kinds.reduce((sum, { share }) => sum + share, 0));
  const kind = kinds.find(({ share }) => {
    at -= share;
    return at < 0;
  });
  return kind.make();
}

/** Counts answers by kind, and keeps the longest; a minute's and all. */
export class Answers {
  counts = new Map();
  longest = 0;
  longestNow = 0;
  accepted = 0;
  recipients = 0;

  note(kind, ms, recipients = 0) {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    this.longest = Math.max(this.longest, ms);
    this.longestNow = Math.max(this.longestNow, ms);
    if (kind !== "201") return;
    this.accepted += 1;
    this.recipients += recipients;
  }

  /** The longest answer since the last call, ms. */
  takeLongest() {
    const { longestNow } = this;
    this.longestNow = 0;
    return longestNow;
  }
}

/** Sends a mix at so many requests a second until `isOver`. */
export async function sendMix(baseUrl, keys, rate, answers, isOver) {
  const began = performance.now();
  let [sent, underWay] = [0, 0];
  const start = async () => {
    underWay += 1;
    await sendOne(baseUrl, keys[randomInt(keys.length)], answers);
    underWay -= 1;
  };
  while (!isOver()) {
    if (began + (sent * 1_000) / rate > performance.now() || underWay >= IN_FLIGHT) {
      await sleep(2);
      continue;
    }
    sent += 1;
    start();
  }
  while (underWay > 0) await sleep(10);
}

async function sendOne(baseUrl, key, answers) {
  const [path, body] = draft();
  const signal = Math.random() < HANGS_UP ? AbortSignal.timeout(randomInt(1, 50)) : undefined;
  const started = performance.now();
  const ms = () => performance.now() - started;
  try {
    const { status, json } = await call(baseUrl, "POST", path, { key, body, signal });
    answers.note(status === 201 ? "201" : `${status}/${json?.code}`, ms(), json?.data?.recipients?.length);
  } catch (error) {
    answers.note(error.name === "TimeoutError" ? "hung up" : `no answer (${error.cause?.code ?? error.name})`, ms());
  }
}

/**
 * Lets an SMSC throttle some, lose answers and drop its connection, anew every few seconds, until `isOver`. It throttles about a
 * message a second, however fast it is sent to. Peyk finds out that its rate is not why, unless this is more than about a fifth of
 * what it is sent: such an SMSC is sent to ever more slowly, as one with a limit is.
 */
export async function annoy(smsc, isOver) {
  while (!isOver()) {
    const rules = [
      { to: "[13]0$", skip: randomInt(20), times: randomInt(1, 6), status: "ESME_RTHROTTLED" },
      { to: "50$", skip: randomInt(10), times: randomInt(1, 5), answer: "drop" },
      { to: "70$", delayMs: randomInt(1, 300) },
      { to: "90$", skip: randomInt(20), times: 1, next: "close" },
    ];
    await smsc.set({ rules });
    for (let wait = 0; wait < 50 && !isOver(); wait += 1) await sleep(100);
  }
  await smsc.set({ rules: [] });
}
