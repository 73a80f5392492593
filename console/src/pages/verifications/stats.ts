// What is said of verifications as a whole, made of their counts.
import type { Schemas } from "../../api/client.ts";

const day = 86_400_000;

export type Counts = Pick<Schemas["VerifyStatsRow"], "started" | "sent" | "checked" | "approved" | "blocked">;

const none: Counts = { started: 0, sent: 0, checked: 0, approved: 0, blocked: 0 };

export function totalOf(rows: Schemas["VerifyStatsRow"][]): Counts {
  return rows.reduce(
    (sum, row) => ({
      started: sum.started + row.started,
      sent: sum.sent + row.sent,
      checked: sum.checked + row.checked,
      approved: sum.approved + row.approved,
      blocked: sum.blocked + row.blocked,
    }),
    none,
  );
}

/** The share of approvals among those that got a code. `null`: nobody got one. */
export function rateOf({ started, blocked, approved }: Counts): number | null {
  const asked = started - blocked;
  return asked > 0 ? approved / asked : null;
}

/** Every day from the first to the last. The service leaves out days without a verification. */
export function daysOf(rows: Schemas["VerifyStatsRow"][], from: string, to: string): (Counts & { name: string })[] {
  const found = new Map(rows.map((row) => [row.name, row]));
  const days: (Counts & { name: string })[] = [];
  for (let time = Date.parse(from); time <= Date.parse(to); time += day) {
    const name = new Date(time).toISOString().slice(0, 10);
    days.push(found.get(name) ?? { name, ...none });
  }
  return days;
}

export type Operator = "mci" | "irancell" | "rightel" | "taliya";

const operators: [RegExp, Operator][] = [
  [/^989(?:1\d|9[0-6])$/, "mci"],
  [/^989(?:0[0-5]|3[035-9]|41)$/, "irancell"],
  [/^9892[0-3]$/, "rightel"],
  [/^98932$/, "taliya"],
];

/** To whom a range of Iranian numbers was given. A number may have moved to another operator since. */
export const operatorOf = (prefix: string): Operator | null =>
  operators.find(([range]) => range.test(prefix))?.[1] ?? null;
