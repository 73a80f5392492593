// A workbook of Excel as the text that Excel would save of it, so that all else is as with any other table.
import readWorkbook from "read-excel-file/universal";
import { looksLikeNumber } from "./candidates.ts";
import { quoted } from "./table.ts";

/** As many digits as Excel has of a number. */
const digits = 15;

/** A number is kept with all its digits, however the sheet shows it. */
const parseNumber = (text: string) => String(Number(Number(text).toPrecision(digits)));

/** Reads the first sheet with a phone number, or else the first with anything. A row of the sheet is a line of the text. */
export async function textOfWorkbook(file: Blob): Promise<{ text: string; sheet: string | null }> {
  const sheets = (await readWorkbook(file, { parseNumber }))
    .map(({ sheet, data }) => ({ sheet, rows: data.map((cells) => cells.map(textOf)) }))
    .filter(({ rows }) => rows.some((cells) => cells.some((cell) => cell !== "")));
  const found = sheets.find(({ rows }) => rows.some((cells) => cells.some(looksLikeNumber))) ?? sheets[0];
  const lines = found?.rows.map((cells) => cells.map((cell) => quoted(cell)).join(",")) ?? [];
  return { text: lines.join("\n"), sheet: found && sheets.length > 1 ? found.sheet : null };
}

/** A line break within a cell would move the lines behind it. */
function textOf(cell: unknown): string {
  if (cell instanceof Date) return dayOf(cell);
  return cell === null ? "" : String(cell).replace(/\s*[\r\n]+\s*/g, " ");
}

/** A sheet has days and times without a zone; the package says them in UTC. */
function dayOf(date: Date): string {
  const [day, time] = date.toISOString().split("T") as [string, string];
  return time.startsWith("00:00:00") ? day : `${day} ${time.slice(0, 5)}`;
}
