import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { dataQuery } from "../../api/queries.ts";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { useTexts } from "../../format/texts.ts";
import { Badge } from "../../parts/Badge.tsx";
import { BarChart } from "../../parts/BarChart.tsx";
import { Code } from "../../parts/Code.tsx";
import { DayField } from "../../parts/DayField.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Filters, useFilters } from "../../parts/Filters.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { Page } from "../../parts/Page.tsx";
import { choicesOf, Select } from "../../parts/Select.tsx";
import { type Column, numbers, Table } from "../../parts/Table.tsx";
import { Tiles } from "../../parts/Tiles.tsx";
import { FindOne } from "./FindOne.tsx";
import { daysOf, operatorOf, rateOf, totalOf } from "./stats.ts";

export default function Verifications() {
  const t = useMessages();
  return (
    <Page title={t.verify.title} lead={t.verify.lead} scope="verify">
      <StatsFilters />
      <Stats />
      <FindOne />
    </Page>
  );
}

const useStatsFilters = () => useFilters(["by", "from", "to", "id"], { by: "day" });

function StatsFilters() {
  const t = useMessages();
  const { filters, at, change } = useStatsFilters();
  const isFiltered = Boolean(filters.from || filters.to);
  return (
    <Filters onClear={isFiltered ? () => change({ from: "", to: "" }) : undefined}>
      <Select label={t.verify.by} choices={choicesOf(t.verify.ways)} {...at("by")} />
      <DayField label={t.form.from} {...at("from")} />
      <DayField label={t.form.to} {...at("to")} />
    </Filters>
  );
}

function Stats() {
  const t = useMessages();
  const { by, from, to } = useStatsFilters().filters;
  const list = useQuery({
    ...dataQuery(["verify", "stats"], "/verify/stats", { query: { by, from, to } }),
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded query={list}>
      {(stats) =>
        stats.rows.length === 0 ? (
          <Empty title={t.verify.none} text={t.verify.noneText} />
        ) : (
          <>
            <StatsTiles rows={stats.rows} />
            <section className="card stack" aria-busy={list.isPlaceholderData}>
              {stats.by === "day" && <DayChart stats={stats} />}
              <StatsTable stats={stats} />
              <p className="hint">{t.verify.utc}</p>
            </section>
          </>
        )
      }
    </Loaded>
  );
}

function StatsTiles({ rows }: { rows: Schemas["VerifyStatsRow"][] }) {
  const { t, format } = useTexts();
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

function DayChart({ stats }: { stats: Schemas["VerifyStats"] }) {
  const { t, format } = useTexts();
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

type Row = Schemas["VerifyStatsRow"];

/** The newest day first; of all else what is used most. */
const inOrder = (rows: Row[], by: Schemas["VerifyStats"]["by"]) =>
  rows.toSorted((a, b) => (by === "day" ? b.name.localeCompare(a.name) : b.started - a.started));

function StatsTable({ stats: { by, rows } }: { stats: Schemas["VerifyStats"] }) {
  const { t, format } = useTexts();
  const number = (title: string, of: (row: Row) => number) => numbers<Row>(title, (row) => format.number(of(row)));
  const columns: Column<Row>[] = [
    { title: t.verify.ways[by], isTitle: true, cell: (row) => <Name of={row} by={by} /> },
    { title: t.verify.rate, isWide: true, cell: (row) => <Rate of={row} /> },
    number(t.verify.started, ({ started }) => started),
    number(t.verify.sent, ({ sent }) => sent),
    number(t.verify.approved, ({ approved }) => approved),
    number(t.verify.blocked, ({ blocked }) => blocked),
    {
      title: t.verify.median,
      isNumber: true,
      cell: ({ medianSeconds }) => (medianSeconds === null ? "–" : t.verify.seconds(format.number(medianSeconds))),
    },
  ];
  return <Table caption={t.verify.list} columns={columns} rows={inOrder(rows, by)} idOf={({ name }) => name} />;
}

function Name({ of: { name, pausedUntil }, by }: { of: Row; by: Schemas["VerifyStats"]["by"] }) {
  const { t, format } = useTexts();
  if (by === "day") return format.day(name);
  if (by !== "prefix") return name === "" ? t.verify.noCarrier : <Code>{format.digits(name)}</Code>;
  const operator = operatorOf(name);
  return (
    <span className="text-link">
      <Code>{format.prefix(name)}</Code>
      {operator && <span className="hint">{t.mobileOperators[operator]}</span>}
      {pausedUntil && <Badge tone="bad">{t.verify.pausedUntil(format.moment(pausedUntil))}</Badge>}
    </span>
  );
}

/** The rate as a number and as the length of a bar, so that rows can be compared at a glance. */
function Rate({ of }: { of: Row }) {
  const format = useFormat();
  const rate = rateOf(of);
  if (rate === null) return "–";
  return (
    <span className="rate">
      <span className="bar" aria-hidden="true">
        <span className="good" style={{ flexGrow: rate }} />
        <span className="rest" style={{ flexGrow: 1 - rate }} />
      </span>
      {format.percent(rate)}
    </span>
  );
}
