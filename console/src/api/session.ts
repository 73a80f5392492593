import { queryOptions } from "@tanstack/react-query";
import { currentSettings } from "../base/settings.ts";
import { isUnauthorized, problemOf } from "./problem.ts";
import type { components } from "./schema.d.ts";

export type Session = components["schemas"]["ConsoleSession"];

export type AskedCode = components["schemas"]["SignIn"];

/** Where the account stands that a person of several was in last, so that the next sign-in leads there. */
const accountName = "peyk-account";

async function ask(path: string, init: RequestInit, headers: Record<string, string> = {}): Promise<Response> {
  const own = { "X-Peyk-Console": "1", "Accept-Language": currentSettings().language };
  const response = await fetch(`/console/${path}`, { ...init, headers: { ...own, ...headers } });
  if (!response.ok) throw await problemOf(response, init.method ?? "GET");
  return response;
}

const post = (path: string, body: unknown) =>
  ask(path, { method: "POST", body: JSON.stringify(body) }, { "Content-Type": "application/json" });

/** The session of this browser; `null` if there is none. */
async function currentSession(): Promise<Session | null> {
  try {
    return (await (await ask("session", { method: "GET" })).json()).data;
  } catch (error) {
    if (isUnauthorized(error)) return null;
    throw error;
  }
}

export const sessionQuery = queryOptions({ queryKey: ["session"], queryFn: currentSession, staleTime: Infinity });

/** Begins a session. The key goes to the service, and the browser gets a cookie that no script can read. */
export const signIn = (key: string) => ask("session", { method: "POST" }, { Authorization: `Bearer ${key}` });

/** Asks for a code to a phone. Nobody learns here whether the phone is a member. */
export const askForCode = async (phone: string): Promise<AskedCode> =>
  (await (await post("sign-in", { phone })).json()).data;

export const signInByCode = (phone: string, code: string) =>
  post("sign-in/check", { phone, code, account: kept(accountName) });

export const signInByLink = (code: string) => post("sign-in/link", { code });

/** Whether the person is where this browser leads, or has nowhere else to go. */
export const isChosen = ({ account, accounts }: Session) =>
  accounts.length < 2 || account === null || kept(accountName) === account.id;

/** Goes over to another account of the same phone. */
export async function switchTo(account: string) {
  await post("session/switch", { account });
  keepChoice(account);
}

/** Stays in the account of the session, or goes over to another one. */
export async function chooseAccount({ account }: Session, id: string) {
  if (account?.id === id) keepChoice(id);
  else await switchTo(id);
}

function keepChoice(account: string) {
  try {
    localStorage.setItem(accountName, account);
  } catch {
    // The person is asked again at the next sign-in.
  }
}

export const signOut = (everywhere: boolean) =>
  ask(everywhere ? "session?everywhere=true" : "session", { method: "DELETE" });

function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
