import { useTexts } from "../../format/texts.ts";
import { choicesOf, Select } from "../../parts/Select.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { bodyOf, type Column, changed, faultAt, type Kind, type Mapping, titlesOf } from "./mapping.ts";
import type { Table } from "./table.ts";

/** So many rows show what a column has. */
const shown = 3;

type Props = { table: Table; mapping: Mapping; onChange: (columns: Column[]) => void };

/** Each column with its first cells, and what it means. */
export function Columns({ table, mapping: { hasHeader, columns }, onChange }: Props) {
  const { t, format } = useTexts();
  const sample = bodyOf(table, hasHeader).slice(0, shown);
  const titles = titlesOf(table, hasHeader);
  const kinds = choicesOf(t.importing.kinds);
  return (
    <ul className="columns">
      {columns.map((column, place) => {
        const title = titles[place] || t.importing.column(format.number(place + 1));
        const fault = faultAt(columns, place);
        const change = (part: Partial<Column>) => onChange(changed(columns, place, { ...column, ...part }));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is known by its place alone.
          <li key={place} className={column.kind}>
            <Select
              label={`\u2068${title}\u2069`}
              value={column.kind}
              choices={kinds}
              onChange={(kind) => change({ kind: kind as Kind })}
            />
            {column.kind === "attribute" && (
              <TextField
                label={t.importing.attributeOf(title)}
                error={fault && t.importing.faults[fault]}
                maxLength={50}
                value={column.title}
                onChange={(title) => change({ title })}
              />
            )}
            <p className="faint">
              {sample.map(({ cells, line }) => (
                <bdi key={line}>{cells[place] || "–"}</bdi>
              ))}
            </p>
          </li>
        );
      })}
    </ul>
  );
}
