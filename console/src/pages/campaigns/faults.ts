// What the draft of a campaign lacks.
import { useMessages } from "../../base/messages.ts";
import { hasBad, isTextMissing, isTimeMissing, useNumbers, usePattern } from "../compose/composition.ts";
import { type Draft, type Test, takesValue } from "./draft.ts";
import { type LimitFaults, limitFaultsOf } from "./limits.ts";

type Faulty = "title" | "phonebooks" | "exclude" | "tests" | "pattern" | "text" | "when";
export type Faults = LimitFaults & Partial<Record<Faulty, string>>;

/** What each part of the form gets. What is wrong is said once somebody has tried to save it. */
export type PartProps = { draft: Draft; faults: Faults; onChange: (part: Partial<Draft>) => void };

const isTestMissing = (test: Test) =>
  test.attribute.trim() === "" || (takesValue(test.operator) && test.value.trim() === "");

export function useFaults(draft: Draft) {
  const t = useMessages();
  const { entries, numbers } = useNumbers(draft.exclude);
  const { pattern, version, usesPattern, fault } = usePattern(draft);
  const faults: Faults = limitFaultsOf(t, draft);
  const check = (name: Faulty, isMissing: boolean, text: string) => {
    if (isMissing) faults[name] = text;
  };
  check("title", draft.title.trim() === "", t.campaigns.noName);
  check("phonebooks", draft.phonebooks.length === 0, t.compose.noPhonebook);
  check("exclude", hasBad(entries), t.compose.mendFirst);
  check("tests", draft.tests.some(isTestMissing), t.newCampaign.badCondition);
  check("pattern", fault !== undefined, fault ?? "");
  check("text", isTextMissing(draft), t.compose.noText);
  check("when", isTimeMissing(draft), t.compose.noTime);
  return {
    faults,
    numbers,
    pattern,
    version,
    isLoading: usesPattern && !pattern,
    isWhole: Object.keys(faults).length === 0,
  };
}
