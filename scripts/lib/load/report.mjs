const number = (value, digits = 0) =>
  value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
const ms = (value) => `${number(value, value < 100 ? 1 : 0)} ms`;

/** What has happened so far, and the latency of the answers since the last line. */
export function liveLine({ seconds, recipients }, tally) {
  const now = performance.now();
  const elapsed = (now - tally.startedAt) / 1_000;
  const last = tally.second;
  const since = last.at > 0 ? (now - last.at) / 1_000 : elapsed;
  const rate = (tally.accepted - last.accepted) / since;
  const latency = tally.percentiles("accepted", last.accepted);
  tally.second = { at: now, accepted: tally.accepted };
  const others = [...tally.others.values()].reduce((sum, count) => sum + count, 0);
  return [
    `${number(Math.min(elapsed, seconds))}/${number(seconds)} s`,
    `${number(rate)} requests/s`,
    recipients > 1 ? `${number(rate * recipients)} messages/s` : "",
    `${number(tally.accepted)} × 201`,
    `${number(tally.limited)} × 429`,
    `${number(others)} other`,
    latency ? `p50 ${ms(latency.p50)}, p99 ${ms(latency.p99)}` : "no answer",
    `${number(tally.underWay)} in flight`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** The result of a run. */
export function table(options, tally, isStopped) {
  const { rate, seconds, recipients, requests, inFlight } = options;
  const elapsed = (tally.endedAt - tally.startedAt) / 1_000;
  const perSecond = tally.accepted / elapsed;
  const rows = [
    [
      "asked for",
      `${number(requests)}`,
      `${rate}/s for ${seconds} s, ${number(recipients)} recipient${recipients > 1 ? "s" : ""} each`,
    ],
    ["sent", number(tally.sent), `in ${number(elapsed, 1)} s${isStopped ? ", then stopped" : ""}`],
    ["201", number(tally.accepted), ""],
    ["429", number(tally.limited), ""],
    ...[...tally.others].map(([what, count]) => [what, number(count), ""]),
    ["never started", number(tally.neverStarted), neverStarted(tally, isStopped)],
    ["in flight at most", number(tally.mostUnderWay), late(tally, inFlight)],
    ["requests/s", number(perSecond, 1), "201s, until the last answer"],
    ["messages/s", number(perSecond * recipients, 1), ""],
    ...latencyRows(tally),
  ];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map(([name, value, note]) => `${name.padEnd(widths[0])}  ${value.padStart(widths[1])}  ${note}`.trimEnd())
    .join("\n");
}

function neverStarted({ neverStarted }, isStopped) {
  if (neverStarted === 0) return "";
  return isStopped ? "" : "the time was over; no latency has them";
}

const late = ({ delayed }, inFlight) =>
  delayed > 0 ? `of ${number(inFlight)}: the bound was hit, and ${number(delayed)} requests started late` : "";

function latencyRows(tally) {
  const all = tally.answered > tally.accepted ? [["of all answers", tally.percentiles("answered")]] : [];
  return [["of 201s", tally.percentiles("accepted")], ...all]
    .filter(([, found]) => found)
    .flatMap(([of, found]) =>
      Object.entries(found).map(([name, value], at) => [
        name === "max" ? "longest" : name,
        ms(value),
        at === 0 ? `latency ${of}, from the planned start` : "",
      ]),
    );
}
