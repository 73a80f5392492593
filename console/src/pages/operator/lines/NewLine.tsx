import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answer, client, type Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { ChangeForm } from "../../../parts/ChangeForm.tsx";
import { latinDigits } from "../../../parts/digits.ts";
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
  return (
    <ChangeForm
      submit={o.lines.create}
      ask={() =>
        answer(
          client.POST("/admin/lines", { body: { number: latinDigits(number.trim()), carrier, operations, shared } }),
        )
      }
      stale={[["lines"]]}
      onDone={({ data }) => onMade(data.number)}
      onClose={onClose}
    >
      {(_, error) => (
        <>
          <div className="fields">
            <TextField
              label={o.lines.number}
              hint={o.lines.numberHint}
              error={faultAt(error, "/number")}
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
        </>
      )}
    </ChangeForm>
  );
}
