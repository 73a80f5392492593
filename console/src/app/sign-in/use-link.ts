import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type Session, sessionQuery, signInByLink } from "../../api/session.ts";
import { goTo, useRoute } from "../../base/router.ts";
import { faultAt } from "../../parts/faults.ts";
import { queryClient } from "../query-client.ts";

/**
 * The link by which the page was opened, if it was by one. Its code leaves the address at once, so that nobody finds it in the history
 * of the browser. Without a session it opens its own at once. A session that the browser has gives way only if the person wants it:
 * until then the link is not used.
 */
export function useLink(session: Session | null | undefined) {
  const { path, query } = useRoute();
  const inAddress = path === "/sign-in" ? query.get("code") : null;
  const [code, setCode] = useState<string | null>(null);
  const enter = useMutation({
    mutationFn: signInByLink,
    onSuccess: () => {
      setCode(null);
      return queryClient.resetQueries({ queryKey: sessionQuery.queryKey });
    },
    onError: (error) => isGone(error) && !session && setCode(null),
    gcTime: 0,
    meta: { isLink: true },
  });
  const { mutate, reset } = enter;
  useEffect(() => {
    if (inAddress === null) return;
    history.replaceState(null, "", location.pathname);
    goTo("/");
    reset();
    setCode(inAddress);
  }, [inAddress, reset]);
  useEffect(() => {
    if (code !== null && session === null) mutate(code);
  }, [code, session, mutate]);
  return {
    /** It waits for the answer of the person who has a session. */
    asks: code !== null && Boolean(session),
    isPending: enter.isPending || inAddress !== null || (code !== null && !session && enter.error === null),
    error: enter.error,
    /** It was used, or its time is over. After any other error it may still be good. */
    isGone: isGone(enter.error),
    follow: () => code !== null && mutate(code),
    leave: () => {
      reset();
      setCode(null);
    },
  };
}

const isGone = (error: Error | null) => faultAt(error, "/code") !== undefined;

export type Link = ReturnType<typeof useLink>;
