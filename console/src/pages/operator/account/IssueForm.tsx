import { useState } from "react";
import { client, dataOf, type Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useTexts } from "../../../format/texts.ts";
import { faultAt } from "../../../parts/faults.ts";
import { TextField } from "../../../parts/TextField.tsx";
import { wholeOrTyped } from "../../../parts/whole.ts";
import { IssueForm as NewKeyForm } from "../../keys/IssueForm.tsx";

const usual: Schemas["AccountScope"][] = ["sms:send", "sms:read", "account:read"];
const noCaps: Caps = { lines: "", ips: "", ratePerMinute: "", dailySpend: "", key: "" };

type Props = { account: Schemas["Account"]; onIssued: (key: string) => void; onClose: () => void };

/** A key for a customer, which the operator hands over. */
export function IssueForm({ account: { id, wallet }, ...props }: Props) {
  const { t, format } = useTexts();
  const [caps, setCaps] = useState(noCaps);
  return (
    <NewKeyForm
      hasMode
      scopes={t.scopes}
      usual={usual}
      issue={(key, mode) => {
        const body = { ...key, mode, ...capsOf(caps) };
        return dataOf(client.POST("/admin/accounts/{id}/keys", { params: { path: { id } }, body }));
      }}
      {...props}
    >
      {(error) => <CapsFields caps={caps} unit={format.unit(wallet.unit)} error={error} onChange={setCaps} />}
    </NewKeyForm>
  );
}

const words = (typed: string) => typed.trim().split(/[\s,،]+/);

/** What is left empty is no cap. */
const capsOf = ({ lines, ips, ratePerMinute, dailySpend, key }: Caps): Partial<Schemas["KeyInput"]> => ({
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
