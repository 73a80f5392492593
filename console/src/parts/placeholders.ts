// What a text has filled in: a name between two %, as the service reads it (`crates/sms/src/template.rs`). A name begins with a letter of any
// script or a `_`. So "50%" is text, and so is "from 5% to 10%".

const name = "[\\p{Alphabetic}_][\\p{Alphabetic}\\p{N}_\\-\\u200c]{0,49}";
const placeholder = new RegExp(`%(${name})%`, "gu");
/** A few words between two %, which somebody may have meant as a name. */
const words = /%(\p{Alphabetic}[\p{Alphabetic}\p{N}\u200c]*(?: [\p{Alphabetic}\p{N}\u200c]+){1,3})%/gu;

const distinct = (found: Iterable<RegExpMatchArray>): string[] => [
  ...new Set([...found].map(([, inner = ""]) => inner)),
];

/** The names of the placeholders in a text, each once, in their order. */
export const namesIn = (text: string): string[] => distinct(text.matchAll(placeholder));

/** The text with a value in the place of each placeholder. */
export const filledBy = (text: string, of: (name: string) => string): string =>
  text.replace(placeholder, (_, name: string) => of(name));

/** What stands between two % and has blanks in it. The service does not fill it in. */
export const wordsIn = (text: string): string[] => distinct(text.replace(placeholder, " ").matchAll(words));

/** The text with such words as a name. */
export const joined = (text: string, words: string): string =>
  text.replaceAll(`%${words}%`, `%${words.replaceAll(" ", "_")}%`);

/** A text of the service with the name of a number's owner as the person's language has it: the service writes `%name%` in each. */
export const withOwnName = (text: string, own: string): string => text.replaceAll("%name%", `%${own}%`);
