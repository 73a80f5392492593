import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../api/client.ts";

export type Estimate = Schemas["Estimate"];
export type Line = Schemas["OwnLine"];
export type Pattern = Schemas["Pattern"];
export type Tariff = Schemas["Tariff"];

type Common = { sourceNumber: string; sendAt?: string };
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

export const linesQuery = queryOptions({
  queryKey: ["lines"],
  queryFn: async ({ signal }) =>
    (await answer(client.GET("/lines", { params: { query: { limit: 200 } }, signal }))).data,
  staleTime: 60_000,
});

export const tariffQuery = queryOptions({
  queryKey: ["account", "tariff"],
  queryFn: async ({ signal }): Promise<Tariff> => (await answer(client.GET("/plan/tariff", { signal }))).data,
  staleTime: 60_000,
});

/** All patterns that can be sent. */
export const patternsQuery = queryOptions({
  queryKey: ["patterns", "all"],
  queryFn: async ({ signal }) => {
    const all: Pattern[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { limit: 200, ...(cursor && { cursor }) };
      const { data, meta } = await answer(client.GET("/pattern", { params: { query }, signal }));
      all.push(...data.filter((pattern) => activeOf(pattern)));
      cursor = meta.nextCursor;
    }
    return all;
  },
});

export const activeOf = ({ versions }: Pattern) => versions.find(({ status }) => status === "ACTIVE");

/** One pattern: in lists, a long text is cut. */
export const patternQuery = (slug: string) =>
  queryOptions({
    queryKey: ["patterns", "one", slug],
    queryFn: async ({ signal }) =>
      (await answer(client.GET("/pattern/{slug}", { params: { path: { slug } }, signal }))).data,
  });

/** The attributes that the first numbers of a phonebook have: a text can name them. */
export const attributesQuery = (phonebookId: string) =>
  queryOptions({
    queryKey: ["phonebooks", "attributes", phonebookId],
    queryFn: async ({ signal }) => {
      const params = { path: { phonebookId }, query: { limit: 50 } };
      const { data } = await answer(client.GET("/phonebook/number/{phonebookId}", { params, signal }));
      return [...new Set(data.flatMap(({ attributes }) => Object.keys(attributes)))];
    },
    staleTime: 60_000,
  });

export async function estimate(body: Send, signal?: AbortSignal): Promise<Estimate> {
  return (await answer(client.POST("/sms/estimate", { body, ...(signal && { signal }) }))).data;
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

export async function send(body: Send, idempotencyKey: string) {
  const params = { header: { "Idempotency-Key": idempotencyKey } };
  if ("send" in body) return (await answer(client.POST("/sms/send", { params, body: body.send }))).data;
  if ("pattern" in body) return (await answer(client.POST("/sms/pattern", { params, body: body.pattern }))).data;
  return (await answer(client.POST("/sms/phonebook/send", { params, body: body.phonebook }))).data;
}
