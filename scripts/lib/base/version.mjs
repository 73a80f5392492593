import { readFileSync } from "node:fs";
import { inRoot } from "./paths.mjs";

/** The version of this Peyk, as package.json has it. */
export const peykVersion = () => JSON.parse(readFileSync(inRoot("package.json"), "utf8")).version;

/** Whether a version comes after another one. What has a hyphen comes before the version itself: 1.0.0-rc.1, then 1.0.0. */
export function isNewer(version, other) {
  const { compare } = new Intl.Collator("en", { numeric: true });
  const [[main, before], [otherMain, otherBefore]] = [version, other].map((text) => text.split(/-(.*)/));
  if (main !== otherMain) return compare(main, otherMain) > 0;
  if (before === undefined || otherBefore === undefined) return before === undefined && otherBefore !== undefined;
  return compare(before, otherBefore) > 0;
}
