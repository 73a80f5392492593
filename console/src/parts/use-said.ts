import { useContext } from "react";
import { SessionContext } from "../api/session-context.ts";
import { useSpans } from "../format/spans.ts";
import { useTexts } from "../format/texts.ts";
import { saidOf, type Told } from "./said.ts";

/** What problems say to the person who reads. */
export function useSaid(): (problem: Told) => string {
  const words = useTexts();
  const { span } = useSpans();
  const session = useContext(SessionContext);
  const reader = { isOperator: session?.role === "OPERATOR", role: session?.member?.role ?? null };
  return (problem) => saidOf({ ...words, span, reader }, problem);
}
