// Large bodies are admitted as far as the memory of an isolate goes: what a request makes of its body takes many times as much,
// until it is answered. A body that finds no room waits in the order in which they came, and is refused after a while.
//
// A request may be ended at any moment without a word, as `calls.mjs` says. So one that waits shows life by a timer of its own,
// and an admission ends by itself when no request can still be at work.

/** What is admitted at once, bytes. A single body may have more. */
const ROOM = 1024 * 1024;
/** What waits at most, bytes: bodies that have come are in memory already. */
const MAX_WAITING = 16 * 1024 * 1024;
/** How long a body waits for room, ms. */
const PATIENCE_MS = 10_000;
/** How often one that waits shows that it is alive, ms. */
const LOOK_MS = 1_000;
/** One that waits and has not looked for so long counts as gone, ms. */
const SILENT_MS = 5_000;
/** An admission ends after so long, ms. No request takes as long with its body in memory. */
const LONGEST_MS = 60_000;

export class Bodies {
  /** By their tickets: `{bytes, since}`. */
  #admitted = new Map();
  #bytes = 0;
  #waiting = [];
  #lastTicket = 0;

  /** How many bytes are admitted. */
  get bytes() {
    return this.#bytes;
  }

  /** Admits a body of so many bytes. Gives its ticket or a promise of it, and 0 in its place if the body finds no room in time. */
  admit(bytes) {
    this.#letIn();
    if (this.#waiting.length === 0 && this.#hasRoom(bytes)) return this.#take(bytes);
    this.#dropSilent();
    const waiting = this.#waiting.reduce((sum, entry) => sum + entry.bytes, bytes);
    return waiting > MAX_WAITING ? 0 : this.#wait(bytes);
  }

  /** Ends an admission. */
  release(ticket) {
    this.#bytes -= this.#admitted.get(ticket)?.bytes ?? 0;
    this.#admitted.delete(ticket);
    this.#letIn();
  }

  #hasRoom(bytes) {
    return this.#bytes === 0 || this.#bytes + bytes <= ROOM;
  }

  #take(bytes) {
    this.#lastTicket += 1;
    this.#admitted.set(this.#lastTicket, { bytes, since: Date.now() });
    this.#bytes += bytes;
    return this.#lastTicket;
  }

  async #wait(bytes) {
    // Not `new Promise`, see `calls.mjs`.
    const { promise: ticket, resolve } = Promise.withResolvers();
    const began = Date.now();
    const entry = { bytes, seen: began, resolve };
    this.#waiting.push(entry);
    let timer;
    const look = () => {
      entry.seen = Date.now();
      this.#letIn();
      if (entry.seen - began < PATIENCE_MS) timer = setTimeout(look, LOOK_MS);
      else this.#giveUp(entry);
    };
    timer = setTimeout(look, LOOK_MS);
    try {
      return await ticket;
    } finally {
      // Here, because only the request that has set a timer can clear it.
      clearTimeout(timer);
    }
  }

  #giveUp(entry) {
    this.#waiting = this.#waiting.filter((other) => other !== entry);
    // It may have been let in just now; then this does nothing.
    entry.resolve(0);
    this.#letIn();
  }

  /** Lets in those that wait, as far as there is room. */
  #letIn() {
    for (const [ticket, { bytes, since }] of this.#admitted) {
      if (Date.now() - since < LONGEST_MS) break;
      this.#admitted.delete(ticket);
      this.#bytes -= bytes;
    }
    if (this.#waiting.length === 0 || !this.#hasRoom(this.#waiting[0].bytes)) return;
    this.#dropSilent();
    while (this.#waiting.length > 0 && this.#hasRoom(this.#waiting[0].bytes)) {
      const { bytes, resolve } = this.#waiting.shift();
      resolve(this.#take(bytes));
    }
  }

  #dropSilent() {
    this.#waiting = this.#waiting.filter(({ seen }) => Date.now() - seen < SILENT_MS);
  }
}
