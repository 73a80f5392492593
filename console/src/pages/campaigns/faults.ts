// What the draft of a campaign lacks.
import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { hasBad, isTextMissing, isTimeMissing, useNumbers, usePattern } from "../compose/composition.ts";
import { allPhonebooksQuery } from "../compose/queries.ts";
import type { Audience } from "./body.ts";
import { type Draft, type Test, takesValue } from "./draft.ts";
import { type LimitFaults, limitFaultsOf } from "./limits.ts";

type Faulty = "title" | "phonebooks" | "exclude" | "tests" | "pattern" | "text" | "when";
export type Faults = LimitFaults & Partial<Record<Faulty, string>>;

/** What each part of the form gets. What is wrong is said once somebody has tried to save it. */
export type PartProps = { draft: Draft; faults: Faults; onChange: (part: Partial<Draft>) => void };

const isTestMissing = (test: Test) =>
  test.attribute.trim() === "" || (takesValue(test.operator) && test.value.trim() === "");

/** Whom a draft goes to. A phonebook that is gone meanwhile is not shown, so nobody could take it out. Until all are known, none is there. */
function useAudience({ phonebooks, except }: Draft, numbers: string[]): Audience & { isKnown: boolean } {
  const maySee = useMay("phonebook");
  const { data: books } = useQuery({ ...allPhonebooksQuery, enabled: maySee });
  const known = new Set(books?.map(({ id }) => id));
  const there = (ids: string[]) => (maySee ? ids.filter((id) => known.has(id)) : ids);
  const isKnown = !maySee || books !== undefined;
  return { isKnown, phonebooks: there(phonebooks), exclude: { phonebooks: there(except), numbers } };
}

export function useFaults(draft: Draft) {
  const t = useMessages();
  const { entries, numbers } = useNumbers(draft.exclude);
  const { isKnown, ...audience } = useAudience(draft, numbers);
  const { pattern, version, usesPattern, fault } = usePattern(draft);
  const faults: Faults = limitFaultsOf(t, draft);
  const check = (name: Faulty, isMissing: boolean, text: string) => {
    if (isMissing) faults[name] = text;
  };
  check("title", draft.title.trim() === "", t.campaigns.noName);
  check("phonebooks", audience.phonebooks.length === 0, t.compose.noPhonebook);
  check("exclude", hasBad(entries), t.compose.mendFirst);
  check("tests", draft.tests.some(isTestMissing), t.newCampaign.badCondition);
  check("pattern", fault !== undefined, fault ?? "");
  check("text", isTextMissing(draft), t.compose.noText);
  check("when", isTimeMissing(draft), t.compose.noTime);
  return {
    faults,
    audience,
    pattern,
    version,
    isLoading: !isKnown || (usesPattern && !pattern),
    isWhole: Object.keys(faults).length === 0,
  };
}
