import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isRefusal, isUnauthorized } from "../api/problem.ts";
import { sessionQuery } from "../api/session.ts";

/** A session may end in the middle of anything. Then the sign-in comes before the page, and the page stays as it was. */
function noticeTheEnd(error: Error) {
  if (isUnauthorized(error)) queryClient.setQueryData(sessionQuery.queryKey, null);
}

/** A problem is an answer: only what got none, or what has failed in the service, is asked again. */
function askAgain(failures: number, error: Error) {
  return !isRefusal(error) && failures < 2;
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeTheEnd }),
  mutationCache: new MutationCache({
    // A refused link says nothing of the session.
    onError: (error, _variables, _result, { meta }) => !meta?.isLink && noticeTheEnd(error),
  }),
  defaultOptions: {
    queries: { retry: askAgain, staleTime: 10_000, networkMode: "always" },
    mutations: { networkMode: "always" },
  },
});
