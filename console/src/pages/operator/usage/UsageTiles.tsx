import { useMessages } from "../../../base/messages.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { Tiles } from "../../../parts/Tiles.tsx";
import { useUnit } from "../shared/unit.ts";
import { type Row, totalOf } from "./sums.ts";

export function UsageTiles({ rows }: { rows: Row[] }) {
  const t = useMessages();
  const o = useOperatorMessages();
  const format = useFormat();
  const unit = useUnit();
  const total = totalOf(rows);
  const tiles = [
    {
      title: t.messages.people,
      value: format.number(total.recipients),
      note: o.usage.inMessages(format.number(total.messages), format.number(total.parts)),
    },
    {
      title: t.overview.rate,
      value: total.rate === null ? "–" : format.percent(total.rate),
      note: total.ended > 0 ? t.overview.rateOf(format.number(total.ended)) : t.overview.nothingEnded,
    },
    { title: t.overview.failed, value: format.number(total.failed) },
    { title: t.messages.cost, value: format.money(total.spent, unit), note: o.usage.afterRefunds },
  ];
  return <Tiles tiles={tiles} />;
}
