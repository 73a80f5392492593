import { useState } from "react";
import { useChange } from "../../../api/change.ts";
import { client, dataOf, type Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Button } from "../../../parts/Button.tsx";
import { Code } from "../../../parts/Code.tsx";
import { Facts } from "../../../parts/Facts.tsx";
import { ProblemText } from "../../../parts/Failure.tsx";
import { Form } from "../../../parts/Form.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { AccountLink } from "../shared/AccountLink.tsx";

/** Whose a key is that somebody has found. The key goes to the service once and stays nowhere. */
export function FindKey() {
  const o = useOperatorMessages();
  const [key, setKey] = useState("");
  const find = useChange({
    ask: () => dataOf(client.POST("/admin/keys/find", { body: { key: key.trim() } })),
    isSecret: true,
    onDone: () => setKey(""),
  });
  const submit = () => {
    if (key.trim() !== "") find.mutate();
  };
  return (
    <Form className="card stack" onSubmit={submit}>
      <h2>{o.findKey.title}</h2>
      <p className="faint">{o.findKey.lead}</p>
      <div className="row">
        <TextField label={o.findKey.key} type="password" isCode value={key} onChange={setKey} />
        <Button kind="quiet" type="submit" isPending={find.isPending}>
          {o.findKey.submit}
        </Button>
      </div>
      {find.error && <ProblemText error={find.error} />}
      {find.data && <Found of={find.data} />}
    </Form>
  );
}

function Found({ of }: { of: Schemas["FoundKey"] }) {
  const { t, o, format } = useOperatorTexts();
  return (
    <div role="status">
      <Facts
        facts={[
          [
            o.findKey.owner,
            of.account ? <AccountLink key="owner" id={of.account} name={of.username} /> : o.findKey.operators,
          ],
          [t.keys.column, <bdi key="title">{of.title}</bdi>],
          [t.keys.state, o.findKey.statuses[of.status]],
          [t.keys.hint, <Code key="hint">{of.hint ?? "–"}</Code>],
          [t.keys.used, of.lastUsedAt ? format.ago(of.lastUsedAt) : t.keys.neverUsed],
        ]}
      />
    </div>
  );
}
