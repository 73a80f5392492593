// Whether the machine does anything else than the benchmark.
import { cpus } from "node:os";
import { number, ratio } from "./aims.mjs";
import { busySeconds, treeSeconds } from "./processes.mjs";

/** Others may take this share of the machine's time before a figure says little. */
export const mostElsewhere = 0.1;
/** The same work may take so many times the least time that it took in this run. */
const mostSlower = 1.25;
const times = 15;

/** Begins to watch what others take of the machine's time. Returns a function that tells their share since then, from 0 to 1. */
export function watchOthers() {
  const before = spent();
  return () => elsewhere(before, spent(), cpus().length);
}

const spent = () => ({ at: performance.now(), busy: busySeconds(), own: treeSeconds(process.pid) });

/** What the machine has worked that was not for us. `at` is in ms, `busy` and `own` are seconds of processors. */
export function elsewhere(before, after, processors) {
  const possible = ((after.at - before.at) / 1_000) * processors;
  const others = after.busy - before.busy - (after.own - before.own);
  return possible > 0 ? Math.min(1, Math.max(0, others / possible)) : 0;
}

/** Does the same work several times on one processor. Returns how long each time took, ms, and what others took meanwhile. */
export function calibrate() {
  const others = watchOthers();
  const took = Array.from({ length: times }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  return { took, elsewhere: others() };
}

function work() {
  let state = 1;
  for (let step = 0; step < 20_000_000; step += 1) state = Math.imul(state ^ step, 0x9e3779b1);
  return state;
}

/** The least time in calibrations. */
export const leastOf = (calibrations) => Math.min(...calibrations.flatMap(({ took }) => took));

/**
 * Says what disturbs a measurement, in words, or `null` if nothing does. `elsewhere` is the share that others took while it went on,
 * `calibrations` are those before and after it, and `least` is the least time of all calibrations of the run.
 */
export function noiseOf({ elsewhere: share, calibrations, least }) {
  const slower = Math.max(...calibrations.map(({ took }) => middle(took) / least));
  const words = [];
  if (share > mostElsewhere) words.push(`other programs took ${number(share * 100)} % of the machine's time`);
  if (slower > mostSlower) words.push(`the same work took ${ratio(slower)} its least time`);
  return words.length > 0 ? words.join(", ") : null;
}

const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
