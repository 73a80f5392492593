import { number } from "../aims.mjs";
import { mostElsewhere } from "../quiet.mjs";

const figures = [
  ["accepted a second", ({ acceptsPerSecond }) => number(acceptsPerSecond)],
  ["`submit_sm` a second at the SMSC", ({ submitsPerSecond }) => number(submitsPerSecond)],
  ["receipts told a second", ({ receiptsPerSecond }) => number(receiptsPerSecond)],
  ["… the last `submit_sm`, the last receipt told: s after the last accept", later],
  ["answer: p50, p99 ms", (result) => ms(result.answer50, result.answer99)],
  ["request → `submit_sm`: p50, p99 ms", (result) => ms(result.fromRequest50, result.fromRequest99)],
  ["accept → `submit_sm`: p50, p99 ms", (result) => ms(result.fromAccept50, result.fromAccept99)],
  ["CPU seconds of its processes; ms a message", cpu],
  ["memory of its processes at the end, MB", ({ megabytes }) => number(megabytes)],
  ["the SMSC's CPU, ms a message; the loader's and the receiver's", helpers],
  ["of the machine's CPU time, other programs took", ({ elsewhere }) => `${number(elsewhere * 100)} %`],
];

/** Of all rounds, where a median would hide what was rare. */
const sums = [
  ["messages accepted, in all rounds", ({ accepted }) => accepted],
  ["… that never arrived", ({ missing }) => missing],
  ["… that arrived twice", ({ twice }) => twice],
  ["… whose receipt was not told", ({ untold }) => untold],
];

const differences = {
  head: ["what is not alike", "Kannel", "Kannel without a store", "Peyk"],
  rows: [
    [
      "an accepted message",
      "is written into `store-type = file`, without fsync: it outlives the death of the program",
      "stands in memory",
      "is committed to the account's SQLite",
    ],
    [
      "what a receipt is found by",
      "a file for each message (`dlr-storage = spool`), without fsync",
      "stands in memory",
      "is committed to the carrier's SQLite",
    ],
    [
      "told of a receipt",
      "by a call of the message's `dlr-url`",
      "by the same",
      "in the API, and by webhooks if they are wanted",
    ],
    [
      "after a crash of the program",
      "may send twice what was under way",
      "forgets everything",
      "sends nothing twice; what may have left is `UNKNOWN`",
    ],
    ["wallet, ledger, prices, usage", "none", "none", "in the transaction that accepts"],
    ["idempotency, rate limit, blacklist, list of messages", "none", "none", "all of them"],
    ["processes and threads", "two processes with many threads", "the same", "one process; the work is in one thread"],
  ],
};

/** The figures of both kinds of rounds, one column a side. */
export function peersReport({ sides, results, titles, took }) {
  const names = sides.map(({ name }) => name);
  const tables = results.map((result, at) => ({
    head: [titles[at], ...names],
    rows: [
      ...figures.map(([what, cell]) => [what, ...result.map(cell)]),
      ...sums.map(([what, of]) => [what, ...result.map(({ results: rounds }) => number(sum(rounds.map(of))))]),
      ["answers", ...result.map(({ results: rounds }) => answersOf(rounds))],
    ],
  }));
  const rows = [["the comparison took", `${number(took)} s`]];
  if (results.flat().some(({ elsewhere }) => elsewhere > mostElsewhere))
    rows.push(["**the machine was not idle**", "what others took of it is missing above, and not to all alike"]);
  return { tables: [...tables, differences, { head: ["and", ""], rows }] };
}

const sum = (values) => values.reduce((all, one) => all + one, 0);
const ms = (...values) => values.map((value) => number(value, 1)).join(", ");

function later({ submittedLater, toldLater }) {
  return [submittedLater, toldLater].map((seconds) => number(seconds, 2)).join(", ");
}

function cpu({ cpuSeconds, cpuEach }) {
  return `${number(cpuSeconds, 2)}; ${number(cpuEach, 2)}`;
}

function helpers({ smscEach, restEach }) {
  return `${number(smscEach, 3)}; ${number(restEach, 3)}`;
}

/** How the requests of all rounds were answered, with the kinds that were no accept. */
function answersOf(rounds) {
  const all = {};
  for (const { answers } of rounds)
    for (const [kind, count] of Object.entries(answers)) all[kind] = (all[kind] ?? 0) + count;
  return Object.entries(all)
    .map(([kind, count]) => `${number(count)} × "${kind}"`)
    .join(", ");
}
