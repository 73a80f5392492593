import type { Schemas } from "../../api/client.ts";
import { useFormat } from "../../format/format.ts";
import { useTexts } from "../../format/texts.ts";
import { Badge } from "../../parts/Badge.tsx";
import { Code } from "../../parts/Code.tsx";
import { type Column, Table } from "../../parts/Table.tsx";
import { operatorOf, rateOf } from "./stats.ts";

type By = Schemas["VerifyStats"]["by"];
type Row = Schemas["VerifyStatsRow"];

/** The newest day first; of all else what is used most. */
const inOrder = (rows: Row[], by: By) =>
  rows.toSorted((a, b) => (by === "day" ? b.name.localeCompare(a.name) : b.started - a.started));

export function StatsTable({ stats: { by, rows } }: { stats: Schemas["VerifyStats"] }) {
  const { t, format } = useTexts();
  const number = (title: string, of: (row: Row) => number): Column<Row> => ({
    title,
    cell: (row) => format.number(of(row)),
    isNumber: true,
  });
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

function Name({ of: { name, pausedUntil }, by }: { of: Row; by: By }) {
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
