import { latinDigits } from "./digits.ts";

const separators = /[\s,٬_]/g;

/** The whole number that somebody has typed, with separators and with digits of either kind. `null`: it is none. */
export function wholeOf(text: string): number | null {
  const plain = latinDigits(text).replace(separators, "").replace("−", "-");
  const value = Number(plain);
  return /^[+-]?\d+$/.test(plain) && Number.isSafeInteger(value) ? value : null;
}

/** The same for the body of a request. What is no number goes as it was typed, and the service says what it should be. */
export const wholeOrTyped = (text: string): number => wholeOf(text) ?? (text.trim() as unknown as number);
