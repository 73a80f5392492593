// All stores of a service as they are at one instant. Each database gets a transaction that reads, while the service stands still:
// SQLite's write-ahead log then keeps what it sees, however long it is read and whatever is written meanwhile. Files that are no
// databases are written once and never again, so a second name keeps them (a hard link).
import { copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../base/command.mjs";
import { placesIn } from "../serve/folder.mjs";
import { isLocked } from "../serve/lock.mjs";
import { besides, isDatabase, stateFolder, stores } from "./files.mjs";
import { usersOf, whileStill } from "./standstill.mjs";

/** How often the instant may be a bad one: somebody begins to serve just then, or the index of a log is half written. */
const mostTries = 20;
/** The files that SQLite opens for a database: it, its log, and the index of that. */
const filesOfDatabase = 3;
/** What else is opened meanwhile, such as the archive. */
const otherFiles = 32;
/** SQLITE_BUSY and SQLITE_PROTOCOL: somebody stands still who holds a lock. */
const busy = [5, 15];

/**
 * Takes a snapshot of a folder of data; `links` is a folder on the same disk for the second names. Returns
 * `{databases, links, files, ms}`: open databases by their paths below the folder, the folder that has the other files, their paths, and
 * how long the service stood still. Each database has to be closed.
 */
export async function takeSnapshot(dir, links) {
  ensureOneDisk(dir);
  const databases = new Map();
  try {
    return await taken(dir, links, databases);
  } catch (error) {
    closeAll(databases);
    throw error;
  }
}

/** Closes what a snapshot has open. What is closed already stays so. */
export function closeAll(databases = new Map()) {
  for (const db of databases.values()) if (db.isOpen) db.close();
}

/** A second name of a file can't be on another disk. */
function ensureOneDisk(dir) {
  if (statSync(dir).dev !== statSync(join(dir, stateFolder)).dev)
    throw new Failure(
      `${join(dir, stateFolder)} stands on another disk than ${dir}, and a backup needs both on one. Move the whole folder there.`,
    );
}

/** Fails if this process may not open so many databases beside what it has open. */
function ensureFiles(databases) {
  // Elsewhere there is no backup, as the search for who serves the data says.
  if (process.platform !== "linux") return;
  const limit = mostFiles();
  const needed = databases * filesOfDatabase + readdirSync("/proc/self/fd").length + otherFiles;
  if (needed > limit)
    throw new Failure(
      `a backup opens all ${databases} databases at once, for which it needs ${needed} files, and this process may open ${limit}. ` +
        `\`ulimit -n ${needed}\` allows more in a shell, and LimitNOFILE=${needed} in a unit of systemd.`,
    );
}

/** How many files this process may open. Node.js raises its limit as far as it may, so it can't be raised here. */
function mostFiles() {
  const most = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  return most === undefined ? Infinity : Number(most);
}

async function taken(dir, links, databases) {
  const open = (path) => {
    if (!databases.has(path)) databases.set(path, openDatabase(join(dir, path)));
    return databases.get(path);
  };
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const paths = stores(dir).files.filter(isDatabase);
    ensureFiles(paths.filter((path) => !databases.has(path)).length);
    // What is open before takes no time of the service.
    for (const path of paths) open(path);
    const ids = usersOf(placesOf(dir));
    if (ids.length === 0 && (await isLocked(placesIn(dir))))
      throw new Failure(
        `a process serves ${dir} that this command can't see, so it can't stop it for a moment. In a container, run the command in the ` +
          "same one (`docker exec`).",
      );
    const own = join(links, String(tries));
    const { result: files, ms } = await whileStill(ids, () => hold(dir, own, open));
    // Who has begun meanwhile did not stand still.
    if (files && usersOf(placesOf(dir)).every((id) => ids.includes(id))) return { databases, links: own, files, ms };
    for (const db of databases.values()) if (db.isTransaction) db.exec("ROLLBACK");
    await sleep(100);
  }
  throw new Failure(`${dir} was not at rest in ${mostTries} tries: does the service start again and again?`);
}

const placesOf = (dir) => {
  const { folders, files } = stores(dir);
  return [...folders, ...files.filter(isDatabase)].map((path) => join(dir, path));
};

/** A connection that never writes, and keeps little in memory. */
function openDatabase(file) {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  db.exec("PRAGMA cache_size = 16");
  look(db);
  // From now on, it asks while the service stands still.
  db.exec("PRAGMA busy_timeout = 0");
  return db;
}

/** The first read of a transaction decides what all of it sees. This one needs no schema, which would stay in memory. */
const look = (db) => db.exec("PRAGMA schema_version");

/** Holds what is there. Returns the paths of the files that are no databases; nothing if the instant is a bad one. */
function hold(dir, links, open) {
  const { files } = stores(dir);
  try {
    for (const path of files.filter(isDatabase)) {
      const db = open(path);
      db.exec("BEGIN");
      look(db);
    }
  } catch (error) {
    if (busy.includes(error.errcode & 0xff)) return undefined;
    throw error;
  }
  const own = besides(dir);
  const others = files.filter((path) => !isDatabase(path));
  for (const path of [...own, ...others]) mkdirSync(dirname(join(links, path)), { recursive: true });
  // These are small, and may be links that lead elsewhere.
  for (const path of own) copyFileSync(join(dir, path), join(links, path));
  for (const path of others) linkSync(join(dir, path), join(links, path));
  return [...own, ...others];
}
