// What the draft of a campaign lacks, and the request that makes a campaign of it.
import { type BodyOf, client, dataOf, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { wholeOf } from "../../parts/whole.ts";
import { hasBad, isTextMissing, isTimeMissing, useNumbers, usePattern } from "../compose/composition.ts";
import { sendAtOf } from "../compose/sends.ts";
import { type Draft, type Test, takesValue } from "./draft.ts";

type Faulty =
  | "title"
  | "phonebooks"
  | "exclude"
  | "tests"
  | "pattern"
  | "text"
  | "when"
  | "window"
  | "perMinute"
  | "budget";
export type Faults = Partial<Record<Faulty, string>>;

/** What each part of the form gets. What is wrong is said once somebody has tried to save it. */
export type PartProps = { draft: Draft; faults: Faults; onChange: (part: Partial<Draft>) => void };

const mostPerMinute = 1_000_000;

/** Whether a bound is none, or a whole number from 1. */
export function isBound(text: string, most = Number.MAX_SAFE_INTEGER): boolean {
  const value = wholeOf(text);
  return text.trim() === "" || (value !== null && value >= 1 && value <= most);
}

export const isPace = (perMinute: string) => isBound(perMinute, mostPerMinute);

const isTestMissing = (test: Test) =>
  test.attribute.trim() === "" || (takesValue(test.operator) && test.value.trim() === "");
const isWindowMissing = ({ hasWindow, from, to }: Draft) => hasWindow && (!from || !to || from === to);

export function useFaults(draft: Draft) {
  const t = useMessages();
  const { entries, numbers } = useNumbers(draft.exclude);
  const { pattern, version, usesPattern, fault } = usePattern(draft);
  const faults: Faults = {};
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
  check("window", isWindowMissing(draft), t.newCampaign.badWindow);
  check("perMinute", !isPace(draft.perMinute), t.newCampaign.badPerMinute);
  check("budget", !isBound(draft.budget), t.newCampaign.badBudget);
  return {
    faults,
    numbers,
    pattern,
    version,
    isLoading: usesPattern && !pattern,
    isWhole: Object.keys(faults).length === 0,
  };
}

/** The person's time zone. */
export const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

type Body = BodyOf<Schemas["NewCampaign"]>;

function testOf({ attribute: written, operator, value }: Test): Schemas["NewTest"] {
  const attribute = written.trim();
  return takesValue(operator) ? { attribute, operator, value: value.trim() } : { attribute, operator };
}

/** The campaign that a whole draft makes. */
function bodyOf(draft: Draft, exclude: string[]): Body {
  const { title, line, phonebooks, match, tests, except, hasWindow, from, to } = draft;
  const sendAt = sendAtOf(draft);
  const [perMinute, budget] = [wholeOf(draft.perMinute), wholeOf(draft.budget)];
  const common = {
    title: title.trim(),
    phonebooks,
    sourceNumber: line,
    exclude: { ...(except.length > 0 && { phonebooks: except }), numbers: exclude },
    ...(tests.length > 0 && { where: { match, tests: tests.map(testOf) } }),
    ...(sendAt && { sendAt }),
    ...(hasWindow && { window: { from, to, timeZone: timeZone() } }),
    ...(perMinute && { perMinute }),
    ...(budget && { budget }),
  };
  if (draft.kind === "pattern") return { ...common, pattern: draft.pattern, variables: draft.values };
  return { ...common, message: draft.text };
}

export const make = (draft: Draft, exclude: string[]) =>
  dataOf(client.POST("/campaigns", { body: bodyOf(draft, exclude) }));
