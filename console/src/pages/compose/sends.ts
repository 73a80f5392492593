// The messages that a draft makes. They leave out who is on the blacklist. Phonebooks with more numbers than a message goes to make
// several, one after the other, each under an idempotency key of its own. When one is accepted, its phonebooks leave the draft: what has
// not gone is what the draft still has.
import type { Schemas } from "../../api/client.ts";
import { filledBy } from "../../parts/placeholders.ts";
import { mostRecipients } from "../phonebooks/limits.ts";
import type { Draft, When } from "./draft.ts";
import type { Send } from "./queries.ts";

type Phonebook = Schemas["Phonebook"];

/** How many phonebooks one message takes. */
const mostBooks = 20;

/**
 * Phonebooks that one message goes to together. One message goes to a number of recipients at most, so there may be several groups.
 * Within one, a number that is in several phonebooks gets one message.
 */
export function groupsOf(books: Phonebook[]): Phonebook[][] {
  const groups: { books: Phonebook[]; count: number }[] = [];
  for (const book of books) {
    const last = groups.at(-1);
    if (last && last.count + book.count <= mostRecipients && last.books.length < mostBooks) {
      last.books.push(book);
      last.count += book.count;
    } else {
      groups.push({ books: [book], count: book.count });
    }
  }
  return groups.map(({ books }) => books);
}

/** The text of a pattern with its values. What has no value yet stays as the placeholder. */
export const filled = (text: string, values: Record<string, string>): string =>
  filledBy(text, (name) => values[name] || `%${name}%`);

export const sendAtOf = ({ isLater, day, time }: When): string | undefined => {
  const at = isLater ? new Date(`${day}T${time}`) : null;
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined;
};

export type Recipients = { numbers: string[]; groups: Phonebook[][]; exclude: string[] };

/** The messages: one, or one for each group of phonebooks. */
export function sendsOf(draft: Draft, { numbers, groups, exclude }: Recipients): Send[] {
  const sendAt = sendAtOf(draft);
  const common = { sourceNumber: draft.line, blacklisted: "SKIP" as const, ...(sendAt && { sendAt }) };
  if (draft.kind === "numbers") return [{ send: { message: draft.text, recipients: numbers, ...common } }];
  if (draft.kind === "pattern")
    return [{ pattern: { pattern: draft.pattern, variables: draft.values, recipients: numbers, ...common } }];
  return groups.map((books) => ({
    phonebook: {
      message: draft.text,
      phonebooks: books.map(({ id }) => id),
      ...(exclude.length > 0 && { exclude }),
      ...common,
    },
  }));
}
