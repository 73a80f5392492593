import type { Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { BarChart } from "../../parts/BarChart.tsx";
import { daysOf, totalOf } from "./stats.ts";

export function DayChart({ stats }: { stats: Schemas["VerifyStats"] }) {
  const t = useMessages();
  const format = useFormat();
  const total = totalOf(stats.rows);
  const series = [
    { name: t.verify.approved, className: "good" },
    { name: t.verify.notApproved, className: "calm" },
    { name: t.verify.blocked, className: "bad" },
  ];
  const counts = [total.approved, total.started - total.approved - total.blocked, total.blocked];
  return (
    <div className="narrow">
      <BarChart
        title={t.verify.byDay}
        series={series}
        bars={daysOf(stats.rows, stats.from, stats.to).map(({ name, started, approved, blocked }) => ({
          label: format.shortDay(name),
          values: [approved, started - approved - blocked, blocked],
        }))}
        write={format.compact}
        summary={series.map(({ name }, index) => `${name}: ${format.number(counts[index] ?? 0)}`).join(" · ")}
      />
    </div>
  );
}
