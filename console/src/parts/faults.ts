import { Problem } from "../api/problem.ts";
import { textsIn } from "../base/messages.ts";
import { currentSettings } from "../base/settings.ts";
import { faultIn } from "./said.ts";

/** What a refused request says about one member of its body, such as `/smpp/host`. */
export function faultAt(error: Error | null, pointer: string): string | undefined {
  if (!(error instanceof Problem)) return undefined;
  const fault = error.document.errors.find((fault) => fault.pointer === pointer);
  return fault && faultIn(textsIn(currentSettings().language), fault.detail);
}

/** The same of the first member that is a part of another one, such as of `/routes/0/prefixes`. */
export function faultUnder(error: Error | null, pointer: string): string | undefined {
  if (!(error instanceof Problem)) return undefined;
  const fault = error.document.errors.find((fault) => `${fault.pointer}/`.startsWith(`${pointer}/`));
  return fault && faultAt(error, fault.pointer);
}
