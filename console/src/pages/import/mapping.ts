// What the columns of a table mean.
import { candidatesOf, looksLikeNumber, numberTitles, plain } from "./candidates.ts";
import type { Row, Table } from "./table.ts";

export type Kind = "number" | "name" | "attribute" | "none";
/** `title` is that of an attribute. */
export type Column = { kind: Kind; title: string };
export type Mapping = { hasHeader: boolean; columns: Column[] };

/** The titles by which the service knows the name. As with those of the number, no attribute has one of them. */
const nameTitles = new Set("name,fullname,نام,نامونامخانوادگی,اسم".split(","));
/** What else a title of the column with names has. */
const nameWords = /\b(?:name|customer|client|contact)\b|نام|مشتر[یي]/i;
/** The column that the file of bad lines has more: it comes back when the lines are mended. */
const reasonTitles = new Set(["reason", "علت"]);
const longestTitle = 50;
const mostColumns = 64;
const mostAttributes = 20;
/** So many rows tell what a column has. */
const looked = 200;
// biome-ignore lint/suspicious/noControlCharactersInRegex: an attribute's title has none of them.
const unfit = /[%\u0000-\u001f\u007f-\u009f]/g;

/** What nobody sees of a title and joins no letters. */
const marks = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

export const isTaken = (title: string) => numberTitles.has(plain(title)) || nameTitles.has(plain(title));

const fitting = (title: string) =>
  title.replace(marks, "").replace(unfit, " ").replace(/\s+/g, " ").trim().slice(0, longestTitle).trim();

/** So many rows may stand above the first one with a phone number. */
const mostAbove = 20;

/** Whether nothing of a row is a phone number. */
const isWithoutNumber = ({ cells }: Row) => !cells.some(looksLikeNumber);
const filledOf = ({ cells }: Row) => cells.filter((cell) => cell !== "").length;

/** A first row without any phone number has titles, or what the table is about, if there is more than it. */
const beginsWithTitles = ({ rows }: Table) => rows.length > 1 && rows[0] !== undefined && isWithoutNumber(rows[0]);

/**
 * The place of the row with the titles, if there is one. What the table is about may stand above it, such as "Customers of the shop",
 * in a row of its own. So of the rows above the first phone number the titles are in that with a title which Peyk knows; or else in the
 * first with more than one cell.
 */
export function titlesAt({ rows }: Table): number {
  const first = rows.slice(0, mostAbove).findIndex((row) => !isWithoutNumber(row));
  const above = rows.slice(0, first === -1 ? mostAbove : first);
  const known = above.findIndex(({ cells }) => cells.some(isTaken));
  const several = above.findIndex((row) => filledOf(row) > 1);
  return Math.max(0, known === -1 ? several : known);
}

/** The titles of the columns. */
export const titlesOf = (table: Table, hasHeader: boolean): string[] =>
  (hasHeader && table.rows[titlesAt(table)]?.cells) || [];

export function guess(table: Table): Mapping {
  const hasHeader = beginsWithTitles(table);
  return { hasHeader, columns: columnsOf(table, hasHeader) };
}

/** What the columns may mean, by their titles and by what they have. */
export function columnsOf(table: Table, hasHeader: boolean): Column[] {
  const titles = titlesOf(table, hasHeader);
  const sample = bodyOf(table, hasHeader).slice(0, looked);
  const count = Math.min(mostColumns, Math.max(0, titles.length, ...sample.map(({ cells }) => cells.length)));
  const places = Array.from({ length: count }, (_, place) => place);
  const number = candidatesOf(titles, sample)[0]?.place ?? titledAsNumber(titles);
  const name = nameColumn(titles, sample, places, number);
  const used = new Set<string>();
  return places.map((place) => {
    if (place === number) return { kind: "number", title: "" };
    if (place === name) return { kind: "name", title: "" };
    const title = fitting(titles[place] ?? "");
    const isOwn = !isTaken(title) && !reasonTitles.has(plain(title));
    const isGood = title !== "" && isOwn && !used.has(title) && used.size < mostAttributes;
    if (isGood) used.add(title);
    return { kind: isGood ? "attribute" : "none", title };
  });
}

export const bodyOf = (table: Table, hasHeader: boolean): Row[] =>
  hasHeader ? table.rows.slice(titlesAt(table) + 1) : table.rows;

/** The columns that have phone numbers, the likeliest first, each with what people call it. */
export function numberColumnsOf(table: Table, hasHeader: boolean) {
  const titles = titlesOf(table, hasHeader);
  const found = candidatesOf(titles, bodyOf(table, hasHeader).slice(0, looked));
  return found.filter(({ isOfNumbers }) => isOfNumbers).map(({ place }) => ({ place, title: titles[place] ?? "" }));
}

/** Without any phone number, the title alone says where they should be. */
const titledAsNumber = (titles: string[]) =>
  Math.max(
    0,
    titles.findIndex((title) => numberTitles.has(plain(title))),
  );

/** The numbers come from these columns, and from no other one. */
export const withNumbersFrom = (columns: Column[], places: number[]): Column[] =>
  columns.map((column, place) => {
    if (places.includes(place)) return { ...column, kind: "number" };
    return column.kind === "number" ? { ...column, kind: "none" } : column;
  });

function nameColumn(titles: string[], sample: Row[], places: number[], number: number): number | undefined {
  const others = places.filter((place) => place !== number);
  const titled =
    others.find((place) => nameTitles.has(plain(titles[place] ?? ""))) ??
    others.find((place) => nameWords.test(titles[place] ?? ""));
  if (titled !== undefined || titles.length > 0) return titled;
  const hasWords = (place: number) =>
    sample.filter(({ cells }) => /\p{L}/u.test(cells[place] ?? "")).length > sample.length / 2;
  return others.find(hasWords);
}

/** Gives a column another meaning. There is one number and one name: another column that was it is left out then. */
export function changed(columns: Column[], place: number, column: Column): Column[] {
  const isSingle = column.kind === "number" || column.kind === "name";
  return columns.map((other, index) => {
    if (index === place) return column;
    return isSingle && other.kind === column.kind ? { ...other, kind: "none" } : other;
  });
}

export type Fault = "noNumber" | "noTitle" | "takenTitle" | "doubleTitle" | "manyAttributes";

/** Why an attribute can't have its title. */
export function faultAt(columns: Column[], place: number): Fault | undefined {
  const column = columns[place];
  if (column?.kind !== "attribute") return undefined;
  const title = column.title.trim();
  if (title === "" || fitting(title) !== title) return "noTitle";
  if (isTaken(title)) return "takenTitle";
  const isDouble = columns.some(
    (other, index) => index < place && other.kind === "attribute" && other.title.trim() === title,
  );
  return isDouble ? "doubleTitle" : undefined;
}

/** Why a table can't be imported so. */
export function faultOf(columns: Column[]): Fault | undefined {
  if (!columns.some(({ kind }) => kind === "number")) return "noNumber";
  if (columns.filter(({ kind }) => kind === "attribute").length > mostAttributes) return "manyAttributes";
  return columns.map((_, place) => faultAt(columns, place)).find((fault) => fault !== undefined);
}
