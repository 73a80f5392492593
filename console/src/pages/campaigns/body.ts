// The body of a request that makes a campaign of a draft, or changes one into it.
import type { BodyOf, Schemas } from "../../api/client.ts";
import { sendAtOf } from "../compose/sends.ts";
import { type Draft, type Test, takesValue } from "./draft.ts";
import { limitsBodyOf } from "./limits.ts";

export type Audience = { phonebooks: string[]; exclude: { phonebooks: string[]; numbers: string[] } };
export type Body = BodyOf<Schemas["CampaignInput"]>;

function testOf({ attribute: written, operator, value }: Test): Schemas["TestInput"] {
  const attribute = written.trim();
  return takesValue(operator) ? { attribute, operator, value: value.trim() } : { attribute, operator };
}

/** The campaign that a whole draft makes. `null` leaves out in a new campaign, and takes away from a saved one. */
export function bodyOf(draft: Draft, audience: Audience): Body {
  const { title, line, match, tests } = draft;
  const common = {
    title: title.trim(),
    ...audience,
    sourceNumber: line,
    where: tests.length > 0 ? { match, tests: tests.map(testOf) } : null,
    sendAt: sendAtOf(draft) ?? null,
    ...limitsBodyOf(draft),
  };
  if (draft.kind === "pattern") return { ...common, pattern: draft.pattern, variables: draft.values };
  return { ...common, message: draft.text };
}
