// Lines of the log apart from their request. What the runtime keeps of a request goes with each of its lines, its address too, and the
// address of some requests has a key. So an object writes their lines: it is called by a method, and a call has no address.

/** Lines that leave an isolate in a second at most. Those beyond are counted. */
const MAX_A_SECOND = 50;
const SECOND_MS = 1_000;

export class Apart {
  #send;
  #keepAlive;
  #second = 0;
  #count = 0;
  #lost = 0;

  /**
   * @param send gives lines to the object that writes them: a promise.
   * @param keepAlive lets the runtime wait for a promise although the client has gone.
   */
  constructor(send, keepAlive) {
    this.#send = send;
    this.#keepAlive = keepAlive;
  }

  /** Writes a line, with the count of those that were lost before. */
  write(line) {
    const second = Math.floor(Date.now() / SECOND_MS);
    if (second !== this.#second) [this.#second, this.#count] = [second, 0];
    this.#count += 1;
    if (this.#count > MAX_A_SECOND) {
      this.#lost += 1;
      return;
    }
    const lines = this.#lost > 0 ? [line, told(this.#lost)] : [line];
    const lost = this.#lost + 1;
    this.#lost = 0;
    // What fails here may have the address in its words, so nobody writes it.
    this.#keepAlive(
      this.#attempt(lines).catch(() => {
        this.#lost += lost;
      }),
    );
  }

  async #attempt(lines) {
    await this.#send(lines);
  }
}

const told = (count) => JSON.stringify({ count, event: "log", level: "error", what: "lines are lost" });
