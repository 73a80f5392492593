// What React Aria says to screen readers. It has no Persian, so its texts are among our own.
import { textsIn } from "./messages.ts";
import { currentSettings } from "./settings.ts";

type Values = { date: string; time: string };
type Text = string | ((values: Values) => string);

/** Under these names React Aria looks for texts in place of its own: it asks for each one as it is needed. */
const localeName = Symbol.for("react-aria.i18n.locale");
const textsName = Symbol.for("react-aria.i18n.strings");

const t = () => textsIn(currentSettings().language);

/** An object whose members are made when they are read: so a change of the language holds at once. */
const readLate = (texts: Record<string, () => Text>) =>
  Object.defineProperties(
    {},
    Object.fromEntries(Object.entries(texts).map(([name, get]) => [name, { get, enumerable: true }])),
  );

const selectedDay = () => (values: Values) => t().aria.selectedDay(values.date);

const packages = {
  "react-aria-components": readLate({ selectPlaceholder: () => t().aria.choose }),
  "@react-aria/overlays": readLate({ dismiss: () => t().app.close }),
  "@react-aria/menu": readLate({ longPressMessage: () => t().aria.longPress }),
  "@react-aria/spinbutton": readLate({ Empty: () => t().aria.empty }),
  "@react-aria/datepicker": readLate({
    calendar: () => t().settings.calendar,
    selectedDateDescription: selectedDay,
    selectedTimeDescription: () => (values) => t().aria.selectedTime(values.time),
  }),
  "@react-aria/calendar": readLate({
    previous: () => t().form.earlierMonth,
    next: () => t().form.laterMonth,
    selectedDateDescription: selectedDay,
    todayDate: () => (values) => t().aria.today(values.date),
    todayDateSelected: () => (values) => t().aria.todayIsSelected(values.date),
    dateSelected: () => (values) => t().aria.dayIsSelected(values.date),
  }),
  "@react-stately/datepicker": readLate({}),
};

/** Gives React Aria its texts. It reads them when its first component is shown. */
export function giveAriaTexts() {
  Object.assign(window, { [localeName]: "en", [textsName]: packages });
}
