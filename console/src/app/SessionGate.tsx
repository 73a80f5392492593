import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState } from "react";
import { isChosen, type Session, sessionQuery } from "../api/session.ts";
import { SessionContext } from "../api/session-context.ts";
import { useMessages } from "../base/messages.ts";
import { ErrorBoundary } from "../parts/ErrorBoundary.tsx";
import { Failure } from "../parts/Failure.tsx";
import { Loading } from "../parts/Loading.tsx";
import { Navigation } from "./Navigation.tsx";
import { pageOf } from "./pages.ts";
import { queryClient } from "./query-client.ts";
import { Shell } from "./Shell.tsx";
import { AccountChoice } from "./sign-in/AccountChoice.tsx";
import { LinkFailure } from "./sign-in/LinkFailure.tsx";
import { LinkQuestion } from "./sign-in/LinkQuestion.tsx";
import { SignIn } from "./sign-in/SignIn.tsx";
import { useLink } from "./sign-in/use-link.ts";

const OperatorShell = lazy(() => import("./OperatorShell.tsx"));

/** Who sees the pages. Operators have no account; each of them has a key of their own, which its title names. */
const personOf = ({ role, account, member, title, mode }: Session) =>
  `${role} ${account?.id ?? title} ${member?.phone ?? ""} ${mode}`;

/**
 * Shows the pages to who has a session, and the sign-in to everybody else. If a session ends in the middle, its page stays
 * behind the sign-in: what the person has typed is there when the same account comes back.
 */
export function SessionGate() {
  const t = useMessages();
  const { data: session, error, refetch } = useQuery(sessionQuery);
  const link = useLink(session);
  const [hasChosen, setHasChosen] = useState(false);
  const [shown, setShown] = useState<Session | null>(null);
  if (session && session !== shown) {
    // Nothing of one account is ever shown to another one.
    if (shown && personOf(shown) !== personOf(session))
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
    setShown(session);
  }
  useRefreshedAfterReturn(Boolean(session), shown !== null);
  if (error && session === undefined) return <Failure error={error} onAgain={() => void refetch()} />;
  if (session === undefined || (link.isPending && !link.asks)) return <Loading />;
  const asksWhere = session !== null && !link.asks && !hasChosen && !isChosen(session);
  return (
    <>
      {shown && (
        <div hidden={!session || link.asks || asksWhere}>
          <SessionContext value={shown}>
            <Pages key={personOf(shown)} of={shown} />
          </SessionContext>
        </div>
      )}
      {link.asks && <LinkQuestion link={link} session={session} />}
      {asksWhere && <AccountChoice session={session} onChosen={() => setHasChosen(true)} />}
      {!session &&
        !link.asks &&
        (link.error && !link.isGone ? (
          <LinkFailure link={link} error={link.error} />
        ) : (
          <SignIn note={link.error ? t.signIn.linkRefused : shown ? t.signIn.ended : undefined} />
        ))}
    </>
  );
}

function Pages({ of: { role, account, title } }: { of: Session }) {
  if (role === "CUSTOMER") return <Shell pageOf={pageOf} Navigation={Navigation} who={account?.fullName ?? ""} />;
  return (
    <ErrorBoundary>
      <Suspense fallback={<Loading />}>
        <OperatorShell who={title} />
      </Suspense>
    </ErrorBoundary>
  );
}

/** What failed because the session had ended is asked again. */
function useRefreshedAfterReturn(isSignedIn: boolean, wasShown: boolean) {
  const [wasOut, setWasOut] = useState(false);
  useEffect(() => {
    if (!isSignedIn) setWasOut(wasShown);
    else if (wasOut) {
      setWasOut(false);
      document.getElementById("content")?.focus();
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
    }
  }, [isSignedIn, wasShown, wasOut]);
}
