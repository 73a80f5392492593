import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { directionOf } from "../../parts/direction.ts";
import { Loaded } from "../../parts/Loaded.tsx";
import { Select } from "../../parts/Select.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { patternsQuery } from "./queries.ts";
import { filled } from "./sends.ts";

type SelectProps = { value: string; onChange: (slug: string) => void };

export function PatternSelect({ value, onChange }: SelectProps) {
  const t = useMessages();
  return (
    <Loaded query={useQuery(patternsQuery)}>
      {(patterns) => {
        if (patterns.length === 0) return <p className="note">{t.compose.noPatterns}</p>;
        const choices = patterns.map(({ slug, title }) => ({ id: slug, text: title }));
        return (
          <Select
            label={t.compose.pattern}
            value={value || "none"}
            choices={[{ id: "none", text: t.compose.choosePattern }, ...choices]}
            onChange={(slug) => onChange(slug === "none" ? "" : slug)}
          />
        );
      }}
    </Loaded>
  );
}

type FieldsProps = {
  version: Schemas["PatternVersion"];
  values: Record<string, string>;
  isTried: boolean;
  onChange: (values: Record<string, string>) => void;
};

/** A field for each variable, and the text as it stands with what is written so far. */
export function PatternFields({ version, values, isTried, onChange }: FieldsProps) {
  const t = useMessages();
  return (
    <>
      {version.variables.length > 0 && (
        <div className="variables">
          {version.variables.map((variable) => (
            <VariableField
              key={variable.name}
              variable={variable}
              value={values[variable.name] ?? ""}
              isTried={isTried}
              onChange={(value) => onChange({ ...values, [variable.name]: value })}
            />
          ))}
        </div>
      )}
      <div className="field">
        <span>{t.compose.patternText}</span>
        <p className="message-text" dir={directionOf(version.text)}>
          {filled(version.text, values)}
        </p>
      </div>
    </>
  );
}

export const lacksValues = (version: Schemas["PatternVersion"], values: Record<string, string>) =>
  version.variables.some(({ name }) => (values[name] ?? "").trim() === "");

type FieldProps = { variable: Schemas["Variable"]; value: string; isTried: boolean; onChange: (value: string) => void };

function VariableField({ variable: { name, type, maxLength, values }, value, isTried, onChange }: FieldProps) {
  const t = useMessages();
  const error = isTried && value.trim() === "" ? t.compose.noValue : undefined;
  if (type === "ENUM")
    return (
      <div className="field">
        <Select
          label={name}
          value={value || " "}
          choices={[{ id: " ", text: t.compose.chooseValue }, ...(values ?? []).map((id) => ({ id, text: id }))]}
          onChange={(id) => onChange(id.trim())}
        />
        {error && <span className="bad">{error}</span>}
      </div>
    );
  return (
    <TextField
      label={name}
      error={error}
      isCode={type !== "TEXT"}
      inputMode={type === "NUMBER" ? "decimal" : type === "LINK" ? "url" : "text"}
      maxLength={maxLength}
      value={value}
      onChange={onChange}
    />
  );
}
