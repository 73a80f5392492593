import type { Schemas } from "../../../api/client.ts";
import { href } from "../../../base/router.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { type Column, numbers, Table } from "../../../parts/Table.tsx";
import { useUnit } from "../shared/unit.ts";
import { useNameOf } from "./names.ts";
import { inOrder, type Row } from "./sums.ts";
import type { Filters } from "./UsageFilters.tsx";

type Props = { by: Schemas["UsageSum"]["by"]; rows: Row[]; filters: Filters };

export function UsageTable({ by, rows, filters }: Props) {
  const { t, o, format } = useOperatorTexts();
  const unit = useUnit();
  const number = (title: string, of: (row: Row) => number) => numbers<Row>(title, (row) => format.number(of(row)));
  const columns: Column<Row>[] = [
    {
      title: o.usage.bys[by],
      isWide: true,
      isTitle: true,
      cell: (row) => <Name by={by} row={row} filters={filters} />,
    },
    // Several carriers may share a message, so none has messages of its own.
    ...(by === "carrier" ? [] : [number(t.messages.title, (row) => row.messages)]),
    number(t.messages.people, (row) => row.recipients),
    number(t.message.parts, (row) => row.parts),
    number(t.overview.delivered, (row) => row.delivered),
    number(t.overview.failed, (row) => row.failed),
    { title: o.usage.rate, cell: ({ rate }) => (rate === null ? "–" : format.percent(rate)), isNumber: true },
    { title: t.messages.cost, cell: ({ spent }) => format.money(spent, unit), isNumber: true },
  ];
  return <Table caption={o.pages.usage} columns={columns} rows={inOrder(by, rows)} idOf={({ key }) => key} />;
}

/** The way from an account, a line or a carrier to its days. */
function Name({ by, row, filters }: { by: Schemas["UsageSum"]["by"]; row: Row; filters: Filters }) {
  const name = useNameOf(by)(row);
  if (by === "day" || row.key === "") return name;
  const { from, to, mode } = filters;
  return (
    <a href={href("/usage", { from, to, mode: mode === "live" ? "" : mode, [by]: row.key })}>
      <bdi>{name}</bdi>
    </a>
  );
}
