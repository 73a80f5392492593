import { Problem } from "../api/problem.ts";

/** What a refused request says about one member of its body, such as `/smpp/host`. */
export function faultAt(error: Error | null, pointer: string): string | undefined {
  if (!(error instanceof Problem)) return undefined;
  return error.document.errors.find((fault) => fault.pointer === pointer)?.detail.replaceAll("`", "");
}
