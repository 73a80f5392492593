// Adds the numbers of a table to a phonebook. The console has the reader: it finds the columns by their titles and by what they have.
import { entriesOf } from "./entries.mjs";
import { clean } from "./steps.mjs";
import { openTable } from "./table.mjs";

const csv = { "content-type": "text/csv; charset=utf-8" };
/** So many bad lines are told. */
const mostTold = 100;

/** Returns whether all lines are good. */
export async function movePhonebook(service, { file, name, go, print }) {
  const read = await entriesOf(await openTable(file), file);
  const books = await service.all("/phonebook");
  const book = books.find(({ title }) => title === name);
  tell(read, print);
  const there = book ? await numbersOf(service, book) : new Set();
  const old = read.entries.filter(({ number }) => there.has(number)).length;
  const [fresh, title] = [read.entries.length - old, clean(name)];
  print(
    book
      ? `phonebook  "${title}" is there with ${book.count} numbers`
      : `phonebook  "${title}" ${go ? "is" : "would be"} made`,
  );
  if (go) return save(service, { read, book, name, print });
  print(
    `dry run    ${fresh} would be added, ${old} are there and would get what the file says; ${read.bad.length} bad`,
  );
  return tellBad(read.bad, print);
}

function tell({ entries, double, columns, unused }, print) {
  print(`columns    ${columns.map(([column, title]) => `${column} ← ${clean(title)}`).join(", ")}`);
  if (unused.length > 0) print(`not used   ${unused.map(clean).join(", ")}`);
  print(`numbers    ${entries.length}, and ${double} that come again: the last line counts`);
}

/** The numbers that a phonebook has. */
async function numbersOf(service, { id }) {
  const text = await service.ask("GET", `/phonebook/${id}/export`);
  return new Set([...text.matchAll(/^"?(\+\d+)/gm)].map(([, number]) => number));
}

/** A number that is added again is updated, so each portion can be sent again. */
async function save(service, { read, book, name, print }) {
  const refused = [];
  let [added, updated, done] = [0, 0, 0];
  try {
    const id = book?.id ?? (await make(service, name));
    for (const { text, lines } of read.portions()) {
      const { data } = await service.ask("POST", `/phonebook/${id}/import`, { raw: text, headers: csv, safe: true });
      for (const { line, detail } of data.invalid) refused.push({ line: lines.get(line).row.line, fault: detail });
      [added, updated, done] = [added + data.added, updated + data.updated, done + lines.size];
      print(`moved      ${done} of ${read.entries.length}`);
    }
  } finally {
    const left = read.entries.length - done;
    print(
      `done       ${added} added, ${updated} were there; ${read.bad.length + refused.length} bad${left > 0 ? `; ${left} left` : ""}`,
    );
  }
  return tellBad([...read.bad, ...refused], print);
}

async function make(service, title) {
  const { data } = await service.ask("POST", "/phonebook", { body: { title } });
  return data.id;
}

function tellBad(bad, print) {
  const sorted = bad.toSorted((one, other) => one.line - other.line);
  for (const { line, fault } of sorted.slice(0, mostTold)) print(`line ${line}: ${clean(fault)}`);
  if (sorted.length > mostTold) print(`… and ${sorted.length - mostTold} more`);
  return bad.length === 0;
}
