// The messages of the comparison. Each has a number and a text of its own, by its round and its index in the round.

/** A round has fewer messages, because six digits count them. */
export const mostMessages = 1_000_000;
/** A template has this where the seven digits of a message go. Nothing in an address has to be escaped for it. */
export const place = "NNNNNNN";

const digits = (round, index) => `${round}${String(index).padStart(6, "0")}`;

/** The number as an SMSC reads it. */
export const numberOf = (round, index) => `98912${digits(round, index)}`;

/** What finds the numbers of a round. */
export const patternOf = (round) => `^98912${round}`;

/** The templates of a number and a text. */
export const templates = { to: `+98912${place}`, text: `bench ${place}` };

/** A request about one message. All have the same length. */
export const requestTo = (template, round, index) => template.replaceAll(place, digits(round, index));

/** The body of an HTTP answer. */
export const bodyOf = (answer) => answer.slice(answer.indexOf("\r\n\r\n") + 4);

/**
 * Compares what was accepted with what arrived: `sends` has the index, the time of the request and the time of its answer, and
 * `arrivals` the number and the time of each `submit_sm`. Both have the times of one clock, ms. An answer may come after the
 * message itself has arrived; then the time from the accept to the arrival is below zero.
 */
export function compare({ round, sends, arrivals }) {
  const arrivedAt = new Map();
  for (const { to, monotonicMs } of arrivals) if (!arrivedAt.has(to)) arrivedAt.set(to, monotonicMs);
  const waits = { answer: [], fromRequest: [], fromAccept: [] };
  for (const [index, askedAt, acceptedAt] of sends) {
    waits.answer.push(acceptedAt - askedAt);
    const at = arrivedAt.get(numberOf(round, index));
    if (at === undefined) continue;
    waits.fromRequest.push(at - askedAt);
    waits.fromAccept.push(at - acceptedAt);
  }
  for (const values of Object.values(waits)) values.sort((a, b) => a - b);
  return {
    ...waits,
    missing: sends.length - waits.fromAccept.length,
    twice: arrivals.length - arrivedAt.size,
    lastAt: arrivals.at(-1)?.monotonicMs,
  };
}
