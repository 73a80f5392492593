import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { faultAt } from "../../../parts/faults.ts";
import { TextField } from "../../../parts/TextField.tsx";

export type Caps = Record<"lines" | "ips" | "ratePerMinute" | "dailySpend" | "key", string>;

type Props = { caps: Caps; unit: string; error: Error | null; onChange: (caps: Caps) => void };

/** What a key may do at most. Most keys have none of it, so it is folded up. */
export function CapsFields({ caps, unit, error, onChange }: Props) {
  const o = useOperatorMessages();
  const field = (name: keyof Caps, label: string, hint: string) => (
    <TextField
      label={label}
      hint={hint}
      error={faultAt(error, `/${name}`)}
      isCode
      autoComplete="off"
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
