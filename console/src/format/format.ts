// Numbers, money, times and phone numbers as the person reads them.
import { useMemo } from "react";
import { type Calendar, type Language, useSettings } from "../base/settings.ts";

/** How Persian names a currency. English has its code: most fonts draw the sign of the rial as the Persian word. */
const persianCurrencies: Record<string, string> = { IRR: "ریال" };
const iranianMobile = /^\+98(9\d\d)(\d{3})(\d{4})$/;
const day = 86_400_000;

/** The name of a language with a calendar, for `Intl` and for React Aria. */
export function localeOf(language: Language, calendar: Calendar): string {
  const base = language === "fa" ? "fa-IR-u-nu-arabext" : "en-GB-u-nu-latn";
  return base.replace("-u-", `-u-ca-${calendar}-`);
}

export function makeFormat(language: Language, calendar: Calendar) {
  const locale = localeOf(language, calendar);
  const numbers = new Intl.NumberFormat(locale);
  const signed = new Intl.NumberFormat(locale, { signDisplay: "exceptZero" });
  const compact = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
  const decimals = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const percents = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const times = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options);
  const moments = times({ year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
  const stamps = new Intl.DateTimeFormat(`en-u-ca-${calendar}-nu-latn`, {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const days = times({ year: "numeric", month: "long", day: "numeric", timeZone: "UTC" });
  const shortDays = times({ month: "short", day: "numeric", timeZone: "UTC" });
  const monthNames = times({ month: "long" });
  const years = {
    format: (date: Date) =>
      times({ year: "numeric" })
        .formatToParts(date)
        .find(({ type }) => type === "year")?.value,
  };
  const clocks = times({ hour: "2-digit", minute: "2-digit" });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const digits = (text: string) =>
    language === "fa" ? text.replace(/\d/g, (digit) => numbers.format(Number(digit))) : text;
  return {
    number: (value: number) => numbers.format(value),
    decimal: (value: number) => decimals.format(value),
    compact: (value: number) => compact.format(value),
    percent: (value: number) => percents.format(value),
    money: (amount: number, unit: string) =>
      language === "fa"
        ? `${numbers.format(amount)} ${persianCurrencies[unit] ?? unit}`
        : `${unit} ${numbers.format(amount)}`,
    /** What is added or taken away. The sign stays on the left of its number, as Persian has it too. */
    change: (amount: number, unit: string) =>
      language === "fa"
        ? `\u2066${signed.format(amount)}\u2069 ${persianCurrencies[unit] ?? unit}`
        : signed.format(amount).replace(/^[+-]?/, `$&${unit} `),
    /** The currency of an amount that somebody types. */
    unit: (unit: string) => (language === "fa" ? (persianCurrencies[unit] ?? unit) : unit),
    /** A moment, in the person's time zone. */
    moment: (time: string) => moments.format(new Date(time)),
    /** The time of the day of a moment, in the person's time zone. */
    clock: (time: string) => clocks.format(new Date(time)),
    /** A moment such as `1405-09-08 18:05`, by which a spreadsheet can sort. */
    stamp: (time: string) => {
      const parts = Object.fromEntries(stamps.formatToParts(new Date(time)).map(({ type, value }) => [type, value]));
      return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}`;
    },
    /** A day of UTC, such as `2026-01-31`. */
    day: (date: string) => days.format(new Date(date)),
    /** A month with its year. In Persian, browsers would put the year first. */
    month: (date: Date) => [monthNames, years].map((part) => part.format(date)).join(" "),
    shortDay: (date: string) => shortDays.format(new Date(date)),
    /** How many days ago, for what is known to the hour only. */
    ago: (time: string) => relative.format(Math.ceil((Date.parse(time) - Date.now()) / day), "day"),
    /** A number in E.164 in groups, an Iranian mobile as people write it there. */
    phone: (number: string) =>
      digits(
        language === "fa" ? number.replace(iranianMobile, "0$1 $2 $3") : number.replace(iranianMobile, "+98 $1 $2 $3"),
      ),
    /** The first digits of numbers, such as `98912`, as people write them in their country. */
    prefix: (first: string) => digits(language === "fa" ? first.replace(/^98/, "0") : first.replace(/^98/, "+98 ")),
    digits,
  };
}

export type Format = ReturnType<typeof makeFormat>;

export function useFormat(): Format {
  const { language, calendar } = useSettings();
  return useMemo(() => makeFormat(language, calendar), [language, calendar]);
}
