import type { Format } from "../../../format/format.ts";

const units = ["B", "kB", "MB", "GB", "TB"];

/** A size as people read it, with the unit on the left of nothing: it goes from left to right. */
export function bytesOf(format: Format, bytes: number): string {
  const power = Math.min(units.length - 1, bytes > 0 ? Math.floor(Math.log10(bytes) / 3) : 0);
  const shown = bytes / 1_000 ** power;
  return `\u2066${format.number(Number(shown.toPrecision(3)))} ${units[power]}\u2069`;
}
