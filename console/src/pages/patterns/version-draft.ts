// A version of a pattern while somebody writes it: its text, and what is known of the variables in the text.
import type { Schemas } from "../../api/client.ts";
import { filledBy, namesIn } from "../../parts/placeholders.ts";

export type Type = Schemas["Variable"]["type"];
export type VariableDraft = { type: Type; maxLength: string; values: string; secret: boolean; sample: string };
/** What a variable is stays known while its name is not in the text: who writes the name anew finds it again. */
export type VersionDraft = { text: string; variables: Record<string, VariableDraft> };

const usualLength = "100";
const samples: Record<Type, string> = { TEXT: "", NUMBER: "12345", LINK: "https://example.com", ENUM: "" };

const unknown: VariableDraft = { type: "TEXT", maxLength: usualLength, values: "", secret: false, sample: "" };

export const variableOf = ({ variables }: VersionDraft, name: string): VariableDraft => variables[name] ?? unknown;

export const emptyDraft: VersionDraft = { text: "", variables: {} };

export function draftOf({ text, variables }: Schemas["PatternVersion"]): VersionDraft {
  const drafts = variables.map(({ name, type, maxLength, values, secret }) => [
    name,
    { type, maxLength: String(maxLength), values: (values ?? []).join("\n"), secret, sample: "" },
  ]);
  return { text, variables: Object.fromEntries(drafts) };
}

/** The allowed values, one a line. */
export const valuesOf = ({ values }: VariableDraft): string[] =>
  values
    .split("\n")
    .map((value) => value.trim())
    .filter(Boolean);

/** What stands in the place of a variable as long as nobody has typed a sample. */
const sampleOf = (name: string, variable: VariableDraft): string =>
  variable.sample || (variable.type === "ENUM" ? valuesOf(variable)[0] : samples[variable.type]) || name;

/** The text with the samples in the places of its placeholders. */
export const filledIn = (draft: VersionDraft): string =>
  filledBy(draft.text, (name) => sampleOf(name, variableOf(draft, name)));

/** A variable of the type ENUM without values can't be sent. */
export const hasNoValues = (variable: VariableDraft) => variable.type === "ENUM" && valuesOf(variable).length === 0;

export const isWhole = (draft: VersionDraft) =>
  draft.text.trim() !== "" && !namesIn(draft.text).some((name) => hasNoValues(variableOf(draft, name)));

export function newVersionOf(draft: VersionDraft): Schemas["PatternVersionInput"] {
  const variables = namesIn(draft.text).map((name) => {
    const variable = variableOf(draft, name);
    const about = { name, maxLength: Number(variable.maxLength), secret: variable.secret };
    return variable.type === "ENUM"
      ? { ...about, type: variable.type, values: valuesOf(variable) }
      : { ...about, type: variable.type };
  });
  return { text: draft.text, variables };
}
