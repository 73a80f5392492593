import { useMessages } from "../base/messages.ts";
import { directionOf } from "./direction.ts";

/** What stands in the place of a number or a text that was erased. */
export const isErased = (value: string) => value === "erased";

/** A text of a message as an element shows it. A message whose recipients have different texts has none of its own. */
export function useShownText() {
  const t = useMessages();
  return (text: string | null) => {
    const shown = text === null ? t.messages.bulk : isErased(text) ? t.state.erased : text;
    return { dir: directionOf(shown), children: shown };
  };
}
