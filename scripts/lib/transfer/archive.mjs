// The file of a service that moves: lines of JSON, compressed by gzip. The first one says what it is, the last one has the number of
// lines and a SHA-256 over them. So a file that was cut off has no last line, and nothing of it needs to be kept in memory.
//
//   {"head": {"format", "peyk", "secret", "at", "from"}}
//   {"object": {"store", "object", "parts"}}            each object that has rows
//   {"page": {"store", "object", "tables", "keys"}}     rows, as the API gives and takes them
//   {"sums": {"store", "object", "tables"}}             behind the pages of a store
//   {"end": {"lines", "sha256"}}
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync, statSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { Failure } from "../base/command.mjs";
import { Operators } from "./operators.mjs";
import { differing, Found, operatorsName, Sums, storeName } from "./sums.mjs";

/** The form of the archive. */
export const format = 1;

/** Writes what `items` gives. Only the owner may read the file, and it has its name when all of it is on the disk. */
export async function writeArchive(to, items) {
  if (existsSync(to)) throw new Failure(`${to} is there already. Name another file.`);
  const unfinished = `${to}.unfinished`;
  rmSync(unfinished, { force: true });
  try {
    const output = createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true });
    await pipeline(Readable.from(lines(items)), createGzip(), output);
    renameSync(unfinished, to);
  } finally {
    rmSync(unfinished, { force: true });
  }
  return statSync(to).size;
}

async function* lines(items) {
  const hash = createHash("sha256");
  let count = 0;
  for await (const item of items) {
    const line = `${JSON.stringify(item)}\n`;
    hash.update(line);
    count += 1;
    yield line;
  }
  yield `${JSON.stringify({ end: { lines: count, sha256: hash.digest("hex") } })}\n`;
}

/** The lines of a compressed file. */
async function* linesOf(file) {
  const unpacked = createGunzip();
  // Whoever reads the lines hears of an error.
  pipeline(createReadStream(file), unpacked).catch(() => {});
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  for await (const piece of unpacked) {
    const found = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = found.pop();
    yield* found;
  }
  if (rest) throw new Error("its last line is cut");
}

/** The items of an archive, in their order. Fails at its end if it is damaged or was cut off. */
export async function* itemsOf(file) {
  const hash = createHash("sha256");
  let [count, end] = [0, null];
  for await (const line of linesOf(file)) {
    if (end) throw new Error("something stands behind its end");
    const item = JSON.parse(line);
    if (item.end) end = item.end;
    else {
      hash.update(`${line}\n`);
      count += 1;
      yield item;
    }
  }
  if (!end) throw new Error("its end is missing");
  if (end.lines !== count || end.sha256 !== hash.digest("hex")) throw new Error("it is not what was written");
}

/**
 * Reads an archive to its end and checks all of it. Returns its head, its objects, the sums of each store by its name, what people
 * count, what the operators' object has, and a digest of all. Fails with a sentence if it is damaged, of another form, or none.
 */
export async function checkArchive(file) {
  if (!existsSync(file)) throw new Failure(`there is no file ${file}`);
  const [objects, sums, found, operators] = [[], new Map(), new Found(), new Operators()];
  let head;
  let current;
  try {
    for await (const item of itemsOf(file)) {
      head ??= headOf(file, item);
      if (item.object) objects.push(item.object);
      if (item.page) {
        current ??= { of: storeName(item.page), sums: new Sums() };
        if (current.of !== storeName(item.page)) throw new Error(`the sums of ${current.of} are missing`);
        current.sums.add(item.page);
        found.add(item.page);
        if (current.of === operatorsName) operators.add(item.page);
      }
      if (item.sums) {
        if (current && current.of !== storeName(item.sums)) throw new Error(`the sums of ${current.of} are missing`);
        const own = current?.sums.get() ?? {};
        const table = differing(item.sums.tables, own);
        if (table) throw new Error(`the rows of ${table} in ${storeName(item.sums)} are not those of its sums`);
        sums.set(storeName(item.sums), item.sums);
        current = undefined;
      }
    }
    if (!head) throw new Error("it is empty");
    const stores = [...objects.map(storeName), operatorsName, "DIRECTORY"];
    const missing = current?.of ?? stores.find((name) => !sums.has(name));
    if (missing) throw new Error(`the sums of ${missing} are missing`);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${file} is damaged, or no archive of \`export\`: ${error.message}. Nothing was imported.`);
  }
  const digest = createHash("sha256")
    .update(JSON.stringify([head, ...sums.values()]))
    .digest("hex");
  return { head, objects, sums, found, operators, digest };
}

function headOf(file, { head }) {
  if (!Number.isInteger(head?.format)) throw new Error("it does not begin with its head");
  if (head.format !== format) throw new Failure(`${file} has the form ${head.format}, and this Peyk reads ${format}.`);
  return head;
}
