// The words of the service as the console says them: fields by their labels, numbers and money as the person reads them.
import type { Messages } from "../base/messages.ts";
import { withOwnName } from "./placeholders.ts";
import type { Told, Words } from "./said.ts";

/** What only programs speak of: routes, headers, statuses, standards, and members of requests such as `sourceNumber`. */
const technical =
  /\b(?:GET|POST|PUT|PATCH|DELETE) \/|\b[A-Z][\w]*-(?:[A-Z]\w*|\d)|(?<![%\p{L}_])[A-Z]{4,}(?:_[A-Z]+)*(?![%\p{L}])|\b[A-Z]+_[A-Z_]+|RFC \d|(?<!\S)[a-z]+[A-Z]\w*|["«][a-z]+[A-Z]\w*/u;
export const isTechnical = (text: string) => technical.test(text);

/** What stands between brackets for programs alone. */
const aside = / ?[(][^()]*[)]/g;
/** The ids of what stands against something, which people find by its title. */
const ids = /: (?:[0-9a-f]{8}-[0-9a-f-]{27}(?:[,،] )?)+/g;
/** A regular expression such as `[a-z0-9-]{2,32}`. */
const form = /\[([^\]]+)\]\{(\d+),(\d+)\}/;

/** A form that only programs read, in words. */
export function formOf(t: Messages, detail: string): string | undefined {
  const [, letters = "", from, to] = form.exec(detail) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const marks = `\u2066${[...letters.replace(/A-Z|a-z|0-9/g, "")].join(" ")}\u2069`;
  return letters.includes("A-Z") ? t.problems.form(marks, from, to) : t.problems.smallForm(marks, from, to);
}

const phones = /\+\d{5,15}/g;
const amounts = /(\d+) ([A-Z]{3})\b/g;

/** A text with numbers as the person reads them. A phone stands by itself, so that its plus does not move in Persian. */
export function plainOf({ format, reader }: Words, text: string): string {
  const ofPeople = (found: string) => (isTechnical(found) ? "" : found);
  const bare = reader.isOperator ? text : text.replace(aside, ofPeople).replace(ids, "");
  const written = bare
    .replaceAll("`", "")
    .replace(amounts, (_, amount: string, unit: string) => format.money(Number(amount), unit))
    .replace(phones, (phone) => `\u2066${format.phone(phone)}\u2069`);
  return format.digits(written);
}

/** The faults of values, each with the label of its field. */
export function faultsOf(words: Words, errors: Told["errors"]): string[] {
  const { t, reader } = words;
  return errors.map(({ pointer, detail }) => {
    const text = named(words, pointer, plainOf(words, detail));
    const isPlain = reader.isOperator || !isTechnical(text);
    return `${labelOf(words, pointer)}: ${formOf(t, detail) ?? (isPlain ? text : t.problems.unfit)}`;
  });
}

/** A text to phonebooks may name the owner of a number. A variable of a pattern has the name that its text gives it. */
const named = ({ t }: Words, pointer: string, text: string) =>
  pointer.endsWith("/message") ? withOwnName(text, t.compose.nameAttribute) : text;

/** A variable of a pattern has the name that its text gives it. */
function labelOf({ t, reader }: Words, pointer: string): string {
  const names = pointer.split("/").filter((name) => name !== "" && !/^\d+$/.test(name));
  const variable = names[names.indexOf("variables") + 1];
  if (names.includes("variables") && variable !== undefined) return `\u2068${variable}\u2069`;
  const labels = new Map(Object.entries<string>(t.fields));
  const known = names.toReversed().find((name) => labels.has(name));
  if (known !== undefined) return labels.get(known) ?? "";
  return reader.isOperator ? `\u2066${names.join(".")}\u2069` : t.problems.value;
}
