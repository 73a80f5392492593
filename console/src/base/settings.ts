// What a person has chosen: kept in this browser, without any secret.
import { useSyncExternalStore } from "react";

const languages = ["en", "fa"] as const;
const calendars = ["persian", "gregory"] as const;
const themes = ["auto", "light", "dark"] as const;

export type Language = (typeof languages)[number];
export type Calendar = (typeof calendars)[number];
export type Theme = (typeof themes)[number];
export type Settings = {
  language: Language;
  calendar: Calendar;
  theme: Theme;
  /** The person's own phone, as it was written: tests of messages go there. */
  testNumber: string;
};

/** The documentation keeps the colors under this name, so one choice holds for both. */
const themeName = "peyk-theme";
const settingsName = "peyk-console";

const calendarOf = (language: Language): Calendar => (language === "fa" ? "persian" : "gregory");

/** The calendar that the person has chosen. Until there is one, the language brings its own. */
let chosenCalendar: Calendar | undefined;
let settings = stored();
const listeners = new Set<() => void>();

function isOneOf<Choice extends string>(choices: readonly Choice[], value: unknown): value is Choice {
  return choices.some((choice) => choice === value);
}

function stored(): Settings {
  const kept = fromStorage(settingsName);
  const theme = text(themeName);
  const language = isOneOf(languages, kept.language) ? kept.language : ofBrowser();
  chosenCalendar = isOneOf(calendars, kept.calendar) ? kept.calendar : undefined;
  const calendar = chosenCalendar ?? calendarOf(language);
  const testNumber = typeof kept.testNumber === "string" ? kept.testNumber : "";
  return { language, calendar, theme: isOneOf(themes, theme) ? theme : "auto", testNumber };
}

function ofBrowser(): Language {
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2));
  return wanted.find((tag) => isOneOf(languages, tag)) === "fa" ? "fa" : "en";
}

function fromStorage(name: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text(name) ?? "{}");
    return value !== null && typeof value === "object" ? { ...value } : {};
  } catch {
    return {};
  }
}

/** A browser may keep nothing for this site; then a choice holds until the page is left. */
function text(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function keep({ language, theme, testNumber }: Settings) {
  try {
    localStorage.setItem(settingsName, JSON.stringify({ language, calendar: chosenCalendar, testNumber }));
    localStorage.setItem(themeName, theme);
  } catch {
    // The choice holds until the page is left.
  }
}

export const currentSettings = () => settings;

export function changeSettings(change: Partial<Settings>) {
  chosenCalendar = change.calendar ?? chosenCalendar;
  const next = { ...settings, ...change };
  settings = { ...next, calendar: chosenCalendar ?? calendarOf(next.language) };
  keep(settings);
  show(settings);
  for (const listener of listeners) listener();
}

/** Tells the document in which language and colors it is. */
function show({ language, theme }: Settings) {
  const { documentElement } = document;
  documentElement.lang = language;
  documentElement.dir = language === "fa" ? "rtl" : "ltr";
  if (theme === "auto") delete documentElement.dataset.theme;
  else documentElement.dataset.theme = theme;
}

export const showSettings = () => show(settings);

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSettings = () => useSyncExternalStore(subscribe, currentSettings);
