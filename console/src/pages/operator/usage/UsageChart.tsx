import type { Schemas } from "../../../api/client.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { BarChart } from "../../../parts/BarChart.tsx";
import { useUnit } from "../shared/unit.ts";
import { useNameOf } from "./names.ts";
import { daysOf, inOrder, onEachDay, type Row, totalOf } from "./sums.ts";
import type { Filters } from "./UsageFilters.tsx";

/** How many bars have room for their names if they are no days. */
const most = 5;

type Counts = Pick<Row, "delivered" | "simulated" | "failed" | "canceled" | "other">;
type Series = { name: string; className: string; of: (row: Counts) => number };
type Props = { by: Schemas["UsageSum"]["by"]; rows: Row[]; filters: Filters };

export function UsageChart({ by, rows, filters }: Props) {
  const { t, o, format } = useOperatorTexts();
  const unit = useUnit();
  const nameOf = useNameOf(by);
  const isByDay = by === "day";
  const shown = isByDay
    ? onEachDay(rows, daysOf(filters.from, filters.to, Date.now()))
    : inOrder(by, rows).slice(0, most);
  const label = (row: Row) => (isByDay ? format.shortDay(row.key) : shortened(nameOf(row)));
  const total = totalOf(rows);
  const all = { ...total, other: Math.max(0, total.recipients - total.ended - total.canceled) };
  const { delivered } = t.overview;
  const simulated: Series = {
    name: t.messages.simulatedAs(delivered),
    className: "simulated",
    of: (row) => row.simulated,
  };
  const series: Series[] = [
    { name: delivered, className: "good", of: (row) => row.delivered - row.simulated },
    ...(total.simulated > 0 ? [simulated] : []),
    { name: t.overview.failed, className: "bad", of: (row) => row.failed },
    { name: t.overview.canceled, className: "calm", of: (row) => row.canceled },
    { name: t.overview.other, className: "busy", of: (row) => row.other },
  ];
  const spent = format.money(total.spent, unit);
  return (
    <section className="card charts">
      <div className="pair">
        <BarChart
          title={isByDay ? t.overview.byDay : o.usage.largest}
          series={series}
          bars={shown.map((row) => ({ label: label(row), values: series.map(({ of }) => of(row)) }))}
          write={format.compact}
          summary={series.map(({ name, of }) => `${name}: ${format.number(of(all))}`).join(" · ")}
        />
        <BarChart
          title={t.messages.cost}
          series={[{ name: t.messages.cost, className: "accent" }]}
          bars={shown.map((row) => ({ label: label(row), values: [Math.max(0, row.spent)] }))}
          write={format.compact}
          summary={spent}
          note={spent}
        />
      </div>
      <p className="hint">{t.overview.utc}</p>
    </section>
  );
}

/** A name under a bar has little room, and keeps its own direction. The table has it whole. */
const shortened = (name: string) => `\u2068${name.length > 12 ? `${name.slice(0, 11)}…` : name}\u2069`;
