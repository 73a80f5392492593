import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { sessionQuery, signInByLink } from "../../api/session.ts";
import { goTo, useRoute } from "../../base/router.ts";
import { queryClient } from "../query-client.ts";

/**
 * Opens the session of a link, if the page was opened by one. The code leaves the address at once, so that nobody finds it in the
 * history of the browser. A session that the browser has gives way.
 */
export function useLink() {
  const { path, query } = useRoute();
  const code = path === "/sign-in" ? query.get("code") : null;
  const enter = useMutation({
    mutationFn: signInByLink,
    onSettled: () => queryClient.resetQueries({ queryKey: sessionQuery.queryKey }),
    gcTime: 0,
  });
  const { mutate } = enter;
  useEffect(() => {
    if (code === null) return;
    history.replaceState(null, "", location.pathname);
    goTo("/");
    mutate(code);
  }, [code, mutate]);
  return { isPending: enter.isPending || code !== null, isRefused: enter.isError };
}
