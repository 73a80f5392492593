// A file of the service as Excel opens it: with a byte order mark, titles in the person's language, and cells as the person reads them.
// Of itself Excel would take `+989121234567` for a sum, and 0912… for a number, without its zero.
import { quoted, readTable } from "../import/table.ts";

/** A column of the file: its title, and what stands in the place of a cell. */
export type Column = { title: string; cell?: (text: string) => string };

/** A formula whose value is the text of the number, which keeps each digit. An import reads it as the number. */
export const phoneCell = (text: string) => (/^\+\d+$/.test(text) ? `="${text.replace(/^\+98/, "0")}"` : text);

/** The choice of a group of texts, such as a status. */
export const choiceCell =
  (texts: Record<string, string>) =>
  (text: string): string =>
    texts[text] ?? text;

/** Columns stand in the order of the file. Those behind them stay as they are. */
export async function forExcel(file: Blob, columns: Column[]): Promise<Blob> {
  const [titles, ...rows] = (await readTable((await file.text()).replace(/^\ufeff/, ""))).rows;
  const written = [
    titles?.cells.map((title, place) => columns[place]?.title ?? title) ?? [],
    ...rows.map(({ cells }) => cells.map((text, place) => columns[place]?.cell?.(text) ?? text)),
  ];
  const lines = written.map((cells) => `${cells.map((cell) => quoted(cell)).join(",")}\r\n`);
  return new Blob(["\ufeff", ...lines], { type: "text/csv" });
}
