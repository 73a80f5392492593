import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useRoute } from "../base/router.ts";
import { Loaded } from "./Loaded.tsx";
import { Pager } from "./Pager.tsx";

type Props<Row> = {
  query: UseQueryResult<{ data: Row[]; meta: { nextCursor: string | null } }>;
  /** What stands in the place of a list that has nothing. */
  empty: ReactNode;
  /** Whether `empty` speaks of the whole list: then a later page that has become empty is shown as it is. */
  isEmptyWhole?: boolean;
  children: (rows: Row[]) => ReactNode;
};

/** A page of a list, with the way to the next one. */
export function Listing<Row>({ query: list, empty, isEmptyWhole = false, children }: Props<Row>) {
  const { query } = useRoute();
  return (
    <Loaded query={list}>
      {({ data, meta }) =>
        data.length === 0 && !(isEmptyWhole && query.has("cursor")) ? (
          empty
        ) : (
          <section className="card" aria-busy={list.isPlaceholderData}>
            {children(data)}
            <Pager nextCursor={meta.nextCursor} />
          </section>
        )
      }
    </Loaded>
  );
}
