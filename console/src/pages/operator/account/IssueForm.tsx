import { useState } from "react";
import { useChange } from "../../../api/change.ts";
import { client, dataOf, type Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useTexts } from "../../../format/texts.ts";
import { Form } from "../../../parts/Form.tsx";
import { FormActions } from "../../../parts/FormActions.tsx";
import { faultAt } from "../../../parts/faults.ts";
import { RadioChoice } from "../../../parts/RadioChoice.tsx";
import { choicesOf } from "../../../parts/Select.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { wholeOrTyped } from "../../../parts/whole.ts";
import { ScopeChecks } from "../../keys/ScopeChecks.tsx";
import { endOf, SpanSelect } from "../../keys/SpanSelect.tsx";

/** What most programs need. The others are chosen on purpose. */
const usual: Schemas["AccountScope"][] = ["sms:send", "sms:read", "account:read"];
const noCaps: Caps = { lines: "", ips: "", ratePerMinute: "", dailySpend: "", key: "" };

type Props = { account: Schemas["Account"]; onIssued: (key: string) => void; onClose: () => void };

/** A key for a customer, which the operator hands over. */
export function IssueForm({ account, onIssued, onClose }: Props) {
  const { t, format } = useTexts();
  const [title, setTitle] = useState("");
  const [mode, setMode] = useState<"live" | "test">("live");
  const [scopes, setScopes] = useState(usual);
  const [span, setSpan] = useState("never");
  const [caps, setCaps] = useState(noCaps);
  const [isTried, setIsTried] = useState(false);
  const make = useChange({
    ask: () =>
      dataOf(
        client.POST("/admin/accounts/{id}/keys", {
          params: { path: { id: account.id } },
          body: { title: title.trim(), mode, scopes, ...endOf(span), ...capsOf(caps) },
        }),
      ),
    stale: [["keys"]],
    // The answer has the key itself: nothing of it stays in memory longer than it is shown.
    isSecret: true,
    onDone: ({ key }) => onIssued(key),
  });
  const submit = () => {
    setIsTried(true);
    if (title.trim() !== "" && scopes.length > 0) make.mutate();
  };
  return (
    <Form className="card stack narrow" onSubmit={submit}>
      <h2>{t.keys.issueTitle}</h2>
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
      <ScopeChecks names={t.scopes} value={scopes} onChange={setScopes} isMissing={isTried && scopes.length === 0} />
      <SpanSelect value={span} onChange={setSpan} />
      <CapsFields caps={caps} unit={format.unit(account.wallet.unit)} error={make.error} onChange={setCaps} />
      <FormActions submit={t.keys.issueSubmit} change={make} onCancel={onClose} />
    </Form>
  );
}

const words = (typed: string) => typed.trim().split(/[\s,،]+/);

/** What is left empty is no cap. */
const capsOf = ({ lines, ips, ratePerMinute, dailySpend, key }: Caps): Partial<Schemas["NewKey"]> => ({
  ...(lines.trim() && { lines: words(lines) }),
  ...(ips.trim() && { ips: words(ips) }),
  ...(ratePerMinute.trim() && { ratePerMinute: wholeOrTyped(ratePerMinute) }),
  ...(dailySpend.trim() && { dailySpend: wholeOrTyped(dailySpend) }),
  ...(key.trim() && { key: key.trim() }),
});

type Caps = Record<"lines" | "ips" | "ratePerMinute" | "dailySpend" | "key", string>;

type CapsFieldsProps = { caps: Caps; unit: string; error: Error | null; onChange: (caps: Caps) => void };

/** What a key may do at most. Most keys have none of it, so it is folded up. */
function CapsFields({ caps, unit, error, onChange }: CapsFieldsProps) {
  const o = useOperatorMessages();
  const field = (name: keyof Caps, label: string, hint: string) => (
    <TextField
      label={label}
      hint={hint}
      error={faultAt(error, `/${name}`)}
      isCode
      type={name === "key" ? "password" : "text"}
      value={caps[name]}
      onChange={(typed) => onChange({ ...caps, [name]: typed })}
    />
  );
  return (
    <details className="more">
      <summary>{o.caps.title}</summary>
      <div className="stack">
        {field("lines", o.caps.lines, o.caps.linesHint)}
        {field("ips", o.caps.ips, o.caps.ipsHint)}
        {field("ratePerMinute", o.caps.rate, o.caps.rateHint)}
        {field("dailySpend", o.caps.spend, o.caps.spendHint(unit))}
        {field("key", o.caps.key, o.caps.keyHint)}
      </div>
    </details>
  );
}
