import { Checkbox } from "react-aria-components/Checkbox";
import { CheckboxGroup } from "react-aria-components/CheckboxGroup";
import { Label } from "react-aria-components/Label";
import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";

type Operations = Schemas["Line"]["operations"];
type Props = { value: Operations; onChange: (operations: Operations) => void };

const all: Operations = ["WEBSERVICE", "PATTERN"];

/** What may be sent from a line. */
export function OperationChecks({ value, onChange }: Props) {
  const o = useOperatorMessages();
  return (
    <CheckboxGroup className="field" value={value} onChange={(chosen) => onChange(chosen as Operations)}>
      <Label>{o.lines.operations}</Label>
      <div className="checks">
        {all.map((name) => (
          <Checkbox key={name} value={name} className="check">
            <span className="box" />
            {o.operations[name]}
          </Checkbox>
        ))}
      </div>
    </CheckboxGroup>
  );
}
