// What a draft comes to: whom it goes to, with which text, and what it lacks.
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo } from "react";
import type { Schemas } from "../../api/client.ts";
import { useMay } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { patternQuery } from "../queries.ts";
import type { Draft, When } from "./draft.ts";
import { distinct, type Entry, entriesOf, taken } from "./numbers.ts";
import { lacksValues } from "./PatternFields.tsx";
import { activeOf, allPhonebooksQuery } from "./queries.ts";
import { filled, groupsOf, sendAtOf, sendsOf } from "./sends.ts";

/** How many numbers one message goes to that are not in phonebooks. */
const mostNumbers = 1_000;
const none: Schemas["Phonebook"][] = [];

export type Faults = Partial<Record<"numbers" | "phonebooks" | "exclude" | "pattern" | "text" | "when", string>>;

export function useNumbers(text: string) {
  const written = useDeferredValue(text);
  return useMemo(() => {
    const entries = entriesOf(written);
    return { entries, numbers: distinct(entries) };
  }, [written]);
}

export const hasBad = (entries: Entry[]) => entries.some(({ number }) => number === null);

export const isTextMissing = ({ kind, text }: Pick<Draft, "kind" | "text">) => kind !== "pattern" && text.trim() === "";

/** Whether it is for later, and its time is none or is over. */
export function isTimeMissing(draft: When): boolean {
  const sendAt = sendAtOf(draft);
  return draft.isLater && (sendAt === undefined || Date.parse(sendAt) <= Date.now());
}

/** The pattern that a draft sends, the version of it that counts, and what it lacks. */
export function usePattern({ kind, pattern: slug, values }: Pick<Draft, "kind" | "pattern" | "values">) {
  const t = useMessages();
  const usesPattern = kind === "pattern" && slug !== "";
  const { data: pattern } = useQuery({ ...patternQuery(slug), enabled: useMay("pattern") && usesPattern });
  const version = usesPattern && pattern ? activeOf(pattern) : undefined;
  const faultOf = () => {
    if (kind !== "pattern") return undefined;
    if (!version) return t.compose.noPattern;
    return lacksValues(version, values) ? t.compose.noValues : undefined;
  };
  return { usesPattern, pattern, version, fault: faultOf() };
}

export function useComposition(draft: Draft) {
  const t = useMessages();
  const isToBooks = draft.kind === "phonebooks";
  const { entries, numbers: found } = useNumbers(draft.numbers);
  const numbers = useMemo(() => taken(found, draft.landlines), [found, draft.landlines]);
  const excluded = useNumbers(draft.exclude);
  const { data: all } = useQuery({ ...allPhonebooksQuery, enabled: useMay("phonebook") && isToBooks });
  const books = useMemo(
    () => draft.phonebooks.flatMap((id) => all?.find((book) => book.id === id) ?? []),
    [draft, all],
  );
  const groups = useMemo(() => groupsOf(isToBooks ? books : none), [isToBooks, books]);
  const { usesPattern, pattern, version, fault: patternFault } = usePattern(draft);
  const text = draft.kind === "pattern" ? (version ? filled(version.text, draft.values) : "") : draft.text;
  const sendAt = sendAtOf(draft);

  function faultOfNumbers(): string | undefined {
    if (isToBooks) return undefined;
    if (numbers.length > mostNumbers) return t.compose.tooMany;
    if (hasBad(entries)) return t.compose.mendFirst;
    return numbers.length === 0 ? t.compose.noNumbers : undefined;
  }
  const faults: Faults = {
    numbers: faultOfNumbers(),
    phonebooks: isToBooks && groups.length === 0 ? t.compose.noPhonebook : undefined,
    exclude: isToBooks && hasBad(excluded.entries) ? t.compose.mendFirst : undefined,
    pattern: patternFault,
    text: isTextMissing(draft) ? t.compose.noText : undefined,
    when: isTimeMissing(draft) ? t.compose.noTime : undefined,
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
