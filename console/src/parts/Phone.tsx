import { useTexts } from "../format/texts.ts";
import { Code } from "./Code.tsx";
import { isErased } from "./erased.ts";

/** A phone number in groups, or that it was erased. */
export function Phone({ of }: { of: string }) {
  const { t, format } = useTexts();
  return isErased(of) ? <span className="faint">{t.state.erased}</span> : <Code>{format.phone(of)}</Code>;
}
