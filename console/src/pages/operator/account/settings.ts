// What an operator types into the settings of an account, and what of it is a change.
import type { Schemas } from "../../../api/client.ts";
import { latinDigits } from "../../../parts/digits.ts";
import { wholeOrTyped } from "../../../parts/whole.ts";

export type Draft = {
  fullName: string;
  plan: string;
  /** Empty: none. */
  defaultLine: string;
  /** Empty: as much as there is. */
  dailySpend: string;
  /** Empty: what the service's setting says. */
  destinations: string;
  rateLimit: LimitDraft;
  testRateLimit: LimitDraft;
  recipientLimit: Omit<LimitDraft, "burst">;
};
export type LimitDraft = { limit: string; windowSeconds: string; burst: string };

const text = (value: number | null) => (value === null ? "" : String(value));

const limitDraft = ({ limit, windowSeconds, burst }: Schemas["Account"]["rateLimit"]): LimitDraft => ({
  limit: text(limit),
  windowSeconds: text(windowSeconds),
  burst: text(burst),
});

export function draftOf(account: Schemas["Account"]): Draft {
  const { fullName, plan, defaultLine, dailySpend, destinations, recipientLimit } = account;
  return {
    fullName,
    plan: plan.slug,
    defaultLine: defaultLine ?? "",
    dailySpend: text(dailySpend),
    destinations: destinations.join(" "),
    rateLimit: limitDraft(account.rateLimit),
    testRateLimit: limitDraft(account.testRateLimit),
    recipientLimit: { limit: text(recipientLimit.limit), windowSeconds: text(recipientLimit.windowSeconds) },
  };
}

/** A limit with nothing in it goes back to the default of the service. */
function limitOf<Limit extends Record<string, string>>(draft: Limit): Record<keyof Limit, number> | null {
  const entries = Object.entries(draft);
  if (entries.every(([, typed]) => typed.trim() === "")) return null;
  return Object.fromEntries(entries.map(([name, typed]) => [name, wholeOrTyped(typed)])) as Record<keyof Limit, number>;
}

const valuesOf = (
  draft: Draft,
): Required<Omit<Schemas["AccountChange"], "hold" | "reason" | "sendingEnabled" | "status">> => ({
  fullName: draft.fullName.trim(),
  plan: draft.plan,
  defaultLine: draft.defaultLine || null,
  dailySpend: draft.dailySpend.trim() === "" ? null : wholeOrTyped(draft.dailySpend),
  destinations:
    draft.destinations.trim() === ""
      ? null
      : latinDigits(draft.destinations)
          .trim()
          .split(/[\s,،+]+/),
  rateLimit: limitOf(draft.rateLimit),
  testRateLimit: limitOf(draft.testRateLimit),
  recipientLimit: limitOf(draft.recipientLimit),
});

/** Only what differs from what was there: what another operator has changed meanwhile stays. */
export function changeOf(before: Draft, now: Draft): Schemas["AccountChange"] {
  const old: Record<string, unknown> = valuesOf(before);
  return Object.fromEntries(
    Object.entries(valuesOf(now)).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name])),
  );
}
