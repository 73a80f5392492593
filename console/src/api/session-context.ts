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

export const useMay = (scope: Scope) => useSession().scopes.includes(scope);
