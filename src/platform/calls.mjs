// Calls to one object travel together. A call to an object that nobody calls goes at once. While it is under way in this
// isolate, further calls to the same object wait. When it has ended, the first of those that wait leads: it makes one call for
// all of them. In production an object takes about a thousand calls a second, and a crossing costs more than most answers.
//
// Each request lives by itself in the runtime, so what one resolves for another goes through a promise, and each that waits has
// a timer: the runtime may end a request that has nothing of its own to wait for. A request may also be ended at any moment
// without a word. So the lead is taken over from one that does not take it or that leads for too long. It goes to the call that
// has shown life last, and a call that has shown none for a while, or that has waited for too long, leaves the line: it is not
// made any more.

/** Calls that travel together at most. */
const MAX_CALLS = 64;
/** UTF-16 units of calls that travel together at most, about a megabyte. One call alone may be larger. */
const MAX_UNITS = 512 * 1024;
/** Calls that wait for one object at most. */
const MAX_WAITING = 4096;
/** How long a call waits for an answer that others fetch, ms. Then its effect is unknown, as with any call that fails. */
const PATIENCE_MS = 10_000;
/** How often a call that waits looks whether its leader is there, ms. By that it shows that it is alive. */
const LOOK_MS = 1_000;
/** A call that waits and has not looked for so long counts as gone, ms. */
const SILENT_MS = 5_000;

/** What a call that waits gets in place of an answer when it is its turn to lead. */
const LEAD = Symbol("lead");

/** The calls to one object. */
class Line {
  /** Calls that wait, in the order in which they came. */
  waiting = [];
  /** `{since, isHere}`: since when somebody leads, ms, and whether the one that was given the lead has taken it. */
  leader = null;
}

export class Calls {
  #lines = new Map();
  #send;
  #keepAlive;

  /**
   * @param send makes a call: `(name, [call, …])` gives a promise of a list with one answer for each: a text, or
   *   `{failed: words}` for a call that failed.
   * @param keepAlive lets the runtime wait for a promise although the client has gone.
   */
  constructor(send, keepAlive) {
    this.#send = send;
    this.#keepAlive = keepAlive;
  }

  /** How many objects are being called. */
  get size() {
    return this.#lines.size;
  }

  /** Makes a call to the object `name` and gives its answer. */
  async ask(name, call) {
    let line = this.#lines.get(name);
    if (!line) {
      line = new Line();
      this.#lines.set(name, line);
    }
    if (line.leader && !isOverdue(line.leader)) {
      const answer = await wait(line, call);
      if (answer !== LEAD) return answer;
    }
    return this.#lead(name, line, call);
  }

  /** Makes one call for this one and for those that wait. */
  #lead(name, line, call) {
    const leader = { since: Date.now(), isHere: true };
    line.leader = leader;
    const others = takeWaiting(line, call.length);
    const fetched = this.#fetch(name, call, others).finally(() => {
      // Somebody else may lead by now, because this took too long.
      if (line.leader === leader) this.#handOver(name, line);
    });
    this.#keepAlive(fetched.catch(() => {}));
    return fetched;
  }

  async #fetch(name, call, others) {
    try {
      const [own, ...answers] = await this.#send(name, [call, ...others.map((other) => other.call)]);
      others.forEach((other, at) => {
        deliver(answers[at], other);
      });
      return text(own);
    } catch (error) {
      for (const other of others) other.reject(error);
      throw error;
    }
  }

  /** Gives the lead to the call that has shown life last. */
  #handOver(name, line) {
    dropGone(line);
    const next = line.waiting.reduce((one, other) => (one && one.seen >= other.seen ? one : other), null);
    if (next) {
      giveLead(line, next);
    } else {
      line.leader = null;
      this.#lines.delete(name);
    }
  }
}

/** Waits for the answer that another call fetches, or for the lead. */
async function wait(line, call) {
  if (line.waiting.length >= MAX_WAITING) dropGone(line);
  if (line.waiting.length >= MAX_WAITING) throw new Error("peyk.unavailable: too many calls wait for the object");
  // Not `new Promise`: when the engine has optimized that, the runtime no longer knows to which request the promise belongs,
  // and what waits for it goes on in the request that resolves it.
  const { promise: settled, resolve, reject } = Promise.withResolvers();
  const began = Date.now();
  const entry = { call, began, seen: began, isTaken: false, resolve, reject };
  line.waiting.push(entry);
  let timer;
  const look = () => {
    entry.seen = Date.now();
    if (isOld(entry)) {
      leave(line, entry);
      giveUp(entry);
    } else if (!entry.isTaken && !isLed(line)) {
      giveLead(line, entry);
    } else {
      timer = setTimeout(look, LOOK_MS);
    }
  };
  timer = setTimeout(look, LOOK_MS);
  try {
    return await settled;
  } finally {
    // Here, because only the request that has set a timer can clear it.
    clearTimeout(timer);
  }
}

const isOld = ({ began }) => Date.now() - began >= PATIENCE_MS;
const isSilent = ({ seen }) => Date.now() - seen >= SILENT_MS;

function giveUp({ reject }) {
  reject(new Error("peyk.unavailable: the object did not answer in time"));
}

/** Takes those out of the line that have waited for too long or whose requests are gone. */
function dropGone(line) {
  const isGone = (entry) => isOld(entry) || isSilent(entry);
  const gone = line.waiting.filter(isGone);
  if (gone.length === 0) return;
  line.waiting = line.waiting.filter((entry) => !isGone(entry));
  gone.forEach(giveUp);
}

/** Makes a call that waits the leader. It goes on in its own request, so it may turn out to be gone. */
function giveLead(line, entry) {
  leave(line, entry);
  line.leader = { since: Date.now(), isHere: false };
  entry.resolve(LEAD);
}

function leave(line, entry) {
  const at = line.waiting.indexOf(entry);
  if (at >= 0) line.waiting.splice(at, 1);
}

/** Whether somebody leads who may be expected to end. */
function isLed({ leader }) {
  return leader !== null && !isOverdue(leader) && (leader.isHere || Date.now() - leader.since < LOOK_MS);
}

function isOverdue(leader) {
  return Date.now() - leader.since >= PATIENCE_MS;
}

/** Takes the calls that wait, as far as they may travel with one of so many units. */
function takeWaiting(line, units) {
  dropGone(line);
  let [taken, sum] = [0, units];
  for (const { call } of line.waiting) {
    sum += call.length;
    if (taken + 1 >= MAX_CALLS || sum > MAX_UNITS) break;
    taken += 1;
  }
  const entries = line.waiting.splice(0, taken);
  for (const entry of entries) entry.isTaken = true;
  return entries;
}

function deliver(answer, entry) {
  try {
    entry.resolve(text(answer));
  } catch (error) {
    entry.reject(error);
  }
}

function text(answer) {
  if (typeof answer === "string") return answer;
  throw new Error(answer?.failed ?? "peyk.failed: a call without an answer");
}
