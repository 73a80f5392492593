// How long the benchmark may take, and what it leaves out so that it ends in time.

/** From the start of the workers to the report, s. Building before it does not count. */
export const budgetSeconds = Number(process.env.BENCH_MINUTES || 8) * 60;
/** What is kept for a part that does not end in time, and for the end itself, s. */
const reserveSeconds = 30;
/** How long a part may go on after its time before the benchmark ends without it, s. */
export const graceSeconds = 12;

/** How long each part takes on two cores that do nothing else, s. */
export const usualSeconds = {
  isolate: 2,
  latency: 6,
  phonebooks: 3,
  singles: 94,
  doors: 45,
  bulk: 41,
  verify: 3,
  smpp: 33,
  webhooks: 4,
  serve: 31,
  million: 30,
};
/** A part may take so many times as long as expected, and always the least. */
const mostTimes = 2;
const leastSeconds = 30;

/** How many times as long as usual the parts took so far: `{name, seconds}` each. Never below 1. */
export function slowness(done) {
  const sum = (of) => done.reduce((all, part) => all + of(part), 0);
  const usual = sum(({ name }) => usualSeconds[name]);
  return usual > 0 ? Math.max(1, sum(({ seconds }) => seconds) / usual) : 1;
}

/**
 * How long a part may take, s; 0 if it is to be left out, because it would not end in the budget. `elapsed` is how long the benchmark has
 * run, and `done` what its parts have taken.
 */
export function allowance(name, { elapsed, done, budget = budgetSeconds }) {
  const left = budget - reserveSeconds - elapsed;
  const expected = usualSeconds[name] * slowness(done);
  return expected > left ? 0 : Math.min(left, Math.max(leastSeconds, expected * mostTimes));
}
