import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { TextField } from "../../../parts/TextField.tsx";
import type { Draft } from "./settings.ts";

type Name = "rateLimit" | "testRateLimit" | "recipientLimit";
type Part = "limit" | "windowSeconds" | "burst";

const limits: { name: Name; parts: Part[] }[] = [
  { name: "rateLimit", parts: ["limit", "windowSeconds", "burst"] },
  { name: "testRateLimit", parts: ["limit", "windowSeconds", "burst"] },
  { name: "recipientLimit", parts: ["limit", "windowSeconds"] },
];

type Props = {
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
  fault: (name: string) => string | undefined;
};

/** The limits of an account: how many in which time, and how many at once. */
export function LimitFields({ draft, onChange, fault }: Props) {
  const o = useOperatorMessages();
  return limits.map(({ name, parts }) => {
    const values: Partial<Record<Part, string>> = draft[name];
    return (
      <fieldset key={name} className="limit">
        <legend>{o.account[name]}</legend>
        <p className="hint">{o.account.limitHints[name]}</p>
        <div className="fields">
          {parts.map((part) => (
            <TextField
              key={part}
              label={o.account.limitParts[part]}
              error={fault(`${name}/${part}`) ?? (part === "limit" ? fault(name) : undefined)}
              isCode
              inputMode="numeric"
              autoComplete="off"
              value={values[part] ?? ""}
              onChange={(typed) => onChange({ [name]: { ...values, [part]: typed } })}
            />
          ))}
        </div>
      </fieldset>
    );
  });
}
