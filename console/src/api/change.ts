import { type QueryClient, type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { goTo } from "../base/router.ts";

export type ChangeOptions<Answer, Of = void> = {
  /** Sends the request. */
  ask: (of: Of) => Promise<Answer>;
  /** The names of the queries whose answers are old now. */
  stale?: QueryKey[] | undefined;
  /** The query that would bring the answer of the change: it has it at once. */
  replaces?: { queryKey: QueryKey } | undefined;
  /** The query of what is gone then. Its page is left for the list, which has the same name in the address as in the key. */
  deletes?: { queryKey: QueryKey } | undefined;
  /** The request or its answer has a secret: nothing of it stays in memory longer than it is shown. */
  isSecret?: boolean | undefined;
  /** What follows. The change goes on until that has ended. */
  onDone?: ((answer: Answer, of: Of) => unknown) | undefined;
};

/** The names of all queries. */
export const everything: QueryKey[] = [[]];

/**
 * Asks the API to change something. What the page shows of it is asked for again then. What is asked while it is under way is passed
 * over: the second click of a double click comes before the page shows that the first one counts.
 */
export function useChange<Answer, Of = void>({
  ask,
  stale = [],
  replaces,
  deletes,
  isSecret,
  onDone,
}: ChangeOptions<Answer, Of>) {
  const queryClient = useQueryClient();
  const mutationKey = [useId()];
  const change = useMutation({
    mutationKey,
    mutationFn: ask,
    onSuccess: (answer, of) => {
      if (replaces) queryClient.setQueryData(replaces.queryKey, answer);
      for (const queryKey of stale) void queryClient.invalidateQueries({ queryKey });
      if (deletes) leaveDeleted(queryClient, deletes.queryKey);
      return onDone?.(answer, of);
    },
    ...(isSecret && { gcTime: 0 }),
  });
  const mutate = (of: Of) => {
    if (queryClient.isMutating({ mutationKey }) === 0) change.mutate(of);
  };
  return { ...change, mutate };
}

/**
 * Leaves the page of what was deleted, and forgets it. Nothing is asked for here: the page that is left still shows what was
 * deleted, and asking for a part of it would be answered with a 404. The next page asks, because all is old.
 */
function leaveDeleted(queryClient: QueryClient, queryKey: QueryKey) {
  const [name] = queryKey;
  goTo(`/${name}`);
  queryClient.removeQueries({ queryKey });
  void queryClient.invalidateQueries({ queryKey: [name], refetchType: "none" });
}

/** What a form or a dialog shows of a change. */
export type Change = { isPending: boolean; error: Error | null };
