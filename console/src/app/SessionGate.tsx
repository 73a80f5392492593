import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type Session, sessionQuery } from "../api/session.ts";
import { SessionContext } from "../api/session-context.ts";
import { Failure } from "../parts/Failure.tsx";
import { Loading } from "../parts/Loading.tsx";
import { queryClient } from "./query-client.ts";
import { Shell } from "./Shell.tsx";
import { SignIn } from "./SignIn.tsx";

const isOtherThan = (before: Session | null, now: Session | null | undefined) =>
  before !== null && Boolean(now) && (before.account?.id !== now?.account?.id || before.mode !== now?.mode);

/**
 * Shows the pages to who has a session, and the sign-in to everybody else. If a session ends in the middle, its page stays
 * behind the sign-in: what the person has typed is there when the same account comes back.
 */
export function SessionGate() {
  const { data: session, error, refetch } = useQuery(sessionQuery);
  const [shown, setShown] = useState<Session | null>(null);
  if (session && session !== shown) {
    // Nothing of one account is ever shown to another one.
    if (isOtherThan(shown, session))
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
    setShown(session);
  }
  useRefreshedAfterReturn(Boolean(session), shown !== null);
  if (error && session === undefined) return <Failure error={error} onAgain={() => void refetch()} />;
  if (session === undefined) return <Loading />;
  if (session?.role === "OPERATOR") return <SignIn isOperator />;
  return (
    <>
      {shown && (
        <div hidden={!session}>
          <SessionContext value={shown}>
            <Shell key={`${shown.account?.id} ${shown.mode}`} />
          </SessionContext>
        </div>
      )}
      {!session && <SignIn hasEnded={shown !== null} />}
    </>
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
