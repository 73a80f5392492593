import { useMessages } from "../../base/messages.ts";
import { TextField } from "../../parts/TextField.tsx";
import { TimeField } from "../../parts/TimeField.tsx";
import { YesNo } from "../../parts/YesNo.tsx";
import { Schedule } from "../compose/Schedule.tsx";
import { type PartProps, timeZone } from "./faults.ts";

/** When it begins, in which hours it goes on, how fast, and what it may cost. */
export function Pace({ draft, faults, onChange }: PartProps) {
  const t = useMessages();
  return (
    <section className="card stack">
      <h2>{t.newCampaign.pace}</h2>
      <Schedule draft={draft} error={faults.when} onChange={onChange} />
      <YesNo
        label={t.newCampaign.hasWindow}
        value={draft.hasWindow}
        onChange={(hasWindow) => onChange({ hasWindow })}
      />
      {draft.hasWindow && (
        <div className="stack schedule">
          <div className="moment">
            <TimeField label={t.newCampaign.from} value={draft.from} onChange={(from) => onChange({ from })} />
            <TimeField label={t.newCampaign.to} value={draft.to} onChange={(to) => onChange({ to })} />
          </div>
          <p className={faults.window ? "bad" : "hint"}>
            {faults.window ?? t.newCampaign.windowHint(`\u2066${timeZone()}\u2069`)}
          </p>
        </div>
      )}
      <Bounds value={draft} faults={faults} onChange={onChange} />
    </section>
  );
}

type BoundsProps = {
  value: { perMinute: string; budget: string };
  faults: { perMinute?: string; budget?: string };
  onChange: (part: { perMinute?: string; budget?: string }) => void;
};

/** How fast it goes, and what it may cost. */
export function Bounds({ value, faults, onChange }: BoundsProps) {
  const t = useMessages();
  return (
    <div className="variables">
      <TextField
        label={t.newCampaign.perMinute}
        hint={t.newCampaign.perMinuteHint}
        error={faults.perMinute}
        isCode
        inputMode="numeric"
        value={value.perMinute}
        onChange={(perMinute) => onChange({ perMinute })}
      />
      <TextField
        label={t.newCampaign.budget}
        hint={t.newCampaign.budgetHint}
        error={faults.budget}
        isCode
        inputMode="numeric"
        value={value.budget}
        onChange={(budget) => onChange({ budget })}
      />
    </div>
  );
}
