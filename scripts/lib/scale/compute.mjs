// What a number of messages a day needs and costs. Every figure comes from `scale-figures.json` and from the pins of
// `tests/it/account/rows.rs`; `docs/scale.md` shows what is computed here.
import { readFileSync } from "node:fs";
import { inRoot } from "../base/paths.mjs";

export const page = inRoot("docs/scale.md");
const daysAMonth = 30;
const secondsADay = 86_400;
const gbAwake = 0.128;
const gb = 1e9;

export const readFigures = () => JSON.parse(readFileSync(inRoot("scripts/scale-figures.json"), "utf8"));

/** The rows and bytes that `tests/it/account/rows.rs` and `bytes.rs` count and pin. */
export function readPins() {
  const files = ["rows.rs", "bytes.rs"].map((name) => inRoot(`tests/it/account/${name}`));
  const text = files.map((file) => readFileSync(file, "utf8")).join("\n");
  const pin = (name) => {
    const found = new RegExp(`const ${name}: [^=]+ = \\(?(\\d+)(?:, (\\d+)\\))?;`).exec(text);
    if (!found) throw new Error(`no file has a pin ${name}: ${files.join(", ")}`);
    return found
      .slice(1)
      .filter((value) => value !== undefined)
      .map(Number);
  };
  const [alone, burst, bind, gateway] = [pin("ALONE"), pin("BURST_OF_32"), pin("BIND"), pin("GATEWAY")];
  return {
    alone: { object: alone[0], d1: alone[1], bind: bind[0], gateway: gateway[0] },
    burst: { object: burst[0] / 32, d1: burst[1] / 32, bind: bind[1] / 32, gateway: gateway[1] / 32 },
    key: pin("KEY")[0],
    // Of three messages.
    forgotten: pin("FORGOTTEN")[0] / 3 + pin("BIND_FORGOTTEN")[0],
    upkeepADay: pin("UPKEEP_A_DAY")[0],
    noteBytes: pin("BIND_NOTE_BYTES")[0],
    idBytes: pin("BIND_ID_BYTES")[0],
    auditBytes: pin("AUDIT_BYTES")[0],
  };
}

/** What a message needs, if this share of all travels in bursts. */
export function perMessage(share, { measured, assumed }, pins) {
  const mix = (alone, burst) => share * burst + (1 - share) * alone;
  const of = (member) => mix(measured.alone[member], measured.burst[member]);
  const setAlarms = of("accountSetAlarms");
  const keys = assumed.keys * pins.key;
  return {
    workerRequests: of("workerRequests"),
    workerCpuMs: assumed.cpuMs,
    accountCalls: of("accountCalls") + of("accountAlarms"),
    objectRequests: of("accountCalls") + of("accountAlarms") + of("carrierCalls"),
    accountRows: mix(pins.alone.object, pins.burst.object),
    bindRows: mix(pins.alone.bind, pins.burst.bind),
    gatewayRows: mix(pins.alone.gateway, pins.burst.gateway),
    setAlarms,
    otherRows: keys + pins.forgotten,
    objectRowsWritten:
      mix(pins.alone.object, pins.burst.object) +
      mix(pins.alone.bind, pins.burst.bind) +
      setAlarms +
      keys +
      pins.forgotten,
    objectRowsRead: of("accountRowsRead") + of("carrierRowsRead"),
    d1RowsWritten: mix(pins.alone.d1, pins.burst.d1),
    d1RowsRead: of("d1RowsRead"),
    d1Batches: of("d1Batches"),
    kvReads: of("kvReads"),
    // How long the account's object works for it: until the carrier has answered, and the other calls.
    awake:
      of("carrierCalls") * assumed.carrierSeconds + (of("accountCalls") + of("accountAlarms")) * assumed.callSeconds,
  };
}

/** What a day of a step needs. */
export function dayOf(step, figures, pins) {
  const { assumed, measured } = figures;
  const one = perMessage(step.bursts, figures, pins);
  const times = (member) => step.messages * one[member];
  const perAccount = step.messages / step.accounts;
  const peakPerSecond = (step.messages * step.peak) / secondsADay;
  const binds = Math.max(assumed.leastBinds, Math.ceil(peakPerSecond / assumed.bindPerSecond));
  const bindAlarms = binds * assumed.bindAlarmsADay;
  // An account's object is awake when at least one of its messages is under way: they come at random.
  const awakeShare = 1 - Math.exp(-(perAccount * one.awake) / secondsADay);
  const awakeSeconds = (step.accounts * awakeShare + binds) * secondsADay;
  const keptBytes = measured.bytesKept * assumed.retentionDays;
  const ledgerBytes = assumed.ledgerBytes * (assumed.daysOld - assumed.retentionDays);
  const bytesADay = keptBytes + ledgerBytes;
  const usageBytes = assumed.usageRowsADay * assumed.usageRowBytes * assumed.daysOld;
  const auditBytes = assumed.auditADay * pins.auditBytes * Math.min(assumed.auditDays, assumed.daysOld);
  const directoryBytes = usageBytes + auditBytes + assumed.phonebookBytes;
  const bindBytes = pins.noteBytes * assumed.noteDays + pins.idBytes * assumed.idDays;
  const bindsGb = (step.messages * bindBytes) / gb;
  return {
    one,
    peakPerSecond,
    binds,
    awakeShare,
    awakeSeconds,
    workerRequests: times("workerRequests"),
    workerCpuMs: times("workerCpuMs"),
    objectRequests: times("objectRequests") + bindAlarms,
    objectGbSeconds: awakeSeconds * gbAwake,
    objectRowsWritten: times("objectRowsWritten") + step.accounts * pins.upkeepADay + bindAlarms,
    objectRowsRead: times("objectRowsRead"),
    objectGb: (step.messages * bytesADay) / gb + bindsGb,
    bindGb: bindsGb / binds,
    d1RowsWritten: times("d1RowsWritten"),
    d1RowsRead: times("d1RowsRead"),
    d1Gb: (step.accounts * directoryBytes) / gb,
    d1BatchesASecond: times("d1Batches") * (step.peak / secondsADay),
    kvReads: times("kvReads"),
    biggest: {
      perSecond: peakPerSecond * step.biggest,
      callsASecond: peakPerSecond * step.biggest * one.accountCalls,
      gb: (step.messages * step.biggest * bytesADay) / gb,
    },
  };
}

/** The dollars of a month, by price. `included: false` takes nothing off for what the plan includes. */
export function monthOf(day, { prices }, { included = true } = {}) {
  const used = {
    objectGbMonths: day.objectGb,
    d1GbMonths: day.d1Gb,
    plan: 1,
  };
  return Object.fromEntries(
    Object.entries(prices).map(([name, price]) => {
      const usage = used[name] ?? day[name] * daysAMonth;
      const billable = Math.max(0, usage - (included ? price.included : 0));
      return [name, price.each === undefined ? (billable / 1e6) * price.perMillion : billable * price.each];
    }),
  );
}

/** How much of each limit a step uses at its peak: 1 is all of it. */
export function limitsOf(day, { limits }) {
  return {
    objectCallsASecond: day.biggest.callsASecond / limits.objectCallsASecond.value,
    objectGb: day.biggest.gb / limits.objectGb.value,
    bindGb: day.bindGb / limits.objectGb.value,
    d1BatchesASecond: day.d1BatchesASecond / limits.d1BatchesASecond.value,
    d1Gb: day.d1Gb / limits.d1Gb.value,
  };
}
