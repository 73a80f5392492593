import { useState } from "react";
import { useChange } from "../../../api/change.ts";
import { answer, client } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Form } from "../../../parts/Form.tsx";
import { FormActions } from "../../../parts/FormActions.tsx";
import { faultAt } from "../../../parts/faults.ts";
import { RadioChoice } from "../../../parts/RadioChoice.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { SettingFields } from "./SettingFields.tsx";
import { draftOf, type Kind, newCarrier } from "./settings.ts";

type Props = { onMade: (name: string) => void; onClose: () => void };

export function NewCarrier({ onMade, onClose }: Props) {
  const o = useOperatorMessages();
  const [name, setName] = useState("");
  const [kind, setKind] = useState<Kind>("smpp");
  const [draft, setDraft] = useState(draftOf(kind));
  const make = useChange({
    ask: () => answer(client.POST("/admin/carriers", { body: newCarrier(name.trim(), kind, draft) })),
    stale: [["carriers"]],
    // The request has a password: nothing of it stays in memory.
    isSecret: true,
    onDone: ({ data }) => onMade(data.name),
  });
  const choose = (id: Kind) => {
    setKind(id);
    setDraft(draftOf(id));
    make.reset();
  };
  return (
    <section className="card stack">
      <h2>{o.carriers.newTitle}</h2>
      <Form onSubmit={() => make.mutate()}>
        <div className="fields">
          <TextField
            label={o.carriers.name}
            hint={o.carriers.nameHint}
            error={faultAt(make.error, "/name")}
            isCode
            value={name}
            onChange={setName}
            autoFocus
          />
        </div>
        <RadioChoice
          label={o.carriers.kind}
          value={kind}
          choices={(["smpp", "http", "sandbox"] as const).map((id) => ({ id, text: o.carrierKinds[id] }))}
          onChange={choose}
        />
        <SettingFields kind={kind} draft={draft} error={make.error} hasPassword={false} onChange={setDraft} />
        <FormActions submit={o.carriers.create} change={make} onCancel={onClose} />
      </Form>
    </section>
  );
}
