// What bounds a campaign: its hours, its pace, its budget, and what stops it when it goes wrong. All of it may change after the start, too.
import type { Schemas } from "../../api/client.ts";
import type { Messages } from "../../base/messages.ts";
import { wholeOf } from "../../parts/whole.ts";
import type { Hours } from "./line.ts";
import type { CampaignDetail } from "./queries.ts";

/** Numbers are as they were typed. Empty: no bound. */
export type Limits = {
  hasWindow: boolean;
  /** Times such as `09:00`. */
  from: string;
  to: string;
  /** The time zone of the hours. Empty: the person's own. */
  zone: string;
  perMinute: string;
  budget: string;
  hasGuard: boolean;
  /** Percent. */
  failedShare: string;
  optOutShare: string;
  /** How many endings the guard waits for. */
  after: string;
};

/** What each part of a form with these limits gets. */
export type LimitsProps = {
  value: Limits;
  faults: LimitFaults;
  /** The hours that its line has for it. */
  lineHours: Hours | null | undefined;
  onChange: (part: Partial<Limits>) => void;
};

type Faulty = "window" | "perMinute" | "budget" | "failedShare" | "optOutShare" | "after" | "guard";
export type LimitFaults = Partial<Record<Faulty, string>>;

const noLimits: Limits = {
  hasWindow: false,
  from: "09:00",
  to: "21:00",
  zone: "",
  perMinute: "",
  budget: "",
  hasGuard: false,
  failedShare: "20",
  optOutShare: "2",
  after: "100",
};

/** No limits, with the usual guard in the digits of the person. */
export const noLimitsIn = (write: Write): Limits => ({
  ...noLimits,
  ...{
    failedShare: write(noLimits.failedShare),
    optOutShare: write(noLimits.optOutShare),
    after: write(noLimits.after),
  },
});

const mostPerMinute = 1_000_000;
const mostAfter = 100_000;

/** The person's time zone. */
export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Writes digits as the person reads them. */
type Write = (text: string) => string;

/** The limits that a campaign has. */
export function limitsOf({ window, perMinute, budget, guard }: CampaignDetail, write: Write): Limits {
  const typed = (bound: number | null) => write(String(bound ?? ""));
  const { from, to, timeZone: zone } = window ?? { ...noLimits, timeZone: "" };
  const shares = guard
    ? { failedShare: typed(guard.failedShare), optOutShare: typed(guard.optOutShare), after: typed(guard.after) }
    : {};
  return {
    ...noLimitsIn(write),
    ...{ hasWindow: window !== null, from, to, zone },
    ...{ perMinute: typed(perMinute), budget: typed(budget) },
    ...{ hasGuard: guard !== null, ...shares },
  };
}

const isEmpty = (text: string) => text.trim() === "";

/** Whether a bound is none, or a whole number from 1. */
function isBound(text: string, most = Number.MAX_SAFE_INTEGER): boolean {
  const value = wholeOf(text);
  return isEmpty(text) || (value !== null && value >= 1 && value <= most);
}

const isWindowMissing = ({ hasWindow, from, to }: Limits) => hasWindow && (!from || !to || from === to);

/** What is wrong with limits. */
export function limitFaultsOf(t: Messages, limits: Limits): LimitFaults {
  const { perMinute, budget, hasGuard, failedShare, optOutShare, after } = limits;
  const isShare = (share: string) => !hasGuard || isBound(share, 100);
  return {
    ...(isWindowMissing(limits) && { window: t.newCampaign.badWindow }),
    ...(!isBound(perMinute, mostPerMinute) && { perMinute: t.newCampaign.badPerMinute }),
    ...(!isBound(budget) && { budget: t.newCampaign.badBudget }),
    ...(!isShare(failedShare) && { failedShare: t.newCampaign.badShare }),
    ...(!isShare(optOutShare) && { optOutShare: t.newCampaign.badShare }),
    ...(hasGuard && !isBound(after, mostAfter) && { after: t.newCampaign.badAfter }),
    ...(hasGuard && isEmpty(failedShare) && isEmpty(optOutShare) && { guard: t.newCampaign.noShare }),
  };
}

function guardOf({ hasGuard, ...of }: Limits): Schemas["GuardInput"] | null {
  const [failedShare, optOutShare, after] = [of.failedShare, of.optOutShare, of.after].map(wholeOf);
  const waits = { after: after ?? null };
  if (!hasGuard) return null;
  if (failedShare) return { failedShare, optOutShare: optOutShare ?? null, ...waits };
  return optOutShare ? { optOutShare, ...waits } : null;
}

/** The limits in the body of a request. `null` takes one away. */
export function limitsBodyOf(limits: Limits) {
  const { hasWindow, from, to, zone, perMinute, budget } = limits;
  return {
    window: hasWindow ? { from, to, timeZone: zone || ownZone() } : null,
    perMinute: wholeOf(perMinute),
    budget: wholeOf(budget),
    guard: guardOf(limits),
  };
}
