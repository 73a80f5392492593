import type { Schemas } from "../../../api/client.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import type { Row } from "./sums.ts";

/** What a sum is called: a day, an account, a line or a carrier. */
export function useNameOf(by: Schemas["UsageSum"]["by"]): (row: Row) => string {
  const { o, format } = useOperatorTexts();
  return ({ key, username }) => {
    if (by === "day") return format.day(key);
    if (by === "account") return username ?? key;
    if (by === "line") return format.digits(key);
    return key || o.usage.noCarrier;
  };
}
