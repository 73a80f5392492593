// What a draft comes to: whom it goes to, with which text, and what it lacks.
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo } from "react";
import type { Schemas } from "../../api/client.ts";
import { useMay } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { patternQuery } from "../queries.ts";
import type { Draft } from "./draft.ts";
import { type Entry, entriesOf } from "./numbers.ts";
import { lacksValues } from "./PatternFields.tsx";
import { activeOf, allPhonebooksQuery } from "./queries.ts";
import { filled, groupsOf, sendAtOf, sendsOf } from "./sends.ts";

/** How many numbers one message goes to that are not in phonebooks. */
const mostNumbers = 1_000;
const none: Schemas["Phonebook"][] = [];

export type Faults = Partial<Record<"numbers" | "phonebooks" | "exclude" | "pattern" | "text" | "when", string>>;

function useNumbers(text: string) {
  const written = useDeferredValue(text);
  return useMemo(() => {
    const entries = entriesOf(written);
    return { entries, numbers: [...new Set(entries.flatMap(({ number }) => number ?? []))] };
  }, [written]);
}

const hasBad = (entries: Entry[]) => entries.some(({ number }) => number === null);

export function useComposition(draft: Draft) {
  const t = useMessages();
  const isToBooks = draft.kind === "phonebooks";
  const { entries, numbers } = useNumbers(draft.numbers);
  const excluded = useNumbers(draft.exclude);
  const { data: all } = useQuery({ ...allPhonebooksQuery, enabled: useMay("phonebook") && isToBooks });
  const books = useMemo(
    () => draft.phonebooks.flatMap((id) => all?.find((book) => book.id === id) ?? []),
    [draft, all],
  );
  const groups = useMemo(() => groupsOf(isToBooks ? books : none), [isToBooks, books]);
  const usesPattern = draft.kind === "pattern" && draft.pattern !== "";
  const { data: pattern } = useQuery({ ...patternQuery(draft.pattern), enabled: useMay("pattern") && usesPattern });
  const version = usesPattern && pattern ? activeOf(pattern) : undefined;
  const text = draft.kind === "pattern" ? (version ? filled(version.text, draft.values) : "") : draft.text;
  const sendAt = sendAtOf(draft);

  function faultOfNumbers(): string | undefined {
    if (isToBooks) return undefined;
    if (numbers.length > mostNumbers) return t.compose.tooMany;
    if (hasBad(entries)) return t.compose.mendFirst;
    return numbers.length === 0 ? t.compose.noNumbers : undefined;
  }
  function faultOfPattern(): string | undefined {
    if (draft.kind !== "pattern") return undefined;
    if (!version) return t.compose.noPattern;
    return lacksValues(version, draft.values) ? t.compose.noValues : undefined;
  }
  const isOver = sendAt !== undefined && Date.parse(sendAt) <= Date.now();
  const faults: Faults = {
    numbers: faultOfNumbers(),
    phonebooks: isToBooks && groups.length === 0 ? t.compose.noPhonebook : undefined,
    exclude: isToBooks && hasBad(excluded.entries) ? t.compose.mendFirst : undefined,
    pattern: faultOfPattern(),
    text: draft.kind !== "pattern" && draft.text.trim() === "" ? t.compose.noText : undefined,
    when: draft.isLater && (sendAt === undefined || isOver) ? t.compose.noTime : undefined,
  };
  return {
    entries,
    numbers,
    excluded,
    groups,
    pattern,
    version,
    text,
    sendAt,
    faults,
    sends: sendsOf(draft, { numbers, groups, exclude: excluded.numbers }),
    /** Whether it is not there yet what the phonebooks or the pattern of the draft have. */
    isLoading: (isToBooks && !all) || (usesPattern && !pattern),
    isTooMany: numbers.length > mostNumbers,
    isWhole: Object.values(faults).every((fault) => fault === undefined),
    /** Enough to ask what it costs: what is no number yet does not count. */
    isPriceable:
      text.trim() !== "" &&
      !faults.phonebooks &&
      !faults.pattern &&
      !faults.when &&
      (isToBooks || (numbers.length > 0 && numbers.length <= mostNumbers)),
  };
}

export type Composition = ReturnType<typeof useComposition>;
