// How long something takes or is ago, in the largest unit that fits: "40 sec", "3 min", "2 hours ago".
import { useMemo } from "react";
import { useSettings } from "../base/settings.ts";
import { localeOf } from "./format.ts";

const units = [
  { unit: "day", seconds: 86_400 },
  { unit: "hour", seconds: 3_600 },
  { unit: "minute", seconds: 60 },
  { unit: "second", seconds: 1 },
] as const;

const unitOf = (seconds: number) => units.find((unit) => seconds >= unit.seconds) ?? { unit: "second", seconds: 1 };

export function useSpans() {
  const { language, calendar } = useSettings();
  return useMemo(() => {
    const locale = localeOf(language, calendar);
    const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
    return {
      span: (seconds: number) => {
        const { unit, seconds: size } = unitOf(seconds);
        const style = { style: "unit", unit, unitDisplay: "long" } as const;
        return new Intl.NumberFormat(locale, style).format(Math.floor(seconds / size));
      },
      since: (time: string) => {
        const seconds = Math.max(0, Math.round((Date.now() - Date.parse(time)) / 1_000));
        const { unit, seconds: size } = unitOf(seconds);
        return relative.format(-Math.floor(seconds / size), unit);
      },
    };
  }, [language, calendar]);
}
