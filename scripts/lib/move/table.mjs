// Reads a table with a row of titles. The console has the reader of tables: workbooks of Excel, and texts with commas, semicolons or
// tabs, quotes, any line ends, a byte order mark, in UTF-8, UTF-16 or the old code page of Persian.
import { readFile } from "node:fs/promises";
import { OldWorkbook, readFile as readTable } from "../../../console/src/pages/import/file.ts";
import { BadQuote, NoText } from "../../../console/src/pages/import/table.ts";
import { Failure } from "../base/command.mjs";

/** No template, phonebook or list of keys is larger, and the program holds it in memory. */
const mostBytes = 256 * 1024 * 1024;

export async function openTable(file) {
  let bytes;
  try {
    bytes = await readFile(file);
  } catch (error) {
    throw new Failure(`${file} can't be read: ${error.code === "ENOENT" ? "there is no such file" : error.message}`);
  }
  if (bytes.length > mostBytes) throw new Failure(`${file} has more than ${mostBytes / 1024 / 1024} MiB`);
  try {
    return (await readTable(new Blob([bytes]))).table;
  } catch (error) {
    throw new Failure(reasonOf(file, error));
  }
}

function reasonOf(file, error) {
  if (error instanceof BadQuote)
    return `in ${file}, ${error.message}: end the cell with a quote, and write a quote within it as two quotes`;
  const what =
    error instanceof NoText
      ? "no table"
      : error instanceof OldWorkbook
        ? "an old workbook, or one with a password"
        : `a workbook that can't be read (${error.message})`;
  return `${file} is ${what}: save it as CSV in UTF-8 first`;
}

/** Case, blanks, `_`, `-` and the two forms of Persian letters do not matter in a title. */
const plain = (title) =>
  title
    .toLowerCase()
    .replace(/[\s_\-\u200c]/g, "")
    .replaceAll("ي", "ی")
    .replaceAll("ك", "ک");

/**
 * The rows of a table by its columns: `{rows, bad, unused}`. `columns` has the titles of each, between commas, and those in `needed`
 * must be there. A row is `{line, values}`, a bad one `{line, faults}`. `unused` are the titles of the other columns. No error shows
 * what stands in the file: a first line without titles may have a key.
 */
export function readRows({ rows: [header, ...lines] }, columns, needed) {
  if (!header) throw new Failure("the file has nothing in it");
  const places = placesOf(header.cells.map(plain), columns, needed);
  if (lines.length === 0) throw new Failure("the file has no line below the titles");
  const [rows, bad] = [[], []];
  for (const row of lines) {
    const fault = faultOf(row, header.cells.length);
    if (fault) bad.push({ line: row.line, faults: [fault] });
    else rows.push({ line: row.line, values: valuesOf(row, places) });
  }
  const used = new Set(places.values());
  return { rows, bad, unused: header.cells.filter((title, place) => title !== "" && !used.has(place)) };
}

/** Where each column is. Of two that may be left out, the first one counts. */
function placesOf(titles, columns, needed) {
  const places = new Map();
  for (const [name, known] of Object.entries(columns)) {
    const wanted = known.split(",").map(plain);
    const own = titles.flatMap((title, place) => (wanted.includes(title) ? [place] : []));
    const isNeeded = needed.includes(name);
    if (isNeeded && own.length !== 1)
      throw new Failure(
        `the first line names ${own.length === 0 ? "no column" : `${own.length} columns`} of the ${name}. ` +
          `One must be called: ${known}`,
      );
    if (own.length > 0) places.set(name, own[0]);
  }
  return places;
}

const valuesOf = ({ cells }, places) =>
  Object.fromEntries([...places].map(([name, place]) => [name, cells[place] ?? ""]));

/** Why a row can't be meant so. */
function faultOf({ cells }, width) {
  if (cells.length > width)
    return `it has ${cells.length} cells, and the first line ${width}: put a text with such signs between quotes`;
  return undefined;
}
