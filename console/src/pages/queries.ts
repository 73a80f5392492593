// What several files of the customers' pages ask for, beside what the first view asks for.
import { dataQuery } from "../api/queries.ts";

export const linesQuery = dataQuery(["lines"], "/lines", { query: { limit: 200 } }, { staleTime: 60_000 });

export const phonebookQuery = (id: string) => dataQuery(["phonebooks", "one"], "/phonebook/{id}", { path: { id } });

/** One pattern: in lists, a long text is cut. */
export const patternQuery = (slug: string) => dataQuery(["patterns", "one"], "/pattern/{slug}", { path: { slug } });

export const signInRuleQuery = dataQuery(["members", "rule"], "/members/sign-in");
