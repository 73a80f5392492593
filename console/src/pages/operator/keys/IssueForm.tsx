import { useState } from "react";
import { useChange } from "../../../api/change.ts";
import { client, dataOf, type Schemas } from "../../../api/client.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Form } from "../../../parts/Form.tsx";
import { FormActions } from "../../../parts/FormActions.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { ScopeChecks } from "../../keys/ScopeChecks.tsx";
import { endOf, SpanSelect } from "../../keys/SpanSelect.tsx";
import { useOwnScopes } from "../shared/keys/own-scopes.ts";

export function IssueForm({ onIssued, onClose }: { onIssued: (key: string) => void; onClose: () => void }) {
  const { t, o } = useOperatorTexts();
  const names = useOwnScopes();
  const [title, setTitle] = useState("");
  const [scopes, setScopes] = useState<Schemas["OperatorScope"][]>([]);
  const [span, setSpan] = useState("never");
  const [isTried, setIsTried] = useState(false);
  const make = useChange(
    () => dataOf(client.POST("/admin/keys", { body: { title: title.trim(), scopes, ...endOf(span) } })),
    {
      stale: [["keys"]],
      // The answer has the key itself: nothing of it stays in memory longer than it is shown.
      isSecret: true,
      onDone: ({ key }) => onIssued(key),
    },
  );
  const submit = () => {
    setIsTried(true);
    if (title.trim() !== "" && scopes.length > 0) make.mutate();
  };
  return (
    <Form className="card stack narrow" onSubmit={submit}>
      <h2>{t.keys.issueTitle}</h2>
      <TextField
        label={o.keys.whose}
        error={isTried && title.trim() === "" ? o.keys.noWhose : undefined}
        value={title}
        onChange={setTitle}
        autoComplete="off"
        autoFocus
      />
      <ScopeChecks names={names} value={scopes} onChange={setScopes} isMissing={isTried && scopes.length === 0} />
      <SpanSelect value={span} onChange={setSpan} />
      <FormActions submit={t.keys.issueSubmit} change={make} onCancel={onClose} />
    </Form>
  );
}
