import { type QueryKey, type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type Body, pageQuery, type Rest, type Route } from "../api/queries.ts";
import { useRoute } from "../base/router.ts";
import { Loaded } from "./Loaded.tsx";
import { Pager } from "./Pager.tsx";

type Props<Row> = {
  query: UseQueryResult<{ data: Row[]; meta: { nextCursor: string | null } }>;
  /** What stands in the place of a list that has nothing. */
  empty: ReactNode;
  /** Whether `empty` speaks of the whole list: then a later page that has become empty is shown as it is. */
  isEmptyWhole?: boolean;
  /** Whether it stands in a card already. */
  isPart?: boolean;
  children: (rows: Row[]) => ReactNode;
};

/** The page of a list that the cursor in the address names. */
export function usePage<Path extends Route>(name: QueryKey, path: Path, ...rest: Rest<Path, Body<Path>>) {
  const cursor = useRoute().query.get("cursor");
  const [params = {}, options] = rest as [{ query?: object }?, object?];
  const asked = { ...params, query: { ...params.query, cursor } };
  return useQuery(pageQuery(name, path, ...([asked, options] as unknown as Rest<Path, Body<Path>>)));
}

/** A page of a list, with the way to the next one. */
export function Listing<Row>({ query: list, empty, isEmptyWhole = false, isPart, children }: Props<Row>) {
  const { query } = useRoute();
  return (
    <Loaded query={list}>
      {({ data, meta }) =>
        data.length === 0 && !(isEmptyWhole && query.has("cursor")) ? (
          empty
        ) : (
          <div className={isPart ? "stack" : "card"} aria-busy={list.isPlaceholderData}>
            {children(data)}
            <Pager nextCursor={meta.nextCursor} />
          </div>
        )
      }
    </Loaded>
  );
}
