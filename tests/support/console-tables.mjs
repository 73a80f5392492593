// Tables as people have them, with all that is wrong in such, for the tests of an import.
import { strToU8, zipSync } from "fflate";
import { randomFrom } from "../../scripts/lib/base/random.mjs";

const persian = (text) => text.replace(/\d/g, (digit) => "۰۱۲۳۴۵۶۷۸۹"[digit]);

/** How people write a number such as 09121234567. */
const forms = [
  (number) => number,
  (number) => `+98 ${number.slice(1, 4)} ${number.slice(4)}`,
  persian,
  (number) => ` ${number.slice(0, 4)}-${number.slice(4)} `,
  (number) => `"${number}"`,
];
const noNumbers = ["-", "0912", "n/a", "9.12E+09", "۰۹۱۲"];
const names = ['"Rezaei, Ali"', "سارا محمدی", "Reza", '"Maryam ""M"" Karimi"', ""];
const cities = ["تهران", "Isfahan", ""];
const nothing = ["", ",,", "   "];

/** None ends as those do that a sandbox does not deliver to: 901 to 904. */
const numberAt = (place) =>
  `${["0912", "0935", "0921"][place % 3]}${1_000_000 + Math.floor(place / 900) * 1_000 + (place % 900)}`;

/**
 * A file with so many lines that have something beside the one of titles. `numbers` are those that a phonebook has of it, each
 * once, and `bad` the lines that have none.
 */
export function messyTable(lines, seed) {
  const random = randomFrom(seed);
  const rows = ["Customer,Mobile,City"];
  const numbers = new Set();
  const bad = [];
  for (let index = 0; index < lines; index += 1) {
    if (random.integer(1, 40) === 1) rows.push(random.oneOf(nothing));
    const place = random.integer(1, 30) === 1 ? random.integer(0, index) : index;
    const number = numberAt(place);
    const isBad = random.integer(1, 100) === 1;
    if (isBad) bad.push(rows.length + 1);
    else numbers.add(`+98${number.slice(1)}`);
    const cell = isBad ? random.oneOf(noNumbers) : random.oneOf(forms)(number);
    rows.push([random.oneOf(names), cell, random.oneOf(cities)].join(","));
  }
  return { text: `\ufeff${rows.join("\r\n")}`, numbers, bad };
}

/** A file as a browser gets it from a person who chooses one. */
export const fileOf = (text, name = "customers.csv") => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const columnOf = (place) => String.fromCharCode(65 + place);
const spreadsheet = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packaged = "http://schemas.openxmlformats.org/package/2006/relationships";

/** A cell as Excel writes it: a number as one, a `Date` as a number of the second style, and all else as a text. */
function cellOf(cell, place, row) {
  const at = `r="${columnOf(place)}${row}"`;
  if (cell === null) return "";
  if (typeof cell === "number") return `<c ${at}><v>${cell}</v></c>`;
  if (cell instanceof Date) return `<c ${at} s="1"><v>${cell.getTime() / 86_400_000 + 25_569}</v></c>`;
  return `<c ${at} t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
}

function sheetOf(rows) {
  const written = rows.map((cells, index) => {
    const row = index + 1;
    return `<row r="${row}">${cells.map((cell, place) => cellOf(cell, place, row)).join("")}</row>`;
  });
  return `<worksheet xmlns="${spreadsheet}"><sheetData>${written.join("")}</sheetData></worksheet>`;
}

/** A workbook of Excel (.xlsx) with these sheets: `{title: rows}`. */
export function workbookOf(sheets) {
  const all = Object.entries(sheets).map(([title, rows], index) => ({ title, rows, id: `rId${index + 1}` }));
  const listed = all.map(({ title, id }, index) => `<sheet name="${title}" sheetId="${index + 1}" r:id="${id}"/>`);
  const related = all.map(
    ({ id }) => `<Relationship Id="${id}" Type="${relations}/worksheet" Target="worksheets/${id}.xml"/>`,
  );
  const files = {
    "xl/workbook.xml": `<workbook xmlns="${spreadsheet}" xmlns:r="${relations}"><sheets>${listed.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${packaged}">${related.join("")}</Relationships>`,
    "xl/styles.xml": `<styleSheet xmlns="${spreadsheet}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(all.map(({ id, rows }) => [`xl/worksheets/${id}.xml`, sheetOf(rows)])),
  };
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))));
}

/** A workbook as a browser gets it from a person who chooses one. */
export const workbookFileOf = (sheets, name = "customers.xlsx") => ({
  name,
  mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  buffer: workbookOf(sheets),
});
