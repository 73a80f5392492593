// Texts that are kept to be used again: patterns. Any text to phonebooks may have variables, which are filled in for each number; a text to
// numbers goes as it stands, so it has none.
import type { Schemas } from "../../api/client.ts";
import { activeOf, newestOf } from "../patterns/PatternBadge.tsx";

type Pattern = Schemas["Pattern"];

/** The text that is kept in a pattern. One that an operator has refused is none. */
export function savedTextOf(pattern: Pattern, isPersonal: boolean): string | undefined {
  const version = activeOf(pattern) ?? newestOf(pattern);
  if (!version || version.status === "REFUSED") return undefined;
  return version.variables.length === 0 || isPersonal ? version.text : undefined;
}

/** Whether it is a text to phonebooks alone, because of what is filled in. */
export const isOnlyPersonal = (pattern: Pattern): boolean =>
  savedTextOf(pattern, true) !== undefined && savedTextOf(pattern, false) === undefined;

/** What is written, and then the kept text. */
export const withText = (written: string, saved: string): string =>
  written.trim() === "" ? saved : `${written.trimEnd()}\n${saved}`;
