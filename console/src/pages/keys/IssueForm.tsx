import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Checkbox } from "react-aria-components/Checkbox";
import { CheckboxGroup } from "react-aria-components/CheckboxGroup";
import { FieldError } from "react-aria-components/FieldError";
import { Label } from "react-aria-components/Label";
import { useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { Button } from "../../parts/Button.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { RadioChoice } from "../../parts/RadioChoice.tsx";
import { Select } from "../../parts/Select.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { type IssuedKey, issue, type NewKey } from "./queries.ts";

type Scope = NonNullable<NewKey["scopes"]>[number];

const day = 86_400_000;
const spans = ["never", "30", "90", "365"];
/** What most programs need. The others are chosen on purpose. */
const usual: Scope[] = ["sms:send", "sms:read"];

export function IssueForm({ onIssued, onClose }: { onIssued: (key: IssuedKey) => void; onClose: () => void }) {
  const t = useMessages();
  const queryClient = useQueryClient();
  const may = useSession().scopes as Scope[];
  const [title, setTitle] = useState("");
  const [mode, setMode] = useState<"live" | "test">("live");
  const [scopes, setScopes] = useState(usual.filter((scope) => may.includes(scope)));
  const [span, setSpan] = useState("never");
  const [isTried, setIsTried] = useState(false);
  const make = useMutation({
    mutationFn: () => issue({ title: title.trim(), mode, scopes, ...endOf(span) }),
    onSuccess: (key) => {
      void queryClient.invalidateQueries({ queryKey: ["keys"] });
      onIssued(key);
    },
    // The answer has the key itself: nothing of it stays in memory longer than it is shown.
    gcTime: 0,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (title.trim() !== "" && scopes.length > 0) make.mutate();
  };
  return (
    <section className="card stack">
      <h2>{t.keys.issueTitle}</h2>
      <form className="stack" onSubmit={submit} noValidate>
        <TextField
          label={t.keys.name}
          error={isTried && title.trim() === "" ? t.keys.noName : undefined}
          value={title}
          onChange={setTitle}
          autoComplete="off"
          autoFocus
        />
        <RadioChoice
          label={t.keys.mode}
          value={mode}
          onChange={(id) => setMode(id as "live" | "test")}
          choices={Object.entries(t.modes).map(([id, text]) => ({ id, text }))}
        />
        <Scopes may={may} value={scopes} onChange={setScopes} isMissing={isTried && scopes.length === 0} />
        <SpanSelect value={span} onChange={setSpan} />
        {make.error && <ProblemText error={make.error} />}
        <div className="actions">
          <Button kind="quiet" onPress={onClose}>
            {t.form.cancel}
          </Button>
          <Button type="submit" isPending={make.isPending}>
            {t.keys.issueSubmit}
          </Button>
        </div>
      </form>
    </section>
  );
}

const endOf = (span: string) =>
  span === "never" ? {} : { expiresAt: new Date(Date.now() + Number(span) * day).toISOString() };

type ScopesProps = { may: Scope[]; value: Scope[]; onChange: (scopes: Scope[]) => void; isMissing: boolean };

function Scopes({ may, value, onChange, isMissing }: ScopesProps) {
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
        {may.map((scope) => (
          <Checkbox key={scope} value={scope} className="check">
            <span className="box" />
            {t.scopes[scope]}
          </Checkbox>
        ))}
      </div>
      <span className="hint">{t.keys.wider}</span>
      <FieldError className="bad">{isMissing ? t.keys.noScopes : undefined}</FieldError>
    </CheckboxGroup>
  );
}

function SpanSelect({ value, onChange }: { value: string; onChange: (span: string) => void }) {
  const t = useMessages();
  const format = useFormat();
  const choices = spans.map((id) => ({
    id,
    text: id === "never" ? t.keys.never : t.keys.inDays(format.number(Number(id))),
  }));
  return <Select label={t.keys.expires} value={value} choices={choices} onChange={onChange} />;
}
