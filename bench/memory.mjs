import { number, ratio } from "./aims.mjs";

const everyMs = 200;
const quarters = 4;

/** Reads how much memory a worker's runtime has, while it is loaded. */
export function watchMemory(worker) {
  const samples = [];
  const loads = [];
  const timer = setInterval(() => samples.push({ at: performance.now(), megabytes: worker.memory().now }), everyMs);
  const messages = () => loads.reduce((sum, { accepted }) => sum + accepted, 0);
  return { samples, loads, messages, note: (load) => loads.push(load), stop: () => clearInterval(timer) };
}

/**
 * The memory by how many messages were sent. The last half of the messages has two quarters; the memory is flat if it is the
 * same in both, on average.
 */
export function memoryReport({ samples, loads, messages }) {
  const all = messages();
  const byQuarter = Array.from({ length: quarters }, () => []);
  for (const { at, megabytes } of samples) {
    const sent = sentUntil(loads, at);
    if (sent !== null) byQuarter[Math.min(quarters - 1, Math.floor((sent * quarters) / all))].push(megabytes);
  }
  const means = byQuarter.map((values) => values.reduce((sum, value) => sum + value, 0) / values.length);
  const change = means[3] / means[2];
  const rows = byQuarter.map((values, at) => [
    `${number((all * at) / quarters)} to ${number((all * (at + 1)) / quarters)}`,
    ...[means[at], Math.min(...values), Math.max(...values)].map((value) => number(value)),
  ]);
  return {
    aims: [
      {
        what: `memory of the runtime over the last half of ${number(all)} messages: last quarter / the one before`,
        reached: ratio(change),
        aim: `${ratio(0.9)} to ${ratio(1.1)}`,
        isReached: change >= 0.9 && change <= 1.1,
      },
    ],
    tables: [{ head: ["messages sent", "MB on average", "least", "most"], rows }],
  };
}

/** How many messages were sent at a time; `null` between two loads. */
function sentUntil(loads, at) {
  let before = 0;
  for (const { from, to, accepted } of loads) {
    if (at < from) return null;
    if (at <= to) return before + (accepted * (at - from)) / (to - from);
    before += accepted;
  }
  return null;
}
