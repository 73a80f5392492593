// A table as a spreadsheet or a program has written it: with commas, semicolons or tabs, with quotes or without. It is read in
// pieces, so that the page goes on while a large file is read.

export type Row = {
  cells: string[];
  /** The line of the file that it begins at, from 1. */
  line: number;
  /** Where it stands in the text. */
  from: number;
  to: number;
};

export type Table = { text: string; delimiter: string; rows: Row[] };

const delimiters = [",", ";", "\t"];
/** A value over several lines has at most so many lines and characters. The service says the same (`src/base/csv.rs`). */
const mostLines = 1_024;
const mostCharacters = 16_384;
/** How many rows are read before the page may do something else. */
const atOnce = 2_000;

/** Lets the page do what waits: draw, scroll, answer a key. */
export const pause = () => new Promise<void>((resolve) => setTimeout(resolve));

/** The file is no table that is written as text: a page, a picture, a letter. */
export class NoText extends Error {}

/** How pages and letters begin that some programs call tables, and PDF files. */
const noTexts = /^\s*(?:<|%PDF-|\{\\rtf)/;

/** The text of a file. */
export function textOf(bytes: Uint8Array): string {
  const text = decoded(bytes).replace(/^\ufeff/, "");
  if (text.includes("\0") || noTexts.test(text.slice(0, 200))) throw new NoText();
  return text;
}

/** Spreadsheets on Windows write Persian in its old code page if nobody asks them for UTF-8. */
function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1256").decode(bytes);
  }
}

/** A quote that opens in this line would swallow the lines behind it. */
export class BadQuote extends Error {
  readonly line: number;
  /** The line in which it closes with text behind it. Not there: it does not close. */
  readonly closed: number | undefined;
  constructor(line: number, closed?: number) {
    super(
      `a quote of line ${line} ${closed === undefined ? "does not close" : `closes in line ${closed} before text`}`,
    );
    this.line = line;
    this.closed = closed;
  }
}

/** Empty lines, and a line that names the delimiter for Excel. */
const opening = /^(?:[^\S\r\n]*(?:\r\n?|\n))*(?:("?)sep=([,;\t])\1(?:\r\n?|\n))?/i;

/** What stands between cells: what the file names, or what the first line with anything has most of. */
export function delimiterOf(text: string): string {
  const named = opening.exec(text)?.[2];
  if (named) return named;
  const line = /\S[^\r\n]*/.exec(text)?.[0].replace(/"[^"]*"/g, "") ?? "";
  const count = (delimiter: string) => line.split(delimiter).length;
  return delimiters.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}

/** Reads a table. Lines without anything are left out. */
export async function readTable(written: string): Promise<Table> {
  const text = written.replace(/^\ufeff/, "");
  const delimiter = delimiterOf(text);
  const rows: Row[] = [];
  const begin = opening.exec(text)?.[0].length ?? 0;
  for (let from = begin, line = 1 + linesIn(text, 0, begin); from < text.length; ) {
    const { cells, end } = cellsAt(text, from, delimiter);
    if (cells.some((cell) => cell !== "")) rows.push({ cells, line, from, to: end });
    const next = end + (text.startsWith("\r\n", end) ? 2 : 1);
    line += linesIn(text, from, next);
    from = next;
    if (rows.length % atOnce === atOnce - 1) await pause();
  }
  return { text, delimiter, rows };
}

/** How many lines end between two places. */
export function linesIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let index = from; index < to; index += 1) {
    const isEnd = text[index] === "\n" || (text[index] === "\r" && text[index + 1] !== "\n");
    if (isEnd) count += 1;
  }
  return count;
}

function cellsAt(text: string, from: number, delimiter: string): { cells: string[]; end: number } {
  const cells: string[] = [];
  for (let at = from; ; ) {
    const { cell, end } = cellAt(text, at, delimiter);
    cells.push(cell.trim());
    if (text[end] !== delimiter) return { cells, end };
    at = end + 1;
  }
}

function cellAt(text: string, from: number, delimiter: string): { cell: string; end: number } {
  const quoted = text[from] === '"' ? quotedAt(text, from) : null;
  const begin = quoted?.end ?? from;
  let end = begin;
  while (end < text.length && text[end] !== delimiter && text[end] !== "\n" && text[end] !== "\r") end += 1;
  if (quoted?.isOverLines && text.slice(begin, end).trim() !== "") throw badAt(text, from, begin);
  return { cell: (quoted?.cell ?? "") + text.slice(begin, end), end };
}

type Quoted = { cell: string; end: number; isOverLines: boolean };

/** What stands between quotes; two of them within it are one. */
function quotedAt(text: string, from: number): Quoted {
  let at = text.indexOf('"', from + 1);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  if (at === -1) throw badAt(text, from);
  const lines = linesIn(text, from, at);
  if (lines >= mostLines || (lines > 0 && at - from > mostCharacters)) throw badAt(text, from);
  return { cell: text.slice(from + 1, at).replaceAll('""', '"'), end: at + 1, isOverLines: lines > 0 };
}

const lineAt = (text: string, place: number) => 1 + linesIn(text, 0, place);
const badAt = (text: string, from: number, end?: number) =>
  new BadQuote(lineAt(text, from), end === undefined ? undefined : lineAt(text, end));

/** A cell in a file with commas. */
export const quoted = (cell: string, delimiter = ",") =>
  cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
