import { useTexts } from "../../format/texts.ts";
import { DayField } from "../../parts/DayField.tsx";
import { RadioChoice } from "../../parts/RadioChoice.tsx";
import { TimeField } from "../../parts/TimeField.tsx";
import type { When } from "./draft.ts";
import { sendAtOf } from "./sends.ts";

type Props = { draft: When; error: string | undefined; onChange: (part: Partial<When>) => void };

const hour = 3_600_000;

/** The next full hour but one: a time that people can change, and that is not over before they have. */
function soon(): { day: string; time: string } {
  const at = new Date(Date.now() + 2 * hour);
  return { day: at.toLocaleDateString("sv"), time: `${String(at.getHours()).padStart(2, "0")}:00` };
}

/** When it is sent: at once, or at a day and a time of the person's own calendar and time zone. */
export function Schedule({ draft, error, onChange }: Props) {
  const { t } = useTexts();
  const change = (id: string) =>
    onChange({ isLater: id === "later", ...(id === "later" && draft.day === "" && soon()) });
  return (
    <div className="stack schedule">
      <RadioChoice
        label={t.compose.when}
        value={draft.isLater ? "later" : "now"}
        choices={[
          { id: "now", text: t.compose.now },
          { id: "later", text: t.compose.later },
        ]}
        onChange={change}
      />
      {draft.isLater && <Moment draft={draft} error={error} onChange={onChange} />}
    </div>
  );
}

/** A day and a time to come. */
export function Moment({ draft, error, onChange }: Props) {
  const { t, format } = useTexts();
  const sendAt = sendAtOf(draft);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <>
      <div className="moment">
        <DayField label={t.compose.day} value={draft.day} onChange={(day) => onChange({ day: day ?? "" })} />
        <TimeField label={t.compose.time} value={draft.time} onChange={(time) => onChange({ time })} />
      </div>
      <p className={error ? "bad" : "hint"}>
        {error ?? (sendAt && t.compose.at(format.moment(sendAt), `\u2066${timeZone}\u2069`))}
      </p>
    </>
  );
}
