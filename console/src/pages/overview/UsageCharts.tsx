import type { Messages } from "../../base/messages.ts";
import { useTexts } from "../../format/texts.ts";
import { BarChart, type Series } from "../../parts/BarChart.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { type Column, Table } from "../../parts/Table.tsx";
import { type Day, summaryOf, type Usage } from "./usage.ts";

type Count = "delivered" | "simulated" | "failed" | "canceled" | "other";
type CountSeries = Series & { of: Count };

/** What is counted of each day. What the sandbox took is apart, and there only if there was any. */
function seriesOf(t: Messages, hasSimulated: boolean): CountSeries[] {
  const { delivered, failed, canceled, other } = t.overview;
  const simulated: CountSeries = { of: "simulated", name: t.messages.simulatedAs(delivered), className: "simulated" };
  return [
    { of: "delivered", name: delivered, className: "good" },
    ...(hasSimulated ? [simulated] : []),
    { of: "failed", name: failed, className: "bad" },
    { of: "canceled", name: canceled, className: "calm" },
    { of: "other", name: other, className: "busy" },
  ];
}

export function UsageCharts({ usage }: { usage: Usage }) {
  const { t, format } = useTexts();
  const summary = summaryOf(usage, 0);
  if (summary.sent === 0) return <Empty title={t.overview.noUsage} text={t.overview.noUsageText} />;
  const { days, unit } = usage;
  const series = seriesOf(t, summary.simulated > 0);
  const spent = t.overview.spentOf(format.money(summary.spent, unit), format.money(summary.spentToday, unit));
  const countOf = (of: Count) => format.number(days.reduce((sum, day) => sum + day[of], 0));
  return (
    <section className="card charts">
      <div className="pair">
        <BarChart
          title={t.overview.byDay}
          series={series}
          bars={days.map((day) => ({
            label: format.shortDay(day.date),
            values: series.map(({ of }) => day[of]),
          }))}
          write={format.compact}
          summary={series.map(({ name, of }) => `${name}: ${countOf(of)}`).join(" · ")}
        />
        <BarChart
          title={t.overview.spentByDay}
          series={[{ name: t.overview.spentByDay, className: "accent" }]}
          bars={days.map((day) => ({ label: format.shortDay(day.date), values: [day.spent] }))}
          write={format.compact}
          summary={spent}
          note={spent}
        />
      </div>
      <details>
        <summary>{t.overview.asTable}</summary>
        <UsageTable usage={usage} series={series} />
      </details>
      <p className="hint">{t.overview.utc}</p>
    </section>
  );
}

function UsageTable({ usage: { days, unit }, series }: { usage: Usage; series: CountSeries[] }) {
  const { t, format } = useTexts();
  const number = (title: string, of: (day: Day) => number): Column<Day> => ({
    title,
    cell: (day) => format.number(of(day)),
    isNumber: true,
  });
  const columns: Column<Day>[] = [
    { title: t.overview.day, cell: (day) => format.day(day.date), isWide: true, isTitle: true },
    ...series.map(({ name, of }) => number(name, (day) => day[of])),
    number(t.overview.total, (day) => day.total),
    { title: t.messages.cost, cell: (day) => format.money(day.spent, unit), isNumber: true },
  ];
  const used = days.filter((day) => day.total > 0).reverse();
  return <Table caption={t.overview.byDay} columns={columns} rows={used} idOf={(day) => day.date} />;
}
