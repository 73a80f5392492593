import { DateInput, DateSegment } from "react-aria-components/DateField";
import { currentSettings } from "../base/settings.ts";

/** The parts of a day or a time, each to be typed or moved by the arrows. As any number, they go from left to right. */
export function Segments() {
  return (
    <div ref={takeAnyDigits} dir="ltr">
      <DateInput className="segments">{(segment) => <DateSegment segment={segment} />}</DateInput>
    </div>
  );
}

/** In Persian, React Aria takes Persian digits alone. Many keyboards have only Latin ones, which are to mean the same. */
function takeAnyDigits(element: HTMLElement | null) {
  element?.addEventListener("beforeinput", translate, { capture: true });
  return () => element?.removeEventListener("beforeinput", translate, { capture: true });
}

function translate(event: InputEvent) {
  if (currentSettings().language !== "fa" || !event.data || !/^\d$/.test(event.data)) return;
  event.preventDefault();
  event.stopPropagation();
  const { inputType, target } = event;
  const data = String.fromCharCode(0x06f0 + Number(event.data));
  target?.dispatchEvent(new InputEvent("beforeinput", { data, inputType, bubbles: true, cancelable: true }));
}
