// What a shop does on its first day. Who has sent on more than one day is asked nothing more: the steps are for beginners.
import type { Schemas } from "../../api/client.ts";
import type { Scope } from "../../api/session-context.ts";
import type { Usage } from "./usage.ts";

export type Step = "credit" | "people" | "message" | "program";

/** Where each step is done, and what it needs. */
export const places: Record<Step, { path: string; scope: Scope }> = {
  credit: { path: "/wallet", scope: "account:read" },
  people: { path: "/phonebooks", scope: "phonebook" },
  message: { path: "/compose", scope: "sms:send" },
  program: { path: "/keys", scope: "keys" },
};

/** The steps of who may do them. Who may not send has no first message to come to. */
export const stepsOf = (scopes: Scope[]): Step[] =>
  scopes.includes("sms:send")
    ? (Object.keys(places) as Step[]).filter((step) => scopes.includes(places[step].scope))
    : [];

/** Whether nothing was sent yet, or on one day only. */
export const isBeginning = ({ days }: Usage): boolean => days.filter(({ total }) => total > 0).length <= 1;

type Key = Pick<Schemas["OwnKey"], "id" | "current" | "sessionOf" | "revokedAt">;

/** Whether there is a key for a program: neither a session, nor the key by which this person has signed in. */
function hasProgram(keys: Key[]): boolean {
  const own = keys.find(({ current }) => current)?.sessionOf;
  return keys.some((key) => !key.current && !key.sessionOf && !key.revokedAt && key.id !== own);
}

type Known = {
  balance: number;
  usage: Usage;
  books: Pick<Schemas["Phonebook"], "count">[] | undefined;
  keys: Key[] | undefined;
  patterns: unknown[] | undefined;
};

/** What is done, by what the service tells. */
export const doneOf = ({ balance, usage, books = [], keys = [], patterns = [] }: Known): Record<Step, boolean> => ({
  credit: balance > 0,
  people: books.some(({ count }) => count > 0),
  message: usage.days.some(({ total }) => total > 0),
  program: patterns.length > 0 || hasProgram(keys),
});

const nameOf = (account: string) => `peyk-first-day ${account}`;

/** Whether the steps are done with in this browser. */
export function isOver(account: string): boolean {
  try {
    return localStorage.getItem(nameOf(account)) !== null;
  } catch {
    return false;
  }
}

export function endFor(account: string) {
  try {
    localStorage.setItem(nameOf(account), "over");
  } catch {
    // The browser keeps nothing for this site: the steps come again with the page.
  }
}
