import { useMessages } from "../../base/messages.ts";
import { directionOf } from "../../parts/direction.ts";
import { namesIn } from "../../parts/placeholders.ts";
import { TextField } from "../../parts/TextField.tsx";
import { NoNames } from "./NoNames.tsx";
import { VariableFields } from "./VariableFields.tsx";
import { filledIn, type VariableDraft, type VersionDraft, variableOf } from "./version-draft.ts";

type Props = {
  draft: VersionDraft;
  onChange: (draft: VersionDraft) => void;
  /** A pattern may be made without a text. A version may not. */
  isRequired: boolean;
  isTried: boolean;
};

/** The text of a version, the variables that are found in it as it is written, and how a message of it reads. */
export function VersionFields({ draft, onChange, isRequired, isTried }: Props) {
  const t = useMessages();
  const names = namesIn(draft.text);
  const change = (name: string, part: Partial<VariableDraft>) => {
    const variable = { ...variableOf(draft, name), ...part };
    onChange({ ...draft, variables: { ...draft.variables, [name]: variable } });
  };
  return (
    <>
      <TextField
        label={t.patterns.text}
        hint={t.patterns.textHint}
        error={isTried && isRequired && draft.text.trim() === "" ? t.patterns.noText : undefined}
        rows={5}
        dir={directionOf(draft.text)}
        value={draft.text}
        onChange={(text) => onChange({ ...draft, text })}
      />
      <NoNames text={draft.text} onChange={(text) => onChange({ ...draft, text })} />
      {names.length > 0 && (
        <div className="variables">
          {names.map((name) => (
            <VariableFields
              key={name}
              name={name}
              variable={variableOf(draft, name)}
              isTried={isTried}
              onChange={(part) => change(name, part)}
            />
          ))}
        </div>
      )}
      {draft.text.trim() !== "" && (
        <section className="preview" aria-label={t.patterns.preview}>
          <h3>{t.patterns.preview}</h3>
          <p className="message-text" dir={directionOf(draft.text)}>
            {filledIn(draft)}
          </p>
        </section>
      )}
    </>
  );
}
