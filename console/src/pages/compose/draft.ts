// What somebody is about to send. It stays in the tab until it is sent, also over a reload.
import { useState } from "react";
import { useSession } from "../../api/session-context.ts";
import { useRoute } from "../../base/router.ts";
import type { Landlines } from "./numbers.ts";

/** A text to numbers, a text to phonebooks, or a pattern to numbers. */
export type Kind = "numbers" | "phonebooks" | "pattern";

/** When it is sent. */
export type When = {
  isLater: boolean;
  /** A day such as `2026-01-31` and a time such as `09:00`, in the person's time zone. */
  day: string;
  time: string;
};

export type Draft = {
  /** The idempotency keys of its messages begin with it. */
  id: string;
  /** The message of which no answer has come, as JSON: nobody knows whether it has gone. */
  unanswered: string;
  kind: Kind;
  numbers: string;
  landlines: Landlines;
  /** The ids of the phonebooks. */
  phonebooks: string[];
  /** Numbers that get nothing although they are in a phonebook. */
  exclude: string;
  /** The slug of the pattern, and what stands for its variables. */
  pattern: string;
  values: Record<string, string>;
  text: string;
  /** Empty: the account's default line. */
  line: string;
} & When;

const newDraft = (numbers = ""): Draft => ({
  id: crypto.randomUUID(),
  unanswered: "",
  kind: "numbers",
  numbers,
  // Who answers a landline has chosen it.
  landlines: numbers === "" ? "out" : "take",
  phonebooks: [],
  exclude: "",
  pattern: "",
  values: {},
  text: "",
  line: "",
  isLater: false,
  day: "",
  time: "",
});

function kept(name: string, to: string): Draft {
  try {
    return { ...newDraft(to), ...JSON.parse(sessionStorage.getItem(name) ?? "{}") };
  } catch {
    return newDraft(to);
  }
}

function keep(name: string, draft: Draft) {
  try {
    sessionStorage.setItem(name, JSON.stringify(draft));
  } catch {
    // The browser keeps nothing for this site: the draft lasts as long as the page.
  }
}

/**
 * The draft of an account. Who signs in with another one in the same tab does not see it. An answer to a number, which the address
 * names as `to`, is a draft of its own: it neither goes to the numbers of another draft nor takes their place.
 */
export function useDraft() {
  const { account, mode } = useSession();
  const to = useRoute().query.get("to") ?? "";
  const name = ["peyk-draft", account?.id, mode, to].filter(Boolean).join(" ");
  const [shown, setShown] = useState(() => ({ name, draft: kept(name, to) }));
  if (shown.name !== name) setShown({ name, draft: kept(name, to) });
  const change = (part: Partial<Draft>) =>
    setShown((before) => {
      const next = { ...before.draft, ...part };
      keep(before.name, next);
      return { ...before, draft: next };
    });
  return {
    draft: shown.draft,
    change,
    clear: () => change(newDraft(to)),
  };
}
