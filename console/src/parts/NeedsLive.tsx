import type { ReactNode } from "react";
import { useSession } from "../api/session-context.ts";
import { useMessages } from "../base/messages.ts";

/** Shows what has numbers of people only to who has signed in with a live key, and says so to others. */
export function NeedsLive({ children }: { children: ReactNode }) {
  const t = useMessages();
  return useSession().mode === "live" ? children : <p className="state">{t.state.needsLive}</p>;
}
