// The import that runs. It stands outside of the pages, so that it goes on while the person looks at another one. A number that is
// added again is updated, so each portion can be sent again when nobody knows what has become of it.
//
// A phonebook for a message has 10,000 numbers at most. So a larger file is shared out: the first numbers stay in the phonebook, the next
// ones go into "Customers 2", and so on. The same file is shared out the same way again.
import { useSyncExternalStore } from "react";
import { answer, client } from "../../api/client.ts";
import { useSession } from "../../api/session-context.ts";
import { mostRecipients } from "../phonebooks/limits.ts";
import { type BadRow, type Entry, entryOf, type Mended, portionOf } from "./entries.ts";
import type { Mapping } from "./mapping.ts";
import type { Table } from "./table.ts";

/** `LOST`: the page was loaded anew, and what was not sent yet is gone with the old one. */
export type State = "RUNNING" | "STOPPED" | "FAILED" | "DONE" | "LOST";
export type Refused = { entry: Entry; detail: string };
export type Book = { id: string; title: string };

/** What of the file had no number, to be mended after the end too, and how many landlines were left out. */
export type Left = { table: Table; mapping: Mapping; bad: BadRow[]; landlines: number };

export type Running = {
  owner: string;
  /** Where it began, and the further phonebooks over which it is shared out. */
  books: Book[];
  state: State;
  total: number;
  done: number;
  added: number;
  updated: number;
  refused: Refused[];
  /** `null`: the page was loaded anew, and has the file no more. */
  left: Left | null;
  error: Error | null;
  /** Whether the person has seen that it has ended: then other pages tell of it no more. */
  isSeen: boolean;
};

export type Job = {
  owner: string;
  book: Book;
  entries: Entry[];
  attributes: string[];
  /** Whether each phonebook gets only as many as a message goes to. */
  isShared: boolean;
  left: Left;
  afterPortion: () => void;
  afterFailure: () => void;
};

/** So few that the bar moves. */
const portion = 2_000;
/** The service takes 5 MiB. A character takes up to three bytes. */
const mostCharacters = 1_500_000;
const storageName = "peyk-import";

let job: Job | null = null;
let running: Running | null = lost();
let request = new AbortController();
const listeners = new Set<() => void>();

/** What the page before this one has kept of its import, if that had not ended. */
function lost(): Running | null {
  try {
    const kept: Running | null = JSON.parse(sessionStorage.getItem(storageName) ?? "null");
    return kept && { ...kept, state: "LOST", isSeen: false };
  } catch {
    return null;
  }
}

function set(change: Partial<Running>) {
  if (!running) return;
  running = { ...running, ...change };
  keep();
  for (const listener of listeners) listener();
}

function keep() {
  try {
    if (!running || running.state === "DONE") sessionStorage.removeItem(storageName);
    else sessionStorage.setItem(storageName, JSON.stringify({ ...running, refused: [], left: null, error: null }));
  } catch {
    // The browser keeps nothing for this site: a reload forgets the import.
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useOwner(): string {
  const { account, mode } = useSession();
  return `${account?.id} ${mode}`;
}

/** The import of the person who looks. That of another account is not shown. */
export function useRunning(): Running | null {
  const current = useSyncExternalStore(subscribe, () => running);
  return useOwner() === current?.owner ? current : null;
}

export function start(next: Job) {
  request.abort();
  job = next;
  const { owner, book, entries, left } = next;
  const counts = { total: entries.length, done: 0, added: 0, updated: 0 };
  running = { owner, books: [book], state: "STOPPED", ...counts, refused: [], left, error: null, isSeen: false };
  void run();
}

/** Adds what was mended after the end. */
export function addMended(mended: Mended) {
  if (!job || !running?.left) return;
  const { bad, mapping } = running.left;
  const entries = bad.flatMap(({ row }) => entryOf(row, mapping.columns, mended[row.line] ?? "") ?? []);
  const lines = new Set(entries.map(({ row }) => row.line));
  job = { ...job, entries: [...job.entries, ...entries] };
  set({
    total: job.entries.length,
    left: { ...running.left, bad: bad.filter(({ row }) => !lines.has(row.line)) },
  });
  void run();
}

export function stop() {
  if (running?.state !== "RUNNING") return;
  set({ state: "STOPPED" });
  request.abort();
}

/** Goes on where it was stopped or has failed. */
export const goOn = () => void run();

export function seeEnd() {
  if (running?.state === "DONE" || running?.state === "LOST") set({ isSeen: true });
}

/** An end that was seen goes with its page: who comes again begins another import. */
export function leave() {
  if (running?.isSeen) forget();
}

export function forget() {
  request.abort();
  job = null;
  running = null;
  keep();
  for (const listener of listeners) listener();
}

async function run() {
  const own = job;
  if (!own || !running) return;
  request = new AbortController();
  const { signal } = request;
  set({ state: "RUNNING", error: null, isSeen: false });
  addEventListener("beforeunload", warn);
  try {
    while (running.done < own.entries.length) await sendNext(own, running, signal);
    set({ state: "DONE" });
  } catch (error) {
    // Who stops it has said so already, and so has who began another one.
    if (!signal.aborted) {
      set({ state: "FAILED", error: error as Error });
      own.afterFailure();
    }
  } finally {
    if (job === own) removeEventListener("beforeunload", warn);
    own.afterPortion();
  }
}

/** The browser asks before a reload ends the import. */
function warn(event: BeforeUnloadEvent) {
  event.preventDefault();
}

async function sendNext(own: Job, { done, books }: Running, signal: AbortSignal) {
  const place = own.isShared ? Math.floor(done / mostRecipients) : 0;
  const book = books[place] ?? (await nextBook(own.book.title, place + 1, signal));
  if (!books[place]) set({ books: [...books, book] });
  const room = own.isShared ? mostRecipients - (done % mostRecipients) : own.entries.length;
  const entries = firstOf(own.entries, done, Math.min(portion, room));
  const { text, lines } = portionOf(entries, own.attributes);
  const result = await upload(book.id, text, signal);
  const refused = result.invalid.flatMap(({ line, detail }) => {
    const entry = lines.get(line);
    return entry ? [{ entry, detail }] : [];
  });
  if (signal.aborted || !running) throw new Error("stopped");
  set({
    done: done + entries.length,
    added: running.added + result.added,
    updated: running.updated + result.updated,
    refused: [...running.refused, ...refused],
  });
  own.afterPortion();
}

function firstOf(entries: Entry[], from: number, count: number): Entry[] {
  let characters = 0;
  const found: Entry[] = [];
  for (const entry of entries.slice(from, from + count)) {
    characters += entry.name.length + entry.values.reduce((sum, value) => sum + value.length + 3, 40);
    if (found.length > 0 && characters > mostCharacters) break;
    found.push(entry);
  }
  return found;
}

async function upload(id: string, text: string, signal: AbortSignal) {
  const params = { path: { id } };
  const headers = { "Content-Type": "text/csv; charset=utf-8" };
  const bodySerializer = () => text;
  const pending = client.POST("/phonebook/{id}/import", { params, headers, body: text, bodySerializer, signal });
  return (await answer(pending)).data;
}

/** The phonebook of a further share. The file that is imported again finds the ones of the first time. */
async function nextBook(title: string, place: number, signal: AbortSignal): Promise<Book> {
  const wanted = `${title.slice(0, 190)} ${place}`;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { limit: 200, ...(cursor && { cursor }) };
    const { data, meta } = await answer(client.GET("/phonebook", { params: { query }, signal }));
    const found = data.find((book) => book.title === wanted);
    if (found) return { id: found.id, title: wanted };
    cursor = meta.nextCursor;
  }
  const { data } = await answer(client.POST("/phonebook", { body: { title: wanted }, signal }));
  return { id: data.id, title: wanted };
}
