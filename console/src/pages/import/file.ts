// What a file of numbers has, whether a spreadsheet has written it as its own workbook or as text.
import { readTable, type Table, textOf } from "./table.ts";

/** `sheet` is the one that was read of a workbook, if others have something too. */
export type Read = { table: Table; sheet: string | null };

/** A workbook as Excel wrote it before 2007, or one that a password locks. */
export class OldWorkbook extends Error {}

/** What reads workbooks could not be loaded. */
export class NotLoaded extends Error {}

const begins = (bytes: Uint8Array, by: number[]) => by.every((byte, place) => bytes[place] === byte);
/** Workbooks of today are ZIP archives. The service knows both by the same bytes (`import.rs`). */
const archive = [0x50, 0x4b, 0x03, 0x04];
const oldWorkbook = [0xd0, 0xcf, 0x11, 0xe0];

/** Reads a file. What reads workbooks is loaded only for one. */
export async function readFile(file: Blob): Promise<Read> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (begins(bytes, oldWorkbook)) throw new OldWorkbook();
  if (!begins(bytes, archive)) return { table: await readTable(textOf(bytes)), sheet: null };
  const { textOfWorkbook } = await import("./workbook.ts").catch(() => {
    throw new NotLoaded();
  });
  const { text, sheet } = await textOfWorkbook(file);
  return { table: await readTable(text), sheet };
}
