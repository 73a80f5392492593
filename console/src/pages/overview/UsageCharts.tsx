import { useTexts } from "../../format/texts.ts";
import { BarChart } from "../../parts/BarChart.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { type Column, Table } from "../../parts/Table.tsx";
import { type Day, summaryOf, type Usage } from "./usage.ts";

export function UsageCharts({ usage }: { usage: Usage }) {
  const { t, format } = useTexts();
  const summary = summaryOf(usage, 0);
  if (summary.sent === 0) return <Empty title={t.overview.noUsage} text={t.overview.noUsageText} />;
  const { days, unit } = usage;
  const series = [
    { name: t.overview.delivered, className: "good" },
    { name: t.overview.failed, className: "bad" },
    { name: t.overview.canceled, className: "calm" },
    { name: t.overview.other, className: "busy" },
  ];
  const spent = t.overview.spentOf(format.money(summary.spent, unit), format.money(summary.spentToday, unit));
  const other = summary.sent - summary.delivered - summary.failed - summary.canceled;
  const counts = [summary.delivered, summary.failed, summary.canceled, other].map(format.number);
  return (
    <section className="card charts">
      <div className="pair">
        <BarChart
          title={t.overview.byDay}
          series={series}
          bars={days.map((day) => ({
            label: format.shortDay(day.date),
            values: [day.delivered, day.failed, day.canceled, day.other],
          }))}
          write={format.compact}
          summary={series.map(({ name }, index) => `${name}: ${counts[index]}`).join(" · ")}
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
        <UsageTable usage={usage} />
      </details>
      <p className="hint">{t.overview.utc}</p>
    </section>
  );
}

function UsageTable({ usage: { days, unit } }: { usage: Usage }) {
  const { t, format } = useTexts();
  const number = (title: string, of: (day: Day) => number): Column<Day> => ({
    title,
    cell: (day) => format.number(of(day)),
    isNumber: true,
  });
  const columns: Column<Day>[] = [
    { title: t.overview.day, cell: (day) => format.day(day.date), isWide: true, isTitle: true },
    number(t.overview.delivered, (day) => day.delivered),
    number(t.overview.failed, (day) => day.failed),
    number(t.overview.canceled, (day) => day.canceled),
    number(t.overview.other, (day) => day.other),
    number(t.overview.total, (day) => day.total),
    { title: t.messages.cost, cell: (day) => format.money(day.spent, unit), isNumber: true },
  ];
  const used = days.filter((day) => day.total > 0).reverse();
  return <Table caption={t.overview.byDay} columns={columns} rows={used} idOf={(day) => day.date} />;
}
