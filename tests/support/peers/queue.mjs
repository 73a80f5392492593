/** First in, first out. Taking from the begin of a long array would move all the rest. */
export class Queue {
  #items = [];
  #begin = 0;

  get length() {
    return this.#items.length - this.#begin;
  }

  push(item) {
    this.#items.push(item);
  }

  shift() {
    const item = this.#items[this.#begin];
    this.#begin += 1;
    if (this.#begin > 1_000 && this.#begin * 2 > this.#items.length) this.#cut([]);
    return item;
  }

  /** Puts items before all others. */
  unshift(items) {
    this.#cut(items);
  }

  #cut(before) {
    this.#items = [...before, ...this.#items.slice(this.#begin)];
    this.#begin = 0;
  }
}
