import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { BarChart } from "../../../parts/BarChart.tsx";
import { Empty } from "../../../parts/Empty.tsx";
import { type Column, Table } from "../../../parts/Table.tsx";
import { type Traffic, together } from "./traffic.ts";

/** What was sent by day, with the same as a table. */
export function TrafficChart({ days }: { days: Traffic[] }) {
  const { t, o, format } = useOperatorTexts();
  const month = together(days);
  if (month.sent === 0) return <Empty title={o.service.noTraffic} text={o.service.noTrafficText} />;
  const simulated = {
    name: t.messages.simulatedAs(o.traffic.delivered),
    className: "simulated",
    of: (day: Traffic) => day.simulated,
  };
  const series = [
    { name: o.traffic.delivered, className: "good", of: (day: Traffic) => day.delivered - day.simulated },
    ...(month.simulated > 0 ? [simulated] : []),
    { name: o.traffic.failed, className: "bad", of: (day: Traffic) => day.failed },
    { name: t.overview.canceled, className: "calm", of: (day: Traffic) => day.canceled },
    { name: o.traffic.other, className: "busy", of: (day: Traffic) => day.other },
  ];
  const number = (title: string, of: (day: Traffic) => number): Column<Traffic> => ({
    title,
    isNumber: true,
    cell: (day) => format.number(of(day)),
  });
  const columns: Column<Traffic>[] = [
    { title: o.traffic.day, cell: ({ key }) => format.day(key), isWide: true, isTitle: true },
    ...series.map(({ name, of }) => number(name, of)),
    number(o.traffic.sent, (day) => day.sent),
  ];
  return (
    <section className="card charts">
      <BarChart
        title={o.service.byDay}
        series={series}
        bars={days.map((day) => ({ label: format.shortDay(day.key), values: series.map(({ of }) => of(day)) }))}
        write={format.compact}
        summary={series.map(({ name, of }) => `${name}: ${format.number(of(month))}`).join(" · ")}
      />
      <details>
        <summary>{o.service.asTable}</summary>
        <Table
          caption={o.service.byDay}
          columns={columns}
          rows={days.filter(({ sent }) => sent > 0).reverse()}
          idOf={({ key }) => key}
        />
      </details>
      <p className="hint">{o.service.utc}</p>
    </section>
  );
}
