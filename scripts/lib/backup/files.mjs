// The files of a folder of data (`--data`): what belongs to a copy of it, and what does not.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../base/command.mjs";
import { names } from "../serve/folder.mjs";

/** Where the runtime keeps its stores. */
export const stateFolder = names.state;

/** Under this name one backup of a folder runs at a time, and what it needs on the disk of the data stands here. */
export const backupLock = ".backup";
export const scratchOf = (dir) => join(dir, ".backup.unfinished");

export const isDatabase = (path) => path.endsWith(".sqlite");
/** What SQLite has beside a database belongs to the process that has it open. A copy of the database needs none of it. */
const isBeside = (path) => /\.sqlite-(wal|shm|journal)$/.test(path);

/** Fails unless it is a folder of data. */
export function ensureData(dir) {
  if (!statSync(join(dir, stateFolder), { throwIfNoEntry: false })?.isDirectory())
    throw new Failure(`${dir} has no folder ${stateFolder}: it is no folder of data`);
}

/** The folders and files of the stores: paths below `dir`. */
export function stores(dir) {
  const entries = readdirSync(join(dir, stateFolder), { recursive: true, withFileTypes: true });
  const below = (entry) => join(entry.parentPath, entry.name).slice(join(dir, "/").length);
  const named = (is) => entries.filter(is).map(below);
  return {
    folders: [stateFolder, ...named((entry) => entry.isDirectory())],
    files: named((entry) => entry.isFile()).filter((path) => !isBeside(path)),
  };
}

/** How large the stores are, in bytes: all of them, and the largest database. */
export function sizesOf(dir) {
  const sizes = stores(dir).files.map((path) => [path, statSync(join(dir, path)).size]);
  return {
    all: sizes.reduce((sum, [, size]) => sum + size, 0),
    largest: Math.max(0, ...sizes.filter(([path]) => isDatabase(path)).map(([, size]) => size)),
  };
}

export const mebibytes = (bytes) => Math.ceil(bytes / (1 << 20));

/** The files beside the stores: settings, the secret, the version. What else stands there, such as the file of a key, is no data. */
export const besides = (dir) =>
  [names.settings, names.secret, names.version].filter((name) => existsSync(join(dir, name)));
