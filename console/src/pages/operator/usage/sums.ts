// What the page of the usage makes of the sums that the service tells.
import type { Schemas } from "../../../api/client.ts";

const day = 86_400_000;
/** How many days there are if nobody has chosen a first one. */
const span = 30;

export type Row = {
  key: string;
  username: string | null;
  messages: number;
  recipients: number;
  parts: number;
  delivered: number;
  /** How many of these the sandbox took. */
  simulated: number;
  failed: number;
  canceled: number;
  other: number;
  /** Of those that have ended, how many have it. */
  rate: number | null;
  spent: number;
};

export function rowOf(sum: Schemas["UsageSum"]): Row {
  const { key, username, messages, recipients, parts, delivered, simulated, canceled } = sum;
  const failed = sum.undelivered + sum.expired + sum.rejected;
  const ended = delivered + failed;
  return {
    key,
    username,
    messages,
    recipients,
    parts,
    delivered,
    simulated,
    failed,
    canceled,
    // By carrier, an ending may count where the recipient does not.
    other: Math.max(0, recipients - ended - canceled),
    rate: ended > 0 ? delivered / ended : null,
    spent: sum.cost - sum.returned,
  };
}

export function totalOf(rows: Row[]) {
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
  const delivered = sum((row) => row.delivered);
  const failed = sum((row) => row.failed);
  const ended = delivered + failed;
  return {
    messages: sum((row) => row.messages),
    recipients: sum((row) => row.recipients),
    parts: sum((row) => row.parts),
    delivered,
    simulated: sum((row) => row.simulated),
    failed,
    canceled: sum((row) => row.canceled),
    ended,
    rate: ended > 0 ? delivered / ended : null,
    spent: sum((row) => row.spent),
  };
}

/** The newest day first, and of others the largest. What no carrier has taken stands at the end. */
export const inOrder = (by: Schemas["UsageSum"]["by"], rows: Row[]): Row[] =>
  by === "day"
    ? rows.toSorted((one, other) => other.key.localeCompare(one.key))
    : rows.toSorted(
        (one, other) => Number(one.key === "") - Number(other.key === "") || other.recipients - one.recipients,
      );

const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The days of a range, those of UTC. The service refuses a range that is none before this is asked. */
export function daysOf(from: string, to: string, now: number): string[] {
  const last = to ? Date.parse(to) : now;
  const first = from ? Date.parse(from) : last - (span - 1) * day;
  const count = Math.floor((last - first) / day) + 1;
  return Array.from({ length: count }, (_, index) => dateOf(first + index * day));
}

const nothing = (key: string): Row => ({
  key,
  username: null,
  messages: 0,
  recipients: 0,
  parts: 0,
  delivered: 0,
  simulated: 0,
  failed: 0,
  canceled: 0,
  other: 0,
  rate: null,
  spent: 0,
});

/** Each day of the range, also those on which nothing was sent. */
export function onEachDay(rows: Row[], days: string[]): Row[] {
  const found = new Map(rows.map((row) => [row.key, row]));
  return days.map((date) => found.get(date) ?? nothing(date));
}
