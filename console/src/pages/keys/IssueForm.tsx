import { useState } from "react";
import { useChange } from "../../api/change.ts";
import { client, dataOf, type Schemas } from "../../api/client.ts";
import { useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { Form } from "../../parts/Form.tsx";
import { FormActions } from "../../parts/FormActions.tsx";
import { RadioChoice } from "../../parts/RadioChoice.tsx";
import { choicesOf } from "../../parts/Select.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { ScopeChecks } from "./ScopeChecks.tsx";
import { endOf, SpanSelect } from "./SpanSelect.tsx";

type Scope = NonNullable<Omit<Schemas["NewOwnKey"], "key">["scopes"]>[number];

/** What most programs need. The others are chosen on purpose. */
const usual: Scope[] = ["sms:send", "sms:read"];

export function IssueForm({
  onIssued,
  onClose,
}: {
  onIssued: (key: Schemas["IssuedKey"]) => void;
  onClose: () => void;
}) {
  const t = useMessages();
  const may = useSession().scopes as Scope[];
  const [title, setTitle] = useState("");
  const [mode, setMode] = useState<"live" | "test">("live");
  const [scopes, setScopes] = useState(usual.filter((scope) => may.includes(scope)));
  const [span, setSpan] = useState("never");
  const [isTried, setIsTried] = useState(false);
  const make = useChange({
    ask: () => dataOf(client.POST("/keys", { body: { title: title.trim(), mode, scopes, ...endOf(span) } })),
    stale: [["keys"]],
    // The answer has the key itself: nothing of it stays in memory longer than it is shown.
    isSecret: true,
    onDone: (key) => {
      onIssued(key);
      onClose();
    },
  });
  const submit = () => {
    setIsTried(true);
    if (title.trim() !== "" && scopes.length > 0) make.mutate();
  };
  return (
    <section className="card stack">
      <h2>{t.keys.issueTitle}</h2>
      <Form onSubmit={submit}>
        <TextField
          label={t.keys.name}
          error={isTried && title.trim() === "" ? t.keys.noName : undefined}
          value={title}
          onChange={setTitle}
          autoFocus
        />
        <RadioChoice
          label={t.keys.mode}
          value={mode}
          onChange={(id) => setMode(id as "live" | "test")}
          choices={choicesOf(t.modes)}
        />
        <ScopeChecks
          names={Object.fromEntries(may.map((scope) => [scope, t.scopes[scope]]))}
          hint={t.keys.wider}
          value={scopes}
          onChange={setScopes}
          isMissing={isTried && scopes.length === 0}
        />
        <SpanSelect value={span} onChange={setSpan} />
        <FormActions submit={t.keys.issueSubmit} change={make} onCancel={onClose} />
      </Form>
    </section>
  );
}
