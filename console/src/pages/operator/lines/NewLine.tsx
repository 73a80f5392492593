import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answer, client } from "../../../api/client.ts";
import { useMessages } from "../../../base/messages.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Button } from "../../../parts/Button.tsx";
import { latinDigits } from "../../../parts/digits.ts";
import { ProblemText } from "../../../parts/Failure.tsx";
import { faultAt } from "../../../parts/faults.ts";
import { Loaded } from "../../../parts/Loaded.tsx";
import { Select } from "../../../parts/Select.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { YesNo } from "../../../parts/YesNo.tsx";
import { type Carrier, carriersQuery } from "../carriers/queries.ts";
import { OperationChecks } from "./OperationChecks.tsx";
import type { Line } from "./queries.ts";

type Props = { onMade: (number: string) => void; onClose: () => void };

export function NewLine(props: Props) {
  const o = useOperatorMessages();
  const carriers = useQuery(carriersQuery(""));
  return (
    <section className="card stack">
      <h2>{o.lines.newTitle}</h2>
      <Loaded query={carriers}>{(carriers) => <NewLineForm carriers={carriers} {...props} />}</Loaded>
    </section>
  );
}

function NewLineForm({ carriers, onMade, onClose }: Props & { carriers: Carrier[] }) {
  const t = useMessages();
  const o = useOperatorMessages();
  const queryClient = useQueryClient();
  const [number, setNumber] = useState("");
  const [carrier, setCarrier] = useState(carriers[0]?.name ?? "");
  const [operations, setOperations] = useState<Line["operations"]>(["WEBSERVICE", "PATTERN"]);
  const [shared, setShared] = useState(false);
  const make = useMutation({
    mutationFn: () => {
      const body = { number: latinDigits(number.trim()), carrier, operations, shared };
      return answer(client.POST("/admin/lines", { body }));
    },
    onSuccess: ({ data }) => {
      void queryClient.invalidateQueries({ queryKey: ["lines"] });
      onMade(data.number);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <div className="fields">
        <TextField
          label={o.lines.number}
          hint={o.lines.numberHint}
          error={faultAt(make.error, "/number")}
          isCode
          autoComplete="off"
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
      {make.error && <ProblemText error={make.error} />}
      <div className="actions">
        <Button kind="quiet" onPress={onClose}>
          {t.form.cancel}
        </Button>
        <Button type="submit" isPending={make.isPending}>
          {o.lines.create}
        </Button>
      </div>
    </form>
  );
}
