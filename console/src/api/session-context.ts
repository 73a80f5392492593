import { createContext, useContext } from "react";
import type { Session } from "./session.ts";

export const SessionContext = createContext<Session | null>(null);

/** The session of the person who sees the page. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("a page is shown without a session");
  return session;
}

export type Scope = Session["scopes"][number];

/** An operator's key may have all scopes of operators at once. */
export function useMay(scope: Scope): boolean {
  const { scopes } = useSession();
  return scopes.includes(scope) || (scope.startsWith("admin:") && scopes.includes("admin"));
}
