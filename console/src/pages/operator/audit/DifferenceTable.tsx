import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Code } from "../../../parts/Code.tsx";
import { type Column, Table } from "../../../parts/Table.tsx";
import type { Difference } from "./difference.ts";

/** What was made had no values before, and what is gone has none after: then there is no column for them. */
export function DifferenceTable({ differences }: { differences: Difference[] }) {
  const o = useOperatorMessages();
  const columns: Column<Difference>[] = [
    { title: o.audit.member, isTitle: true, cell: ({ path }) => <Code className="uid">{path}</Code> },
  ];
  if (differences.some(({ before }) => before !== undefined))
    columns.push({ title: o.audit.before, cell: ({ before }) => <Value of={before} className="old" /> });
  if (differences.some(({ after }) => after !== undefined))
    columns.push({ title: o.audit.after, cell: ({ after }) => <Value of={after} className="new" /> });
  return <Table caption={o.audit.differences} columns={columns} rows={differences} idOf={({ path }) => path} />;
}

function Value({ of, className }: { of: string | undefined; className: string }) {
  return of === undefined ? "–" : <bdi className={`value ${className}`}>{of}</bdi>;
}
