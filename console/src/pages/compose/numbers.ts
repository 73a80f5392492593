// Phone numbers in what somebody has pasted. The service decides what a number is; this finds what to mend before it is asked.

export type Entry = {
  text: string;
  from: number;
  to: number;
  /** In E.164; `null` if it is no phone number. */
  number: string | null;
};

/** What stands between numbers, but not within one. */
const separators = /[^\n\r\t,;|،؛]+/g;
const words = /\S+/g;
/** What the service passes over within a number. */
const passedOver = /[\s\-.()\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const invisible = /[\s\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const forms: { form: RegExp; prefix: string }[] = [
  { form: /^(?:\+|00)(98\d{10})$/, prefix: "+" },
  { form: /^(?:\+|00)((?!98)\d{8,15})$/, prefix: "+" },
  { form: /^(98\d{10})$/, prefix: "+" },
  { form: /^0?(9\d{9})$/, prefix: "+98" },
  { form: /^0([1-8]\d{9})$/, prefix: "+98" },
];

/** Persian and Arabic digits as Latin ones. */
const latin = (text: string) =>
  text.replace(/[\u06f0-\u06f9\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) & 0xf));

/** How a spreadsheet marks a number as a text: `'0912…`, `="0912…"`. */
const asText = /^'|^="(.*)"$/;
/** A whole number that a spreadsheet has written as a decimal. */
const decimal = /^([^.]+)\.(\d{1,2})$/;

/** The number in E.164 that somebody means; `null` if it is none. A decimal that is not whole is none. */
export function numberOf(text: string): string | null {
  const bare = latin(text).trim().replace(asText, "$1").replaceAll("٫", ".");
  const [, whole, decimals] = decimal.exec(bare.replace(invisible, "")) ?? [];
  if (Number(decimals) > 0) return null;
  const plain = (whole ?? bare).replace(passedOver, "");
  for (const { form, prefix } of forms) {
    const match = form.exec(plain);
    if (match) return `${prefix}${match[1]}`;
  }
  return null;
}

/** Each number once. */
export const distinct = (entries: Entry[]): string[] => [...new Set(entries.flatMap(({ number }) => number ?? []))];

/** A landline of Iran. Most of them take no messages. */
export const isLandline = (number: string) => /^\+98[1-8]/.test(number);

export const isIranianMobile = (number: string) => number.startsWith("+989");

/** What is done with landlines: left out, or taken as other numbers are. */
export type Landlines = "out" | "take";

export const taken = (numbers: string[], landlines: Landlines) =>
  landlines === "take" ? numbers : numbers.filter((number) => !isLandline(number));

/** Such as `9.12E+09`: a spreadsheet has written a number so, and the digits behind the first ones are gone. */
const scientific = /^\+?\d(?:[.,٫]\d+)?e\+?\d{1,2}$/i;

export const isScientific = (text: string) =>
  scientific.test(latin(text).trim().replace(asText, "$1").replace(invisible, ""));

/** A blank may stand between two numbers or within one: what is no number as a whole is read word by word. */
export function entriesOf(text: string): Entry[] {
  return [...text.matchAll(separators)].flatMap(({ 0: part, index }) => {
    const whole = entry(part, index);
    if (whole.text === "") return [];
    if (whole.number !== null) return [whole];
    const found = [...part.matchAll(words)].map((word) => entry(word[0], index + word.index));
    return found.some(({ number }) => number !== null) ? found : [whole];
  });
}

function entry(part: string, index: number): Entry {
  const text = part.trim();
  const from = index + part.indexOf(text);
  return { text, from, to: from + text.length, number: numberOf(text) };
}

/** The text with something else in the place of an entry. Without anything, its line goes too if it had nothing more. */
export function replaced(text: string, { from, to }: Entry, by: string): string {
  const after = by === "" ? text.slice(to).replace(/^[ \t,;|،؛]*\n?/, "") : text.slice(to);
  return text.slice(0, from) + by + after;
}

export const without = (text: string, entries: Entry[]): string =>
  entries.toReversed().reduce((left, item) => replaced(left, item, ""), text);
