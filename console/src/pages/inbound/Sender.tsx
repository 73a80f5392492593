import { isErased } from "../../parts/erased.ts";
import { Phone } from "../../parts/Phone.tsx";
import { isNumber } from "./conversations.ts";

export function Sender({ of }: { of: string }) {
  return isNumber(of) || isErased(of) ? <Phone of={of} /> : <bdi>{of}</bdi>;
}
