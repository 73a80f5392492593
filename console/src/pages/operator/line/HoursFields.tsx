import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { TextField } from "../../../parts/TextField.tsx";
import { TimeField } from "../../../parts/TimeField.tsx";
import { YesNo } from "../../../parts/YesNo.tsx";

export type Hours = Schemas["Hours"] | null;

/** What the law of Iran allows for advertisements; an operator writes others in its place. */
const usual = { from: "08:00", to: "21:00", timeZone: "Asia/Tehran" };

type Props = { value: Hours; error: string | undefined; onChange: (hours: Hours) => void };

/** In which hours own texts to many leave; or at any time. */
export function HoursFields({ value, error, onChange }: Props) {
  const o = useOperatorMessages();
  return (
    <>
      <YesNo
        label={o.line.hours}
        hint={o.line.hoursHint}
        value={value !== null}
        onChange={(has) => onChange(has ? usual : null)}
      />
      {value && (
        <div className="stack schedule">
          <div className="moment">
            <TimeField label={o.line.from} value={value.from} onChange={(from) => onChange({ ...value, from })} />
            <TimeField label={o.line.to} value={value.to} onChange={(to) => onChange({ ...value, to })} />
          </div>
          <TextField
            label={o.line.timeZone}
            error={error}
            isCode
            value={value.timeZone}
            onChange={(timeZone) => onChange({ ...value, timeZone })}
          />
        </div>
      )}
    </>
  );
}
