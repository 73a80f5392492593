import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { goTo } from "./router.ts";

/**
 * Leaves the page of what was deleted, for the page of its `kind`, and forgets it. Nothing is asked for here: the page that is left
 * still shows what was deleted, and asking for a part of it would be answered with a 404. The next page asks, because all is old.
 */
export function leaveDeleted(queryClient: QueryClient, kind: string, one: QueryKey) {
  goTo(`/${kind}`);
  queryClient.removeQueries({ queryKey: one });
  void queryClient.invalidateQueries({ queryKey: [kind], refetchType: "none" });
}
