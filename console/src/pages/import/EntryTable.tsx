import { useTexts } from "../../format/texts.ts";
import { Code } from "../../parts/Code.tsx";
import { type Column, Table } from "../../parts/Table.tsx";
import type { Entry, Sorted } from "./entries.ts";

const shown = 5;

/** The first numbers as the phonebook would have them. */
export function EntryTable({ sorted, attributes }: { sorted: Sorted; attributes: string[] }) {
  const { t, format } = useTexts();
  const rows = Array.from(sorted.entries.values()).slice(0, shown);
  const columns: Column<Entry>[] = [
    { title: t.phonebook.number, isTitle: true, cell: ({ number }) => <Code>{format.phone(number)}</Code> },
    { title: t.phonebook.name, cell: ({ name }) => <bdi className="cell-text">{name || "–"}</bdi> },
    ...attributes.map(
      (title, place): Column<Entry> => ({
        title,
        isWide: place === attributes.length - 1,
        cell: ({ values }) => <bdi className="cell-text">{values[place] || "–"}</bdi>,
      }),
    ),
  ];
  return (
    <div className="wide-table">
      <Table caption={t.importing.preview} columns={columns} rows={rows} idOf={({ number }) => number} />
    </div>
  );
}
