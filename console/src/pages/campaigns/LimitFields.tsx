// The fields of what bounds a campaign.
import { useMessages } from "../../base/messages.ts";
import { useTexts } from "../../format/texts.ts";
import { TextField } from "../../parts/TextField.tsx";
import { TimeField } from "../../parts/TimeField.tsx";
import { YesNo } from "../../parts/YesNo.tsx";
import { type LimitsProps, ownZone } from "./limits.ts";
import { hoursOf } from "./line.ts";

export function LimitFields(props: LimitsProps) {
  return (
    <>
      <Hours {...props} />
      <Bounds {...props} />
      <Guard {...props} />
    </>
  );
}

function Hours({ value: { hasWindow, from, to, zone }, faults, lineHours, onChange }: LimitsProps) {
  const { t, format } = useTexts();
  const own = ownZone();
  const hint = zone === "" || zone === own ? t.newCampaign.windowHint : t.newCampaign.windowHintOf;
  return (
    <>
      <YesNo label={t.newCampaign.hasWindow} value={hasWindow} onChange={(hasWindow) => onChange({ hasWindow })} />
      {hasWindow && (
        <div className="stack schedule">
          <div className="moment">
            <TimeField label={t.newCampaign.from} value={from} onChange={(from) => onChange({ from })} />
            <TimeField label={t.newCampaign.to} value={to} onChange={(to) => onChange({ to })} />
          </div>
          <p className={faults.window ? "bad" : "hint"}>{faults.window ?? hint(`\u2066${zone || own}\u2069`)}</p>
        </div>
      )}
      {lineHours && <p className="hint">{t.newCampaign.lineHours(hoursOf(t, format, lineHours))}</p>}
    </>
  );
}

/** How fast it goes, and what it may cost. */
function Bounds({ value, faults, onChange }: LimitsProps) {
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

/** What stops it when it goes wrong. */
function Guard({ value, faults, onChange }: LimitsProps) {
  const t = useMessages();
  const shareOf = (name: "failedShare" | "optOutShare" | "after", label: string) => (
    <TextField
      label={label}
      error={faults[name]}
      isCode
      inputMode="numeric"
      value={value[name]}
      onChange={(share) => onChange({ [name]: share })}
    />
  );
  return (
    <>
      <YesNo
        label={t.newCampaign.hasGuard}
        hint={t.newCampaign.guardHint}
        value={value.hasGuard}
        onChange={(hasGuard) => onChange({ hasGuard })}
      />
      {value.hasGuard && (
        <div className="stack schedule">
          <div className="variables">
            {shareOf("failedShare", t.newCampaign.failedShare)}
            {shareOf("optOutShare", t.newCampaign.optOutShare)}
            {shareOf("after", t.newCampaign.after)}
          </div>
          {faults.guard && <p className="bad">{faults.guard}</p>}
        </div>
      )}
    </>
  );
}
