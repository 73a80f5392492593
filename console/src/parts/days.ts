/** From the begin of a day to the end of another one in the person's time zone, as the lists of the API take it. */
export function timesOf(from: string, to: string): { from?: string; to?: string } {
  return { ...(from && { from: beginOf(from, 0) }), ...(to && { to: beginOf(to, 1) }) };
}

/** A day that was written into the address by hand may be none: then the service says so. */
function beginOf(day: string, later: number): string {
  const time = new Date(`${day}T00:00`);
  if (Number.isNaN(time.getTime())) return day;
  time.setDate(time.getDate() + later);
  return time.toISOString();
}
