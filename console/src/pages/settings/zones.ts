// The time zones that the browser knows, by their names in the person's language.
import type { Language } from "../../base/settings.ts";
import type { Choice } from "../../parts/Select.tsx";

const tehran = "Asia/Tehran";

/** The name of a zone, such as "Iran Standard Time", with its id, which tells it from others of this name. */
export function zoneName(language: Language, id: string): string {
  return `${nameOf(language, id) ?? id} · \u2066${id}\u2069`;
}

/** The service may know a zone that the browser does not. */
function nameOf(language: Language, id: string): string | undefined {
  try {
    const parts = new Intl.DateTimeFormat(language, { timeZone: id, timeZoneName: "long" }).formatToParts();
    return parts.find(({ type }) => type === "timeZoneName")?.value;
  } catch {
    return undefined;
  }
}

/** In the place of a name, some zones have their distance from UTC. They come last. */
const hasName = ({ text }: Choice) => /^\P{N}+ ·/u.test(text);

/** All zones by their names, for Persian that of Tehran first. Typing finds one by its id. The browser may call `now` by another one. */
export function zonesIn(language: Language, now: string): Choice[] {
  const ids = new Set(["UTC", now, ...Intl.supportedValuesOf("timeZone")]);
  const { compare } = new Intl.Collator(language);
  const zones = [...ids]
    .map((id) => ({ id, text: zoneName(language, id), typed: id }))
    .sort((one, other) => Number(hasName(other)) - Number(hasName(one)) || compare(one.text, other.text));
  const isFirst = ({ id }: Choice) => language === "fa" && id === tehran;
  return [...zones.filter(isFirst), ...zones.filter((zone) => !isFirst(zone))];
}
