import type { Messages } from "../../base/messages.ts";
import { isScientific } from "../compose/numbers.ts";

/** Why there is no phone number in what stands in its place. */
export const reasonOf = (t: Messages, value: string): string =>
  isScientific(value) ? t.importing.scientific : t.importing.noNumber;
