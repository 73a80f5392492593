// What the overview says of thirty days of the whole service. A day without messages is not in the answer.
import type { Schemas } from "../../../api/client.ts";

export type Traffic = {
  key: string;
  sent: number;
  delivered: number;
  /** How many of these the sandbox took. */
  simulated: number;
  failed: number;
  canceled: number;
  other: number;
};

export function trafficOf(sum: Schemas["UsageSum"]): Traffic {
  const failed = sum.undelivered + sum.expired + sum.rejected;
  const { key, recipients: sent, delivered, simulated, canceled } = sum;
  return { key, sent, delivered, simulated, failed, canceled, other: sent - delivered - failed - canceled };
}

/** That of a day, or of a carrier, without messages. */
export const noTraffic = (key: string): Traffic => ({
  key,
  sent: 0,
  delivered: 0,
  simulated: 0,
  failed: 0,
  canceled: 0,
  other: 0,
});

export function daysOf(sums: Schemas["UsageSum"][], dates: string[]): Traffic[] {
  const found = new Map(sums.map((sum) => [sum.key, trafficOf(sum)]));
  return dates.map((key) => found.get(key) ?? noTraffic(key));
}

export function together(all: Traffic[]): Traffic {
  const total = (of: keyof Omit<Traffic, "key">) => all.reduce((sum, one) => sum + one[of], 0);
  return {
    key: "",
    sent: total("sent"),
    delivered: total("delivered"),
    simulated: total("simulated"),
    failed: total("failed"),
    canceled: total("canceled"),
    other: total("other"),
  };
}

/** The part of what has ended that was delivered; `null` if nothing has ended. */
export function rateOf({ delivered, failed }: Traffic): number | null {
  return delivered + failed > 0 ? delivered / (delivered + failed) : null;
}
