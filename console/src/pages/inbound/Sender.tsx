import { useFormat } from "../../format/format.ts";
import { Code } from "../../parts/Code.tsx";
import { isNumber } from "./conversations.ts";

export function Sender({ of }: { of: string }) {
  const format = useFormat();
  return isNumber(of) ? <Code>{format.phone(of)}</Code> : <bdi>{of}</bdi>;
}
