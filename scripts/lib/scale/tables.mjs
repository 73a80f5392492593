import { dayOf, limitsOf, monthOf, perMessage } from "./compute.mjs";

const digits = (value) => (Math.abs(value) >= 100 || value === 0 ? 0 : Math.abs(value) >= 1 ? 2 : 3);
const number = (value) => value.toLocaleString("en", { maximumFractionDigits: digits(value) });
/** Long numbers in words. */
const short = (value) => {
  const [unit, name] = [
    [1e12, " T"],
    [1e9, " bn"],
    [1e6, " M"],
  ].find(([size]) => value >= size) ?? [1, ""];
  return `${number(value / unit)}${name}`;
};
const dollars = (value) => `$${value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
const percent = (share) => `${number(share * 100)} %`;
const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** The tables of the page, by the names of their marks. */
export function tables(figures, pins) {
  const days = figures.assumed.steps.map((step) => ({ step, day: dayOf(step, figures, pins) }));
  const head = (first) => [first, ...days.map(({ step }) => `${short(step.messages)} a day`)];
  const row = (name, value) => [name, ...days.map(({ step, day }) => value(day, step))];
  return {
    message: message(figures, pins),
    steps: table(head(""), [
      row("accounts", (_, step) => number(step.accounts)),
      row("share of the biggest account", (_, step) => percent(step.biggest)),
      row("share of messages in bursts of 32", (_, step) => percent(step.bursts)),
      row("the peak, times the mean", (_, step) => number(step.peak)),
      row("messages a second at the peak", (day) => number(day.peakPerSecond)),
    ]),
    days: table(head("in a day"), [
      row("requests to the worker", (day) => short(day.workerRequests)),
      row("calls and alarms of objects", (day) => short(day.objectRequests)),
      row("rows written in objects", (day) => short(day.objectRowsWritten)),
      row("rows read in objects", (day) => short(day.objectRowsRead)),
      row("rows written in D1", (day) => short(day.d1RowsWritten)),
      row("rows read in D1", (day) => short(day.d1RowsRead)),
      row("reads of KV", (day) => short(day.kvReads)),
      row("binds", (day) => number(day.binds)),
      row("an account's object is awake", (day) => percent(day.awakeShare)),
      row("seconds of objects awake, with binds", (day) => short(day.awakeSeconds)),
      row("GB in objects after a year", (day) => number(day.objectGb)),
      row("GB in D1 after a year", (day) => number(day.d1Gb)),
    ]),
    dollars: dollarTable(days, figures, head, row),
    limits: limitTable(days, figures, head, row),
    prices: table(
      ["what", "included a month", "price", "source, read on"],
      Object.values(figures.prices).map((price) => [
        price.what,
        price.included > 0 ? short(price.included) : "",
        price.each === undefined ? `$${price.perMillion} a million` : `$${price.each}`,
        `${price.source}; ${price.read}`,
      ]),
    ),
    bounds: table(
      ["what", "limit", "source"],
      Object.values(figures.limits).map(({ what, value, source }) => [what, number(value), source]),
    ),
  };
}

function message(figures, pins) {
  const [alone, burst] = [perMessage(0, figures, pins), perMessage(1, figures, pins)];
  const { measured } = figures;
  const row = (name, member, source) => [name, number(alone[member]), number(burst[member]), source];
  const bench = `\`${measured.command}\`, ${measured.date}`;
  const rows = "`cargo test --test it account::rows`";
  return table(
    ["a message to one recipient", "alone", "in a burst of 32", "counted by"],
    [
      row("requests to the worker", "workerRequests", bench),
      row("calls and alarms of objects", "objectRequests", bench),
      row("rows written in the account's object", "accountRows", rows),
      row("rows written in the bind's object", "bindRows", rows),
      row("… in a gateway's object in its place (not in the sum)", "gatewayRows", rows),
      row("alarms set, a row each", "setAlarms", bench),
      row("rows for its key and for forgetting it", "otherRows", rows),
      row("**rows written in objects**", "objectRowsWritten", "the sum of these"),
      row("rows read in objects", "objectRowsRead", bench),
      row("rows written in D1", "d1RowsWritten", rows),
      row("rows read in D1", "d1RowsRead", bench),
      row("reads of KV", "kvReads", bench),
      row("seconds that the account's object is awake for it", "awake", "assumed, see below"),
      ["bytes that stay", "", number(measured.bytesKept), bench],
    ],
  );
}

function dollarTable(days, figures, head, row) {
  const months = new Map(days.map(({ day }) => [day, monthOf(day, figures)]));
  const sum = (month) => Object.values(month).reduce((all, value) => all + value, 0);
  const marginal = (day) => {
    const { plan, ...rest } = monthOf(day, figures, { included: false });
    return sum(rest);
  };
  const million = (value, step) => dollars(value / ((step.messages * 30) / 1e6));
  return table(head("dollars a month"), [
    ...Object.entries(figures.prices).map(([name, { what }]) => row(what, (day) => dollars(months.get(day)[name]))),
    row("**a month**", (day) => `**${dollars(sum(months.get(day)))}**`),
    row("**a million messages**", (day, step) => `**${million(sum(months.get(day)), step)}**`),
    row("a million messages, if the plan included nothing", (day, step) => million(marginal(day), step)),
  ]);
}

function limitTable(days, figures, head, row) {
  const used = new Map(days.map(({ day }) => [day, limitsOf(day, figures)]));
  const times = (value) => (value >= 1 ? `**${number(value)} times**` : percent(value));
  const first = (day) => {
    const [name, share] = Object.entries(used.get(day)).sort(([, a], [, b]) => b - a)[0];
    return share >= 1 ? (figures.limits[name] ?? figures.limits.objectGb).what : "nothing";
  };
  return table(head("of the limit"), [
    row("calls a second of the biggest account's object", (day) => times(used.get(day).objectCallsASecond)),
    row("GB in the biggest account's object, after a year", (day) => times(used.get(day).objectGb)),
    row("GB in a bind's object", (day) => times(used.get(day).bindGb)),
    row("transactions a second in D1", (day) => times(used.get(day).d1BatchesASecond)),
    row("GB in D1, with audit log and phonebooks, after a year", (day) => times(used.get(day).d1Gb)),
    row("**what breaks first**", (day) => first(day)),
  ]);
}

const mark = /(<!-- scale: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g;

/** The page with these tables between its marks. */
export function filled(text, found) {
  const names = [...text.matchAll(mark)].map(([, , name]) => name);
  const missing = Object.keys(found).filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`the page has no marks for ${missing.join(", ")}`);
  return text.replace(mark, (_, begin, name, end) => {
    if (!found[name]) throw new Error(`there is no table ${name}`);
    return `${begin}\n${found[name]}\n\n${end}`;
  });
}
