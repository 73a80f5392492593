import { useTexts } from "../../format/texts.ts";
import { RadioChoice } from "../../parts/RadioChoice.tsx";
import { LandlineChoice } from "../compose/LandlineChoice.tsx";
import { isScientific, type Landlines } from "../compose/numbers.ts";
import type { Sorted } from "./entries.ts";
import { type Column, type Mapping, numberColumnsOf, withNumbersFrom } from "./mapping.ts";
import type { Table } from "./table.ts";

type NumberColumnsProps = { table: Table; mapping: Mapping; onChange: (columns: Column[]) => void };

/** A table may have a mobile and a landline of each person: the person says which of them are wanted. */
export function NumberColumns({ table, mapping: { hasHeader, columns }, onChange }: NumberColumnsProps) {
  const { t, format } = useTexts();
  const found = numberColumnsOf(table, hasHeader);
  if (found.length < 2) return null;
  const all = found.map(({ place }) => place);
  const chosen = columns.flatMap(({ kind }, place) => (kind === "number" ? [place] : []));
  const choices = found.map(({ place, title }) => ({
    id: String(place),
    text: `\u2068${title || t.importing.column(format.number(place + 1))}\u2069`,
  }));
  return (
    <RadioChoice
      label={t.importing.numberColumns}
      value={chosen.join()}
      choices={[...choices, { id: all.toSorted((one, other) => one - other).join(), text: t.importing.allColumns }]}
      onChange={(places) => onChange(withNumbersFrom(columns, places.split(",").map(Number)))}
    />
  );
}

type FoundProps = {
  sorted: Sorted;
  landlineCount: number;
  landlines: Landlines;
  onChange: (landlines: Landlines) => void;
};

/** What of the numbers is not as the person may think: landlines, and digits that Excel has destroyed. */
export function Found({ sorted, landlineCount, landlines, onChange }: FoundProps) {
  const { t, format } = useTexts();
  const destroyed = sorted.bad.filter(({ value }) => isScientific(value)).length;
  return (
    <>
      <LandlineChoice count={landlineCount} value={landlines} onChange={onChange} />
      {destroyed > 0 && <p className="note">{t.importing.destroyed(format.number(destroyed))}</p>}
    </>
  );
}
