import type { Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { Tiles } from "../../parts/Tiles.tsx";
import { rateOf, totalOf } from "./stats.ts";

export function StatsTiles({ rows }: { rows: Schemas["VerifyStatsRow"][] }) {
  const t = useMessages();
  const format = useFormat();
  const { started, sent, checked, approved, blocked } = totalOf(rows);
  const rate = rateOf({ started, sent, checked, approved, blocked });
  return (
    <Tiles
      tiles={[
        { title: t.verify.started, value: format.number(started), note: t.verify.sentOf(format.number(sent)) },
        { title: t.verify.approved, value: format.number(approved), note: t.verify.checkedOf(format.number(checked)) },
        { title: t.verify.rate, value: rate === null ? "–" : format.percent(rate), note: t.verify.rateNote },
        { title: t.verify.blocked, value: format.number(blocked), note: t.verify.blockedNote },
      ]}
    />
  );
}
