// The numbers of a table, and the portions in which they go to the service.
import { attributesOf, portionOf, sortOut } from "../../../console/src/pages/import/entries.ts";
import { guess } from "../../../console/src/pages/import/mapping.ts";
import { Failure } from "../base/command.mjs";

/** The service saves so many in a transaction. */
const portion = 2_000;
/** The service takes 5 MiB. A character takes up to three bytes. */
const mostCharacters = 1_500_000;
const kinds = { number: "number", name: "name" };

/** `{entries, double, bad, columns, unused, portions}` of a table. */
export async function entriesOf(table, file) {
  const mapping = guess(table);
  const { entries, bad, double } = await sortOut(table, mapping, new AbortController().signal);
  if (entries.size === 0) throw new Failure(`${file} has no phone number`);
  const titled = mapping.columns.map((column, place) => ({ column, title: titleAt(table, mapping, place) }));
  const list = [...entries.values()];
  return {
    entries: list,
    double,
    bad: bad.map(({ row, value }) => ({
      line: row.line,
      fault: `"${value.slice(0, 64)}" is not a valid phone number`,
    })),
    columns: titled.flatMap(({ column: { kind, title: own }, title }) =>
      kind === "none" ? [] : [[kinds[kind] ?? `%${own}%`, title]],
    ),
    unused: titled.flatMap(({ column, title }) => (column.kind === "none" ? [title] : [])),
    portions: () => portionsOf(list, attributesOf(mapping.columns)),
  };
}

const titleAt = ({ rows }, { hasHeader }, place) => (hasHeader && rows[0]?.cells[place]) || `column ${place + 1}`;

function* portionsOf(entries, attributes) {
  let [own, characters] = [[], 0];
  for (const entry of entries) {
    const more = entry.name.length + entry.values.reduce((sum, value) => sum + value.length + 3, 40);
    if (own.length === portion || (own.length > 0 && characters + more > mostCharacters)) {
      yield portionOf(own, attributes);
      [own, characters] = [[], 0];
    }
    own.push(entry);
    characters += more;
  }
  yield portionOf(own, attributes);
}
