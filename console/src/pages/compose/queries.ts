import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { textOf } from "../../api/base64url.ts";
import { answer, client, dataOf, type Schemas } from "../../api/client.ts";
import { dataQuery, read } from "../../api/queries.ts";

/** What a message would cost, and what of it may not have been meant so. */
export type Estimate = Schemas["Estimate"] & { warnings: string[] };
export type Line = Schemas["OwnLine"];
export type Pattern = Schemas["Pattern"];
export type Tariff = Schemas["Tariff"];

type Common = { sourceNumber: string; sendAt?: string; blacklisted?: "SKIP" };
type ToNumbers = Common & { message: string; recipients: string[] };
type ToPhonebooks = Common & { message: string; phonebooks: string[]; exclude?: string[] };
type OfPattern = Common & { pattern: string; variables: Record<string, string>; recipients: string[] };
/** A message, named as an estimate names it. */
export type Send = { send: ToNumbers } | { phonebook: ToPhonebooks } | { pattern: OfPattern };

/** How long nobody has typed before the service is asked, ms. */
const rest = 400;

/** Ends early when the query is no longer wanted: so only the last of several keystrokes asks the service. */
const pause = (signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, rest);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

export const tariffQuery = dataQuery(["account", "tariff"], "/plan/tariff", {}, { staleTime: 60_000 });

/** Reads a list to its end. */
async function allOf<Item>(page: (cursor: string | undefined) => Promise<{ data: Item[]; meta: Schemas["PageMeta"] }>) {
  const all: Item[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { data, meta } = await page(cursor);
    all.push(...data);
    cursor = meta.nextCursor;
  }
  return all;
}

const limit = 200;

/** All patterns. */
export const allPatternsQuery = queryOptions({
  queryKey: ["patterns", "all"],
  queryFn: ({ signal }) => allOf((cursor) => read("/pattern", { query: { limit, cursor } }, signal)),
});

/** All patterns that can be sent. */
export const patternsQuery = {
  ...allPatternsQuery,
  select: (patterns: Pattern[]) => patterns.filter((pattern) => activeOf(pattern)),
};

/** All phonebooks, to choose from. There are 1,000 at most. */
export const allPhonebooksQuery = queryOptions({
  queryKey: ["phonebooks", "all"],
  queryFn: ({ signal }) => allOf((cursor) => read("/phonebook", { query: { limit, cursor } }, signal)),
});

export const activeOf = ({ versions }: Pattern) => versions.find(({ status }) => status === "ACTIVE");

/** The attributes that the first numbers of a phonebook have: a text can name them. */
export const attributesQuery = (phonebookId: string) => ({
  ...dataQuery(
    ["phonebooks", "attributes"],
    "/phonebook/number/{phonebookId}",
    { path: { phonebookId }, query: { limit: 50 } },
    { staleTime: 60_000 },
  ),
  select: (numbers: Schemas["Number"][]) => [...new Set(numbers.flatMap(({ attributes }) => Object.keys(attributes)))],
});

export async function estimate(body: Send, signal?: AbortSignal): Promise<Estimate> {
  const { data, meta } = await answer(client.POST("/sms/estimate", { body, ...(signal && { signal }) }));
  return { ...data, warnings: meta.warnings ?? [] };
}

/** What messages cost, asked for while one types. */
export const estimatesQuery = (sends: Send[]) =>
  queryOptions({
    queryKey: ["estimate", sends],
    queryFn: async ({ signal }) => {
      await pause(signal);
      return Promise.all(sends.map((send) => estimate(send, signal)));
    },
    placeholderData: keepPreviousData,
    gcTime: 0,
  });

/**
 * The idempotency key of one of the messages of a draft. It is the same as long as the message is: so a second try sends nothing twice,
 * and another text goes under a key of its own.
 */
export async function keyOf(draftId: string, message: Send): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(message)));
  return `${draftId}-${textOf(digest)}`;
}

export function send(body: Send, idempotencyKey: string) {
  const params = { header: { "Idempotency-Key": idempotencyKey } };
  if ("send" in body) return dataOf(client.POST("/sms/send", { params, body: body.send }));
  if ("pattern" in body) return dataOf(client.POST("/sms/pattern", { params, body: body.pattern }));
  return dataOf(client.POST("/sms/phonebook/send", { params, body: body.phonebook }));
}
