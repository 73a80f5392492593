import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type Session, sessionQuery, signInByLink } from "../../api/session.ts";
import { goTo, useRoute } from "../../base/router.ts";
import { faultAt } from "../../parts/faults.ts";
import { queryClient } from "../query-client.ts";

/** What a link has in its address: that of an invitation has another name, because the person has to accept it. */
const names = { link: "code", invitation: "invitation" } as const;
type Kind = keyof typeof names;
const kinds = Object.keys(names) as Kind[];

/**
 * The link by which the page was opened, if it was by one. Its code leaves the address at once, so that nobody finds it in the history
 * of the browser. Without a session it opens its own at once. A session that the browser has gives way only if the person wants it:
 * until then the link is not used. An invitation always waits for the person.
 */
export function useLink(session: Session | null | undefined) {
  const { path, query } = useRoute();
  const kind = path === "/sign-in" ? kinds.find((kind) => query.has(names[kind])) : undefined;
  const inAddress = kind === undefined ? null : query.get(names[kind]);
  const [opened, setOpened] = useState<{ code: string; kind: Kind } | null>(null);
  const enter = useMutation({
    mutationFn: signInByLink,
    onSuccess: () => {
      setOpened(null);
      return queryClient.resetQueries({ queryKey: sessionQuery.queryKey });
    },
    onError: (error) => isGone(error) && !session && setOpened(null),
    gcTime: 0,
    meta: { isLink: true },
  });
  const { mutate, reset } = enter;
  useEffect(() => {
    if (inAddress === null || kind === undefined) return;
    history.replaceState(null, "", location.pathname);
    goTo("/");
    reset();
    setOpened({ code: inAddress, kind });
  }, [inAddress, kind, reset]);
  const isInvitation = opened?.kind === "invitation";
  useEffect(() => {
    if (opened !== null && !isInvitation && session === null) mutate(opened.code);
  }, [opened, isInvitation, session, mutate]);
  const asks = opened !== null && (Boolean(session) || isInvitation);
  return {
    /** It waits for the answer of the person, who has a session or is invited. */
    asks,
    isInvitation,
    isPending: enter.isPending || inAddress !== null || (opened !== null && !asks && enter.error === null),
    error: enter.error,
    /** It was used, or its time is over. After any other error it may still be good. */
    isGone: isGone(enter.error),
    follow: () => opened !== null && mutate(opened.code),
    leave: () => {
      reset();
      setOpened(null);
    },
  };
}

const isGone = (error: Error | null) => faultAt(error, "/code") !== undefined;

export type Link = ReturnType<typeof useLink>;
