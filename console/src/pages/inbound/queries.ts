import { infiniteQueryOptions, type QueryKey } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { read } from "../../api/queries.ts";
import { timesOf } from "../../parts/days.ts";
import type { Filters } from "./InboundFilters.tsx";

/** How often new messages are looked for, ms. */
const often = 20_000;
/** How many messages are read at once. */
const limit = 100;

type Page<Item> = { data: Item[]; meta: Schemas["PageMeta"] };

/** A list that is read on page by page, the newest first. */
const endless = <Item>(
  queryKey: QueryKey,
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
    refetchInterval: often,
  });

/** `since` is a day of this time zone. */
export const inboundQuery = ({ line, since }: Filters, timeZone: string) =>
  endless(["inbound", "list", { line, since, timeZone }], (cursor, signal) =>
    read("/inbound", { query: { limit, line, since: timesOf(since, "", timeZone).from, cursor } }, signal),
  );

/** What has come from one sender. */
export const receivedQuery = (from: string) =>
  endless(["inbound", "from", from], (cursor, signal) => read("/inbound", { query: { from, limit, cursor } }, signal));

/** What was sent to a number. */
export const sentQuery = (recipient: string) =>
  endless(["messages", "to", recipient], (cursor, signal) =>
    read("/messages", { query: { recipient, limit, cursor } }, signal),
  );
