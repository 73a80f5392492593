import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Checks } from "../../../parts/Checks.tsx";

type Operations = Schemas["Line"]["operations"];
type Props = { value: Operations; onChange: (operations: Operations) => void };

const all: Operations = ["WEBSERVICE", "PATTERN"];

/** What may be sent from a line. */
export function OperationChecks({ value, onChange }: Props) {
  const o = useOperatorMessages();
  return (
    <Checks label={o.lines.operations} choices={all} value={value} onChange={onChange}>
      {(name) => o.operations[name]}
    </Checks>
  );
}
