// Random choices that a seed repeats.

/** Numbers from a seed (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** An integer from `least` to `most`. */
  const integer = (least, most) => least + Math.floor(next() * (most - least + 1));
  return {
    integer,
    isTrue: (probability) => next() < probability,
    oneOf: (items) => items[integer(0, items.length - 1)],
  };
}
