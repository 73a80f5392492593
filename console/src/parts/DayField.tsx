import { type CalendarDate, GregorianCalendar, parseDate, setLocalTimeZone, toCalendar } from "@internationalized/date";
import { useContext, useEffect } from "react";
import { Button } from "react-aria-components/Button";
import {
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  CalendarStateContext,
} from "react-aria-components/Calendar";
import { DatePicker } from "react-aria-components/DatePicker";
import { Dialog } from "react-aria-components/Dialog";
import { Group } from "react-aria-components/Group";
import { Heading } from "react-aria-components/Heading";
import { Label } from "react-aria-components/Label";
import { Popover } from "react-aria-components/Popover";
import { useMessages } from "../base/messages.ts";
import { useSettings } from "../base/settings.ts";
import { useFormat } from "../format/format.ts";
import { useTimeZone } from "./days.ts";
import { Icon } from "./Icon.tsx";
import { Segments } from "./Segments.tsx";

type Props = { label: string; value: string | null; onChange: (day: string | null) => void };

/** A day in the person's calendar. Outside it is always one of the Gregorian calendar, such as `2026-01-31`. */
export function DayField({ label, value, onChange }: Props) {
  const t = useMessages();
  const timeZone = useTimeZone();
  // The calendar marks today by it.
  useEffect(() => setLocalTimeZone(timeZone), [timeZone]);
  const choose = (day: CalendarDate | null) => onChange(day && toCalendar(day, new GregorianCalendar()).toString());
  return (
    <DatePicker className="field" value={dayOf(value)} onChange={choose}>
      <Label>{label}</Label>
      <Group className="input day">
        <Segments />
        <Button className="button link" aria-label={t.form.openCalendar}>
          <Icon name="calendar" />
        </Button>
      </Group>
      <Popover className="popover">
        <Dialog className="calendar">
          <MonthView />
        </Dialog>
      </Popover>
    </DatePicker>
  );
}

/** An address may have been written by hand: what is no day is none. */
function dayOf(text: string | null): CalendarDate | null {
  try {
    return text ? parseDate(text) : null;
  } catch {
    return null;
  }
}

function MonthView() {
  const t = useMessages();
  const isRightToLeft = useSettings().language === "fa";
  return (
    <Calendar>
      <div className="month">
        <Button slot="previous" className="button link" aria-label={t.form.earlierMonth}>
          <Icon name="earlier" isTurned={isRightToLeft} />
        </Button>
        <MonthName />
        <Button slot="next" className="button link" aria-label={t.form.laterMonth}>
          <Icon name="later" isTurned={isRightToLeft} />
        </Button>
      </div>
      <CalendarGrid>
        <CalendarGridHeader>{(day) => <CalendarHeaderCell>{day}</CalendarHeaderCell>}</CalendarGridHeader>
        <CalendarGridBody>{(date) => <CalendarCell date={date} className="day-cell" />}</CalendarGridBody>
      </CalendarGrid>
    </Calendar>
  );
}

function MonthName() {
  const format = useFormat();
  const state = useContext(CalendarStateContext);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return <Heading>{state && format.month(state.visibleRange.start.toDate(timeZone))}</Heading>;
}
