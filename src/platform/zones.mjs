// How far the clocks of a time zone are ahead of UTC. Rust asks this, because the runtime has the database of zones.

/** So many zones keep their formatter. It takes much longer to make one than to use it. */
const MAX_FORMATTERS = 32;

/** The formatters of zones by name, the one that was used last at the end. */
const formatters = new Map();

/**
 * How many minutes the clocks of a zone are ahead of UTC at a time, ms since the Unix epoch. Gives nothing for a zone or a time that
 * the runtime does not know. An offset such as `+03:30` is no zone here, although newer runtimes take it for one.
 */
export function utcOffset(zone, ms) {
  if (!/^[A-Za-z]/.test(zone)) return undefined;
  try {
    const parts = formatterOf(zone).formatToParts(ms);
    return minutes(parts.find(({ type }) => type === "timeZoneName").value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function formatterOf(zone) {
  const formatter =
    formatters.get(zone) ?? new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  formatters.delete(zone);
  formatters.set(zone, formatter);
  if (formatters.size > MAX_FORMATTERS) formatters.delete(formatters.keys().next().value);
  return formatter;
}

/** Reads `GMT`, `GMT+03:30`, or `GMT-00:44:30` as offsets were long ago. */
function minutes(offset) {
  const [hours = 0, minutes = 0, seconds = 0] = offset.match(/\d+/g) ?? [];
  const total = Number(hours) * 60 + Number(minutes) + Number(seconds) / 60;
  return Math.round(offset.includes("-") ? -total : total);
}
