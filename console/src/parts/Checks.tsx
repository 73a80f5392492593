import type { ReactNode } from "react";
import { Checkbox } from "react-aria-components/Checkbox";
import { CheckboxGroup } from "react-aria-components/CheckboxGroup";
import { FieldError } from "react-aria-components/FieldError";
import { Label } from "react-aria-components/Label";

type Props<Id extends string> = {
  label: string;
  hint?: string | undefined;
  choices: readonly Id[];
  /** How a choice is shown. */
  children: (id: Id) => ReactNode;
  value: Id[];
  onChange: (ids: Id[]) => void;
  error?: string | undefined;
};

/** Any of some choices. */
export function Checks<Id extends string>({ label, hint, choices, children, value, onChange, error }: Props<Id>) {
  return (
    <CheckboxGroup
      className="field"
      value={value}
      onChange={(ids) => onChange(ids as Id[])}
      isInvalid={error !== undefined}
    >
      <Label>{label}</Label>
      {hint && <span className="hint">{hint}</span>}
      <div className="checks">
        {choices.map((id) => (
          <Checkbox key={id} value={id} className="check">
            <span className="box" />
            {children(id)}
          </Checkbox>
        ))}
      </div>
      <FieldError className="bad">{error}</FieldError>
    </CheckboxGroup>
  );
}
