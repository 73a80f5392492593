// Measures one part after the other, as long as they fit into the budget, and says of each what has disturbed it.
import { setTimeout as sleep } from "node:timers/promises";
import { complain, say } from "../scripts/lib/base/command.mjs";
import { number } from "./aims.mjs";
import { allowance, budgetSeconds, graceSeconds } from "./budget.mjs";
import { OutOfTime, within } from "./deadline.mjs";
import { calibrate, leastOf, noiseOf, watchOthers } from "./quiet.mjs";

/** What the sequence asks of the machine. Tests have another one. */
const realMachine = {
  seconds: () => performance.now() / 1_000,
  calibrate,
  watch: watchOthers,
  grace: (seconds) => sleep(seconds * 1_000, undefined, { ref: false }),
};

/**
 * Measures the parts with these names by `measure(name)`, in this order. Returns
 *
 * - `measured`: `{name, noise, result}` of each part that ended, where `noise` says what has disturbed it, or is `null`;
 * - `leftOut`: `{name, why}` of the others;
 * - `hasFailed`: whether one of them has failed, other than by lack of time, or did not end;
 * - `hangs`: whether the last one did not end, so that nothing more can be measured.
 *
 * `started` is when the benchmark began, by the machine's `seconds`.
 */
export async function inSequence(names, measure, { budget = budgetSeconds, machine = realMachine, started } = {}) {
  started ??= machine.seconds();
  const elapsed = () => machine.seconds() - started;
  const calibrations = [machine.calibrate()];
  sayWhether(calibrations[0]);
  const [ended, leftOut] = [[], []];
  const done = [];
  let [hangs, hasFailed] = [false, false];
  for (const name of names) {
    const seconds = hangs ? 0 : allowance(name, { elapsed: elapsed(), done, budget });
    if (seconds === 0) {
      leftOut.push({ name, why: hangs ? "the part before it did not end" : "it would not have ended in time" });
      continue;
    }
    say(`${name}, after ${number(elapsed())} seconds …`);
    const [begun, others] = [elapsed(), machine.watch()];
    const outcome = await bounded(seconds, () => measure(name), machine);
    const share = others();
    done.push({ name, seconds: elapsed() - begun });
    hangs = outcome.hangs === true;
    hasFailed ||= hangs || outcome.failure !== undefined;
    if (outcome.failure) leftOut.push({ name, why: `it failed: ${outcome.failure.message.split("\n")[0]}` });
    if (hangs || outcome.isOver)
      leftOut.push({ name, why: `it had not ended after ${number(done.at(-1).seconds)} seconds` });
    calibrations.push(machine.calibrate());
    if (outcome.result) ended.push({ name, share, calibrations: calibrations.slice(-2), result: outcome.result });
  }
  const least = leastOf(calibrations);
  const measured = ended.map(({ name, share, calibrations: around, result }) => ({
    name,
    noise: noiseOf({ elsewhere: share, calibrations: around, least }),
    result,
  }));
  return { measured, leftOut, hasFailed, hangs };
}

function sayWhether(calibration) {
  const noise = noiseOf({
    elsewhere: calibration.elsewhere,
    calibrations: [calibration],
    least: leastOf([calibration]),
  });
  say(noise ? `the machine is not quiet: ${noise}. What is measured meanwhile is marked.` : "the machine is quiet");
}

/**
 * Measures a part that may take so many seconds. What goes wrong when they are over, goes wrong because of that. Whatever else goes wrong is
 * shown, and costs the other parts nothing.
 */
async function bounded(seconds, measure, { seconds: now, grace }) {
  const end = now() + seconds;
  const work = within(seconds, measure).then(
    (result) => ({ result }),
    (error) => {
      if (error instanceof OutOfTime || now() >= end) return { isOver: true };
      complain(error);
      return { failure: error };
    },
  );
  return Promise.race([work, grace(seconds + graceSeconds).then(() => ({ hangs: true }))]);
}
