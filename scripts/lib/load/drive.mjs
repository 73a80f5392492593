import http from "node:http";
import https from "node:https";

/** The times of a run: tests set them themselves. */
const realTime = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/**
 * Starts each request at its planned time, whatever has become of those before it. If `inFlight` requests are under way, the
 * next one starts late, and its latency counts from the planned time all the same. When the time is over, what has not
 * started never does. Returns when every request that has started is at its end.
 */
export async function drive({ rate, seconds, requests, inFlight }, { send, tally, signal, time = realTime }) {
  const { now, sleep } = time;
  const begin = now();
  const end = begin + seconds * 1_000;
  let underWay = 0;
  let hasRoom = () => {};
  tally.startedAt = begin;
  const start = async (index, planned) => {
    underWay += 1;
    tally.begin(underWay);
    const answer = await send(index);
    underWay -= 1;
    tally.end(answer, now() - planned);
    hasRoom();
  };
  const room = () => new Promise((resolve) => (hasRoom = resolve));
  let delayed = -1;
  let index = 0;
  while (index < requests && !signal.aborted && now() < end) {
    const planned = begin + (index * 1_000) / rate;
    if (planned > now()) {
      // Short sleeps, so that a signal is heard.
      await sleep(Math.min(planned - now(), 100));
    } else if (underWay < inFlight) {
      start(index++, planned);
    } else {
      if (delayed !== index) tally.delayed += 1;
      delayed = index;
      await Promise.race([room(), sleep(Math.min(end - now(), 100))]);
    }
  }
  tally.neverStarted = requests - index;
  while (underWay > 0) await room();
  tally.endedAt = now();
}

/**
 * What became of the requests of a run. It keeps each latency: a run has a bounded number of requests, so the percentiles
 * are exact, and no histogram has to be trusted.
 */
export class Tally {
  constructor(requests) {
    this.startedAt = 0;
    this.endedAt = 0;
    this.sent = 0;
    this.answered = 0;
    this.accepted = 0;
    this.limited = 0;
    /** Other answers and failures by what they were, like `400 (code 2001)`. */
    this.others = new Map();
    this.failures = 0;
    this.mostUnderWay = 0;
    /** How often a request had to wait because too many others did. */
    this.delayed = 0;
    this.neverStarted = 0;
    this.latencies = { accepted: new Float64Array(requests), answered: new Float64Array(requests) };
    this.second = { at: 0, accepted: 0, answered: 0 };
  }

  begin(underWay) {
    this.sent += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, underWay);
  }

  /** Notes an answer, or a failure to get one, and the time since the planned start. */
  end({ status, code, failure }, ms) {
    if (failure !== undefined) {
      this.failures += 1;
      return this.count(`no answer: ${failure}`);
    }
    this.latencies.answered[this.answered++] = ms;
    if (status === 201) this.latencies.accepted[this.accepted++] = ms;
    else if (status === 429) this.limited += 1;
    else this.count(code === undefined ? `${status}` : `${status} (code ${code})`);
  }

  count(what) {
    this.others.set(what, (this.others.get(what) ?? 0) + 1);
  }

  get underWay() {
    return this.sent - this.answered - this.failures;
  }

  /** The percentiles of the requests that were accepted, or of all that were answered, from `first` on. */
  percentiles(kind, first = 0) {
    const sorted = this.latencies[kind].slice(first, this[kind]).sort();
    const at = (share) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
    return sorted.length > 0 ? { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) } : null;
  }
}

/** How long an answer may take, ms. */
const timeout = 30_000;
/** After so many ms without a request a connection is closed here, before the service closes it. */
const idle = 2_000;
/** So much of an answer that is no 201 is read, to learn its code. */
const mostBytes = 16 * 1024;

/** Sends messages over as many connections as wait for answers. */
export function sender({ url, key, recipients, to, line, inFlight }) {
  const { protocol } = new URL(url);
  const module = protocol === "https:" ? https : http;
  const agent = new module.Agent({ keepAlive: true, maxSockets: inFlight, scheduling: "lifo", timeout: idle });
  const options = { method: "POST", agent };
  const send = (index) =>
    new Promise((resolve) => {
      const body = bodyOf(index, { recipients, to, line });
      const headers = {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      };
      const request = module.request(`${url}/sms/send`, { ...options, headers }, (response) => {
        answerOf(response).then(resolve, (error) => resolve({ failure: nameOf(error) }));
      });
      request.setTimeout(timeout, () => request.destroy(new Error("timeout")));
      request.on("error", (error) => resolve({ failure: nameOf(error) }));
      request.end(body);
    });
  return { send, close: () => agent.destroy() };
}

async function answerOf(response) {
  let text = "";
  response.setEncoding("utf8");
  for await (const piece of response) if (text.length < mostBytes) text += piece;
  return { status: response.statusCode, code: response.statusCode === 201 ? undefined : codeOf(text) };
}

function codeOf(text) {
  try {
    return JSON.parse(text).code;
  } catch {
    return undefined;
  }
}

const nameOf = (error) => error.code ?? error.message;

export function bodyOf(index, { recipients, to, line }) {
  const numbers = to
    ? Array.from({ length: recipients }, (_, place) => to[(index * recipients + place) % to.length])
    : Array.from({ length: recipients }, (_, place) => testNumber(index * recipients + place));
  return JSON.stringify({ message: `Peyk load test ${index}`, recipients: numbers, sourceNumber: line });
}

/**
 * The last three digits decide how a test message ends: with these it is delivered. A nine as the fifth digit from the end may
 * rehearse an error.
 */
function testNumber(index) {
  const block = Math.floor(index / 900);
  const number = (Math.floor(block / 90) * 100 + (block % 90)) * 1_000 + (index % 900);
  return `0912${String(number % 10_000_000).padStart(7, "0")}`;
}
