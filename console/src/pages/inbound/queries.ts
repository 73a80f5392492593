import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../api/client.ts";
import { timesOf } from "../../parts/days.ts";

export type Inbound = Schemas["InboundMessage"];
export type Sent = Schemas["Message"];
export type Filters = { line: string; since: string };

/** How often new messages are looked for, ms. */
const often = 20_000;
/** How many messages are read at once. */
const limit = 100;

type Page<Item> = { data: Item[]; meta: { nextCursor: string | null } };
const next = <Item>({ meta }: Page<Item>) => meta.nextCursor ?? undefined;
const first = undefined as string | undefined;

export const inboundQuery = ({ line, since }: Filters) =>
  infiniteQueryOptions({
    queryKey: ["inbound", "list", { line, since }],
    queryFn: ({ pageParam, signal }) => {
      const { from } = timesOf(since, "");
      const query = {
        limit,
        ...(line && { line }),
        ...(from && { since: from }),
        ...(pageParam && { cursor: pageParam }),
      };
      return answer(client.GET("/inbound", { params: { query }, signal }));
    },
    initialPageParam: first,
    getNextPageParam: next,
    refetchInterval: often,
  });

/** What has come from one sender, the newest first. */
export const receivedQuery = (from: string) =>
  infiniteQueryOptions({
    queryKey: ["inbound", "from", from],
    queryFn: ({ pageParam, signal }) => {
      const query = { from, limit, ...(pageParam && { cursor: pageParam }) };
      return answer(client.GET("/inbound", { params: { query }, signal }));
    },
    initialPageParam: first,
    getNextPageParam: next,
    refetchInterval: often,
  });

/** What was sent to a number, the newest first. */
export const sentQuery = (recipient: string) =>
  infiniteQueryOptions({
    queryKey: ["messages", "to", recipient],
    queryFn: ({ pageParam, signal }) => {
      const query = { recipient, limit, ...(pageParam && { cursor: pageParam }) };
      return answer(client.GET("/messages", { params: { query }, signal }));
    },
    initialPageParam: first,
    getNextPageParam: next,
    refetchInterval: often,
  });

export const isBlockedQuery = (number: string) =>
  queryOptions({
    queryKey: ["blacklist", "has", number],
    queryFn: async ({ signal }) =>
      (await answer(client.GET("/blacklist", { params: { query: { number } }, signal }))).data.length > 0,
  });
