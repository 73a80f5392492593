// What the overview says of thirty days, made of the usage by day. A day without messages is not in the answer.
import type { Schemas } from "../../api/client.ts";

const day = 86_400_000;
const span = 30;
const week = 7;

export type Day = {
  date: string;
  /** What phones have, and apart from it what the sandbox took, or a test key sent. */
  delivered: number;
  simulated: number;
  failed: number;
  canceled: number;
  other: number;
  total: number;
  spent: number;
};
export type Usage = { days: Day[]; unit: string };

const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The last thirty days of UTC, the oldest first. */
export function lastDays(now: number): string[] {
  return Array.from({ length: span }, (_, index) => dateOf(now - (span - 1 - index) * day));
}

export function usageOf(rows: Schemas["UsageDay"][], dates: string[], mode: "live" | "test"): Usage {
  const found = new Map(rows.map((row) => [row.date, row]));
  return { days: dates.map((date) => dayOf(date, found.get(date), mode)), unit: rows[0]?.unit ?? "IRR" };
}

function dayOf(date: string, row: Schemas["UsageDay"] | undefined, mode: "live" | "test"): Day {
  if (!row) return { date, delivered: 0, simulated: 0, failed: 0, canceled: 0, other: 0, total: 0, spent: 0 };
  const { statuses, recipients, cost, returned } = row[mode];
  const { DELIVERED, UNDELIVERED, EXPIRED, REJECTED, CANCELED: canceled } = statuses;
  const simulated = mode === "test" ? DELIVERED : row.simulated;
  const failed = UNDELIVERED + EXPIRED + REJECTED;
  const other = recipients - DELIVERED - failed - canceled;
  const delivered = DELIVERED - simulated;
  return { date, delivered, simulated, failed, canceled, other, total: recipients, spent: cost - returned };
}

const total = (days: Day[], of: keyof Omit<Day, "date">) => days.reduce((sum, item) => sum + item[of], 0);

export function summaryOf({ days }: Usage, available: number) {
  const today = days.at(-1);
  const aDay = Math.round(total(days.slice(-week), "spent") / week);
  const delivered = total(days, "delivered");
  const simulated = total(days, "simulated");
  // Nobody can tell which failures are those of the sandbox, so the rate counts what it delivered, too.
  const arrived = delivered + simulated;
  const ended = arrived + total(days, "failed");
  return {
    sent: total(days, "total"),
    sentToday: today?.total ?? 0,
    spent: total(days, "spent"),
    spentToday: today?.spent ?? 0,
    delivered,
    simulated,
    failed: total(days, "failed"),
    canceled: total(days, "canceled"),
    ended,
    rate: ended > 0 ? arrived / ended : null,
    aDay,
    /** How many days the balance lasts as things go. */
    lasts: aDay > 0 ? Math.floor(available / aDay) : null,
  };
}
