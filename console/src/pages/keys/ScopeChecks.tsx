import { Checkbox } from "react-aria-components/Checkbox";
import { CheckboxGroup } from "react-aria-components/CheckboxGroup";
import { FieldError } from "react-aria-components/FieldError";
import { Label } from "react-aria-components/Label";
import { useMessages } from "../../base/messages.ts";

type Props<Scope extends string> = {
  names: Partial<Record<Scope, string>>;
  hint?: string;
  value: Scope[];
  onChange: (scopes: Scope[]) => void;
  isMissing: boolean;
};

export function ScopeChecks<Scope extends string>({ names, hint, value, onChange, isMissing }: Props<Scope>) {
  const t = useMessages();
  return (
    <CheckboxGroup
      className="field"
      value={value}
      onChange={(scopes) => onChange(scopes as Scope[])}
      isInvalid={isMissing}
    >
      <Label>{t.keys.scopes}</Label>
      <div className="checks">
        {Object.entries<string | undefined>(names).map(([scope, name]) => (
          <Checkbox key={scope} value={scope} className="check">
            <span className="box" />
            {name}
          </Checkbox>
        ))}
      </div>
      {hint && <span className="hint">{hint}</span>}
      <FieldError className="bad">{isMissing ? t.keys.noScopes : undefined}</FieldError>
    </CheckboxGroup>
  );
}
