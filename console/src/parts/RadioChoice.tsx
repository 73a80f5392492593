import { Label } from "react-aria-components/Label";
import { Radio, RadioGroup } from "react-aria-components/RadioGroup";
import type { Choice } from "./Select.tsx";

type Props<Id extends string> = { label: string; choices: Choice<Id>[]; value: Id; onChange: (id: Id) => void };

export function RadioChoice<Id extends string>({ label, choices, value, onChange }: Props<Id>) {
  return (
    <RadioGroup className="field choice" value={value} onChange={(id) => onChange(id as Id)} orientation="horizontal">
      <Label>{label}</Label>
      <div className="radios">
        {choices.map(({ id, text }) => (
          <Radio key={id} value={id} className="radio">
            {text}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
