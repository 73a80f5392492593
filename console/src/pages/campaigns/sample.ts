// What the service is asked of a campaign before it counts it: what its text takes, and how people get it.
import type { Schemas } from "../../api/client.ts";
import type { Send } from "../compose/queries.ts";
import { groupsOf } from "../compose/sends.ts";
import { mostRecipients } from "../phonebooks/limits.ts";

type Phonebook = Schemas["Phonebook"];
type Text = { message: string; sourceNumber: string; phonebooks: string[] };

/**
 * The message to the phonebooks of a campaign, as far as one message can go to them, and whether it goes to all of them. None: each
 * phonebook has more people than a message goes to.
 */
export function sampleOf({ phonebooks, ...text }: Text, all: Phonebook[]): { sends: Send[]; isWhole: boolean } {
  const books = all.filter(({ id, count }) => phonebooks.includes(id) && count > 0);
  const [group = []] = groupsOf(books.filter(({ count }) => count <= mostRecipients));
  const ids = group.map(({ id }) => id);
  const sends: Send[] = ids.length > 0 ? [{ phonebook: { ...text, phonebooks: ids, blacklisted: "SKIP" } }] : [];
  return { sends, isWhole: ids.length === books.length };
}
