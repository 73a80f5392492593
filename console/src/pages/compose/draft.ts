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

/** Whom the address names: a number as `to`, or a phonebook as `book`. */
type Named = { to: string; book: string };

const newDraft = ({ to, book }: Named): Draft => ({
  id: crypto.randomUUID(),
  unanswered: "",
  kind: book === "" ? "numbers" : "phonebooks",
  numbers: to,
  // Who answers a landline has chosen it.
  landlines: to === "" ? "out" : "take",
  phonebooks: book === "" ? [] : [book],
  exclude: "",
  pattern: "",
  values: {},
  text: "",
  line: "",
  isLater: false,
  day: "",
  time: "",
});

function kept(name: string, named: Named): Draft {
  try {
    return { ...newDraft(named), ...JSON.parse(sessionStorage.getItem(name) ?? "{}") };
  } catch {
    return newDraft(named);
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
 * The draft of an account. Who signs in with another one in the same tab does not see it. A message to whom the address
 * names is a draft of its own: it neither goes to the recipients of another draft nor takes their place.
 */
export function useDraft() {
  const { account, mode } = useSession();
  const { query } = useRoute();
  const named = { to: query.get("to") ?? "", book: query.get("book") ?? "" };
  const name = ["peyk-draft", account?.id, mode, named.to, named.book].filter(Boolean).join(" ");
  const [shown, setShown] = useState(() => ({ name, draft: kept(name, named) }));
  if (shown.name !== name) setShown({ name, draft: kept(name, named) });
  const change = (part: Partial<Draft>) =>
    setShown((before) => {
      const next = { ...before.draft, ...part };
      keep(before.name, next);
      return { ...before, draft: next };
    });
  return {
    draft: shown.draft,
    change,
    clear: () => change(newDraft(named)),
  };
}
