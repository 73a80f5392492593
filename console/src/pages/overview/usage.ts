// What the overview says of thirty days, made of the usage by day. A day without messages is not in the answer.
import type { Schemas } from "../../api/client.ts";

const day = 86_400_000;
const span = 30;
const week = 7;

export type Day = {
  date: string;
  delivered: number;
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
  return { days: dates.map((date) => dayOf(date, found.get(date)?.[mode])), unit: rows[0]?.unit ?? "IRR" };
}

function dayOf(date: string, counted: Schemas["UsageDay"]["live"] | undefined): Day {
  if (!counted) return { date, delivered: 0, failed: 0, canceled: 0, other: 0, total: 0, spent: 0 };
  const { DELIVERED, UNDELIVERED, EXPIRED, REJECTED, CANCELED: canceled } = counted.statuses;
  const failed = UNDELIVERED + EXPIRED + REJECTED;
  const other = counted.recipients - DELIVERED - failed - canceled;
  const spent = counted.cost - counted.returned;
  return { date, delivered: DELIVERED, failed, canceled, other, total: counted.recipients, spent };
}

const total = (days: Day[], of: keyof Omit<Day, "date">) => days.reduce((sum, item) => sum + item[of], 0);

export function summaryOf({ days }: Usage, available: number) {
  const today = days.at(-1);
  const aDay = Math.round(total(days.slice(-week), "spent") / week);
  const delivered = total(days, "delivered");
  const ended = delivered + total(days, "failed");
  return {
    sent: total(days, "total"),
    sentToday: today?.total ?? 0,
    spent: total(days, "spent"),
    spentToday: today?.spent ?? 0,
    delivered,
    failed: total(days, "failed"),
    canceled: total(days, "canceled"),
    ended,
    rate: ended > 0 ? delivered / ended : null,
    aDay,
    /** How many days the balance lasts as things go. */
    lasts: aDay > 0 ? Math.floor(available / aDay) : null,
  };
}
