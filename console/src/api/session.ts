import { queryOptions } from "@tanstack/react-query";
import { currentSettings } from "../base/settings.ts";
import { isUnauthorized, problemOf } from "./problem.ts";
import type { components } from "./schema.d.ts";

export type Session = components["schemas"]["ConsoleSession"];

async function ask(method: string, query = "", headers: Record<string, string> = {}): Promise<Response> {
  const own = { "X-Peyk-Console": "1", "Accept-Language": currentSettings().language };
  const response = await fetch(`/console/session${query}`, { method, headers: { ...own, ...headers } });
  if (!response.ok) throw await problemOf(response);
  return response;
}

/** The session of this browser; `null` if there is none. */
async function currentSession(): Promise<Session | null> {
  try {
    return (await (await ask("GET")).json()).data;
  } catch (error) {
    if (isUnauthorized(error)) return null;
    throw error;
  }
}

export const sessionQuery = queryOptions({ queryKey: ["session"], queryFn: currentSession, staleTime: Infinity });

/** Begins a session. The key goes to the service, and the browser gets a cookie that no script can read. */
export const signIn = (key: string) => ask("POST", "", { Authorization: `Bearer ${key}` });

export const signOut = (everywhere: boolean) => ask("DELETE", everywhere ? "?everywhere=true" : "");
