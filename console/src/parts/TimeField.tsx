import { parseTime, type Time } from "@internationalized/date";
import { Label } from "react-aria-components/Label";
import { TimeField as AriaTimeField } from "react-aria-components/TimeField";
import { Segments } from "./Segments.tsx";

type Props = { label: string; value: string; onChange: (time: string) => void };

/** A time of day such as `09:00`, with the digits of the person's language. */
export function TimeField({ label, value, onChange }: Props) {
  return (
    <AriaTimeField
      className="field"
      hourCycle={24}
      shouldForceLeadingZeros
      value={timeOf(value)}
      onChange={(time) => onChange(time ? time.toString().slice(0, 5) : "")}
    >
      <Label>{label}</Label>
      <div className="input day">
        <Segments />
      </div>
    </AriaTimeField>
  );
}

function timeOf(text: string): Time | null {
  try {
    return parseTime(text);
  } catch {
    return null;
  }
}
