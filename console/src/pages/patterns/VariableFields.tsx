import { useMessages } from "../../base/messages.ts";
import { Code } from "../../parts/Code.tsx";
import { choicesOf, Select } from "../../parts/Select.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { YesNo } from "../../parts/YesNo.tsx";
import { hasNoValues, type Type, type VariableDraft } from "./version-draft.ts";

type Props = {
  name: string;
  variable: VariableDraft;
  isTried: boolean;
  onChange: (part: Partial<VariableDraft>) => void;
};

/** What is known of one variable, and the value that it has in the preview. */
export function VariableFields({ name, variable, isTried, onChange }: Props) {
  const t = useMessages();
  const types = choicesOf(t.variableTypes);
  return (
    <fieldset>
      <legend>
        <Code className="uid">{`%${name}%`}</Code>
      </legend>
      <Select
        label={t.patterns.type}
        value={variable.type}
        choices={types}
        onChange={(type) => onChange({ type: type as Type })}
      />
      {variable.type === "ENUM" ? (
        <TextField
          label={t.patterns.values}
          rows={3}
          error={isTried && hasNoValues(variable) ? t.patterns.noValues : undefined}
          value={variable.values}
          onChange={(values) => onChange({ values })}
        />
      ) : (
        <TextField
          label={t.patterns.maxLength}
          isCode
          inputMode="numeric"
          value={variable.maxLength}
          onChange={(maxLength) => onChange({ maxLength })}
        />
      )}
      <TextField label={t.patterns.sample} value={variable.sample} onChange={(sample) => onChange({ sample })} />
      <YesNo label={t.patterns.secret} value={variable.secret} onChange={(secret) => onChange({ secret })} />
    </fieldset>
  );
}
