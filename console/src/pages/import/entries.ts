// What the rows of a table add to a phonebook.
import { isLandline, isScientific, type Landlines, numberOf } from "../compose/numbers.ts";
import { bodyOf, type Column, type Mapping } from "./mapping.ts";
import { linesIn, pause, quoted, type Row, type Table } from "./table.ts";

/** `values` has a value for each attribute. */
export type Entry = { number: string; name: string; values: string[]; row: Row };
/** A row without a phone number, and what stands in its place. */
export type BadRow = { row: Row; value: string };

export type Sorted = {
  /** By their numbers: a phonebook has each number once. */
  entries: Map<string, Entry>;
  bad: BadRow[];
  /** How many rows name a number that an earlier one has named. */
  double: number;
};

/** How many rows are sorted before the page may do something else. */
const atOnce = 2_000;

export const attributesOf = (columns: Column[]) =>
  columns.flatMap(({ kind, title }) => (kind === "attribute" ? [title.trim()] : []));

/** Reads a row with this in the place of its number. */
export function entryOf(row: Row, columns: Column[], value: string): Entry | null {
  const number = numberOf(value);
  if (number === null) return null;
  const cell = (place: number) => row.cells[place] ?? "";
  const name = columns.findIndex(({ kind }) => kind === "name");
  const values = columns.flatMap(({ kind }, place) => (kind === "attribute" ? [cell(place)] : []));
  return { number, name: name === -1 ? "" : cell(name), values, row };
}

/** A later row counts more, but an empty cell of it takes nothing away. */
function add(entries: Map<string, Entry>, entry: Entry) {
  const before = entries.get(entry.number);
  const values = entry.values.map((value, place) => value || (before?.values[place] ?? ""));
  entries.set(entry.number, { ...entry, name: entry.name || (before?.name ?? ""), values });
}

/** What of a row is to be mended: digits that are gone, or what is no number where nothing but landlines stands beside it. */
function badOf(values: string[], entries: Entry[]): string | undefined {
  const destroyed = values.find(isScientific);
  if (destroyed !== undefined || entries.some(({ number }) => !isLandline(number))) return destroyed;
  const other = values.find((value) => value !== "" && numberOf(value) === null);
  return entries.length === 0 ? (other ?? "") : other;
}

/** A row has an entry for each number in it. */
function sortRow(sorted: Sorted, row: Row, columns: Column[], places: number[]) {
  const values = places.map((place) => row.cells[place] ?? "");
  const entries = values.flatMap((value) => entryOf(row, columns, value) ?? []);
  const bad = badOf(values, entries);
  if (bad !== undefined) sorted.bad.push({ row, value: bad });
  for (const entry of new Map(entries.map((entry) => [entry.number, entry])).values()) {
    if (sorted.entries.has(entry.number)) sorted.double += 1;
    add(sorted.entries, entry);
  }
}

/** Tells the numbers from what is none. `null`: it was stopped, because it is not wanted any more. */
export async function sortOut(
  table: Table,
  { hasHeader, columns }: Mapping,
  signal: AbortSignal,
): Promise<Sorted | null> {
  const sorted: Sorted = { entries: new Map(), bad: [], double: 0 };
  const places = columns.flatMap(({ kind }, place) => (kind === "number" ? [place] : []));
  const rows = bodyOf(table, hasHeader);
  for (const [index, row] of rows.entries()) {
    if (index % atOnce === 0) await pause();
    if (signal.aborted) return null;
    sortRow(sorted, row, columns, places);
  }
  return sorted;
}

/** By the lines of rows: what people have written in the place of what was no number. */
export type Mended = Record<number, string>;

/** With the rows that were mended, and without them among the bad ones. */
export function withMended({ entries, bad, double }: Sorted, mended: Mended, columns: Column[]): Sorted {
  if (Object.keys(mended).length === 0) return { entries, bad, double };
  const all = new Map(entries);
  let more = double;
  const left = bad.filter(({ row }) => {
    const entry = entryOf(row, columns, mended[row.line] ?? "");
    if (entry === null) return true;
    if (all.has(entry.number)) more += 1;
    add(all, entry);
    return false;
  });
  return { entries: all, bad: left, double: more };
}

/** How many of the numbers are landlines, and what there is to add. */
export function withLandlines(sorted: Sorted, landlines: Landlines): { count: number; sorted: Sorted } {
  const others = new Map([...sorted.entries].filter(([number]) => !isLandline(number)));
  const count = sorted.entries.size - others.size;
  return { count, sorted: landlines === "take" || count === 0 ? sorted : { ...sorted, entries: others } };
}

export type Portion = {
  text: string;
  /** The entries by the lines that they begin at. */
  lines: Map<number, Entry>;
};

/** The file of some entries, as the service takes it. */
export function portionOf(entries: Entry[], attributes: string[]): Portion {
  const lines = new Map<number, Entry>();
  let text = `${["number", "name", ...attributes].map((title) => quoted(title)).join(",")}\n`;
  let line = 2;
  for (const entry of entries) {
    lines.set(line, entry);
    const row = `${[entry.number, entry.name, ...entry.values].map((cell) => quoted(cell)).join(",")}\n`;
    line += linesIn(row, 0, row.length);
    text += row;
  }
  return { text, lines };
}
