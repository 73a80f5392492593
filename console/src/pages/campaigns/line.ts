// The line of a campaign, and the hours in which it sends.
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { useMay } from "../../api/session-context.ts";
import type { Messages } from "../../base/messages.ts";
import type { Format } from "../../format/format.ts";
import { linesQuery } from "../queries.ts";

export type Hours = Schemas["Hours"];

/** The line with a number, and the default line without. Nothing until it is known, and for who may not see lines. */
export function useLine(number: string | null) {
  const { data: lines } = useQuery({ ...linesQuery, enabled: useMay("account:read") });
  return lines?.find((line) => (number ? line.number === number : line.default));
}

/** Hours in words. */
export const hoursOf = (t: Messages, format: Format, { from, to, timeZone }: Hours) =>
  t.campaign.windowOf(format.digits(from), format.digits(to), `\u2066${timeZone}\u2069`);

/** Whether a moment is in these hours. A browser that does not know their time zone takes it for one that is. */
export function isIn({ from, to, timeZone }: Hours, at: Date): boolean {
  try {
    const time = at.toLocaleTimeString("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
    return from < to ? from <= time && time < to : from <= time || time < to;
  } catch {
    return true;
  }
}
