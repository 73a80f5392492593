import { parseDate } from "@internationalized/date";
import { useContext } from "react";
import { SessionContext } from "../api/session-context.ts";

/** The time zone of the account's days. Operators have no account: theirs are the days of the browser. */
export function useTimeZone(): string {
  const session = useContext(SessionContext);
  return session?.account?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** From the begin of a day to the end of another one in a time zone, as the lists of the API take it. */
export function timesOf(from: string, to: string, timeZone: string): { from?: string; to?: string } {
  return { ...(from && { from: beginOf(from, 0, timeZone) }), ...(to && { to: beginOf(to, 1, timeZone) }) };
}

/** A day that was written into the address by hand may be none: then the service says so. */
function beginOf(day: string, later: number, timeZone: string): string {
  try {
    return parseDate(day).add({ days: later }).toDate(timeZone).toISOString();
  } catch {
    return day;
  }
}
