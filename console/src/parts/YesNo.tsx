import { Checkbox } from "react-aria-components/Checkbox";

type Props = { label: string; hint?: string | undefined; value: boolean; onChange: (value: boolean) => void };

export function YesNo({ label, hint, value, onChange }: Props) {
  return (
    <Checkbox className="check" isSelected={value} onChange={onChange}>
      <span className="box" />
      <span>
        {label}
        {hint && <span className="hint">{hint}</span>}
      </span>
    </Checkbox>
  );
}
