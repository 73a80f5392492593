import { isConflict } from "../../../api/problem.ts";

/** What an account still has that can't be closed. */
export type Left = { available: number; locked: number; unit: string; recipients: number };

/** The amounts and the count of the refusal, in the order in which it has them in each language. */
const amounts = /(\d+) ([A-Z]{3})\D+(\d+) [A-Z]{3}\D+(\d+) /;

/** What is left, as the refusal of the closing says it. `null`: it was refused for something else. */
export function leftIn(error: Error): Left | null {
  const found = isConflict(error) ? amounts.exec(error.message) : null;
  if (!found) return null;
  const [, available, unit = "", locked, recipients] = found;
  return { available: Number(available), unit, locked: Number(locked), recipients: Number(recipients) };
}
