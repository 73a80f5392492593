// What somebody is about to send. It stays in the tab until it is sent, also over a reload.
import { useState } from "react";
import { useSession } from "../../api/session-context.ts";

export type Draft = {
  /** Under this idempotency key it is sent: a second try never sends twice. */
  id: string;
  numbers: string;
  text: string;
  /** Empty: the account's default line. */
  line: string;
};

const newDraft = (): Draft => ({ id: crypto.randomUUID(), numbers: "", text: "", line: "" });

function kept(name: string): Draft {
  try {
    return { ...newDraft(), ...JSON.parse(sessionStorage.getItem(name) ?? "{}") };
  } catch {
    return newDraft();
  }
}

function keep(name: string, draft: Draft) {
  try {
    sessionStorage.setItem(name, JSON.stringify(draft));
  } catch {
    // The browser keeps nothing for this site: the draft lasts as long as the page.
  }
}

/** The draft of an account. Who signs in with another one in the same tab does not see it. */
export function useDraft() {
  const { account, mode } = useSession();
  const name = `peyk-draft ${account?.id} ${mode}`;
  const [draft, setDraft] = useState(() => kept(name));
  const set = (next: Draft) => {
    keep(name, next);
    setDraft(next);
  };
  return { draft, change: (part: Partial<Draft>) => set({ ...draft, ...part }), clear: () => set(newDraft()) };
}
