import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failure } from "./Failure.tsx";
import { Loading } from "./Loading.tsx";

/** What a query has brought; until then that it is loading, or why it has failed. */
export function Loaded<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <Failure error={query.error} onAgain={() => void query.refetch()} />;
  return <Loading />;
}
