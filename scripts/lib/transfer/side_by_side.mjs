// Work of several objects at the same time. It is bounded: of each, a page is in memory, and all of them share what the service may answer.

/** How much is under way at the same time. */
const most = 4;

/** What `ask` gives of each item, in their order, as `[item, answer]`. The next few are asked before they are needed. */
export async function* inAdvance(items, ask) {
  const asked = [];
  for (const item of items) {
    const answer = ask(item);
    // Whoever takes it hears of its failure.
    answer.catch(() => {});
    asked.push([item, answer]);
    if (asked.length === most) yield await settled(asked.shift());
  }
  while (asked.length > 0) yield await settled(asked.shift());
}

const settled = async ([item, answer]) => [item, await answer];

/** Does work side by side, and that of one lane in its order. After a failure nothing more begins. */
export class Lanes {
  #tails = new Map();
  #underWay = new Set();
  #failure;

  /** Takes work, as soon as there is room for it. Fails if other work has failed. */
  async add(lane, work) {
    while (this.#underWay.size >= most) await Promise.race(this.#underWay);
    if (this.#failure) throw this.#failure;
    const done = this.#after(this.#tails.get(lane), work);
    this.#tails.set(lane, done);
    this.#underWay.add(done);
    done.then(() => {
      this.#underWay.delete(done);
      if (this.#tails.get(lane) === done) this.#tails.delete(lane);
    });
  }

  async #after(before, work) {
    try {
      await before;
      if (!this.#failure) await work();
    } catch (error) {
      this.#failure ??= error;
    }
  }

  /** Waits for all work. */
  async end() {
    await Promise.all(this.#underWay);
    if (this.#failure) throw this.#failure;
  }
}
