import { Label } from "react-aria-components/Label";
import { Radio, RadioGroup } from "react-aria-components/RadioGroup";
import type { Choice } from "./Select.tsx";

type Props = { label: string; choices: Choice[]; value: string; onChange: (id: string) => void };

export function RadioChoice({ label, choices, value, onChange }: Props) {
  return (
    <RadioGroup className="field choice" value={value} onChange={onChange} orientation="horizontal">
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
