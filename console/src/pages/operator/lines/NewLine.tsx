import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "../../../api/change.ts";
import { answer, client, type Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { latinDigits } from "../../../parts/digits.ts";
import { Form } from "../../../parts/Form.tsx";
import { FormActions } from "../../../parts/FormActions.tsx";
import { faultAt } from "../../../parts/faults.ts";
import { Loaded } from "../../../parts/Loaded.tsx";
import { Select } from "../../../parts/Select.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { YesNo } from "../../../parts/YesNo.tsx";
import { carriersQuery } from "../queries.ts";
import { OperationChecks } from "./OperationChecks.tsx";

type Props = { onMade: (number: string) => void; onClose: () => void };

export function NewLine(props: Props) {
  const o = useOperatorMessages();
  const carriers = useQuery(carriersQuery(null));
  return (
    <section className="card stack">
      <h2>{o.lines.newTitle}</h2>
      <Loaded query={carriers}>{(carriers) => <NewLineForm carriers={carriers} {...props} />}</Loaded>
    </section>
  );
}

function NewLineForm({ carriers, onMade, onClose }: Props & { carriers: Schemas["Carrier"][] }) {
  const o = useOperatorMessages();
  const [number, setNumber] = useState("");
  const [carrier, setCarrier] = useState(carriers[0]?.name ?? "");
  const [operations, setOperations] = useState<Schemas["Line"]["operations"]>(["WEBSERVICE", "PATTERN"]);
  const [shared, setShared] = useState(false);
  const make = useChange({
    ask: () => {
      const body = { number: latinDigits(number.trim()), carrier, operations, shared };
      return answer(client.POST("/admin/lines", { body }));
    },
    stale: [["lines"]],
    onDone: ({ data }) => onMade(data.number),
  });
  return (
    <Form onSubmit={() => make.mutate()}>
      <div className="fields">
        <TextField
          label={o.lines.number}
          hint={o.lines.numberHint}
          error={faultAt(make.error, "/number")}
          isCode
          value={number}
          onChange={setNumber}
          autoFocus
        />
        <Select
          label={o.lines.carrier}
          value={carrier}
          choices={carriers.map(({ name }) => ({ id: name, text: name }))}
          onChange={setCarrier}
        />
      </div>
      <OperationChecks value={operations} onChange={setOperations} />
      <YesNo label={o.lines.sharedLabel} hint={o.lines.sharedHint} value={shared} onChange={setShared} />
      <p className="hint">{o.lines.later}</p>
      <FormActions submit={o.lines.create} change={make} onCancel={onClose} />
    </Form>
  );
}
