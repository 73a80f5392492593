// One process serves a folder. SQLite's lock on a file says so: the kernel ends it with the process, however that ends.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../base/command.mjs";
import { sqlite } from "../base/sqlite.mjs";

/** The variable by which the runtimes of a folder are known. */
export const folderVariable = "PEYK_FOLDER";
/** How long the runtimes of a command that was killed may take to end, ms. Their watch kills them at once. */
const END_WITHIN_MS = 10_000;
/** How long a start waits for the lock, ms: a backup that looks whether anybody serves the folder has it for a moment. */
const LOCK_WITHIN_MS = 2_000;
/** SQLITE_BUSY */
const BUSY = 5;

/** The locks of this process. A database that nobody holds would be closed, and its lock with it. */
const held = [];

/** Whether a process has the lock of a folder. */
export async function isLocked({ lock }) {
  if (!existsSync(lock)) return false;
  const { DatabaseSync } = await sqlite();
  const db = new DatabaseSync(lock);
  try {
    db.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return false;
  } catch (error) {
    if (error.errcode === BUSY) return true;
    throw error;
  } finally {
    db.close();
  }
}

/** Takes the lock of a folder for the life of this process. Fails if another process has it, or if its runtimes do not end. */
export async function lockFolder({ dir, lock }) {
  const { DatabaseSync } = await sqlite();
  try {
    const db = new DatabaseSync(lock);
    // Nothing is written, so no journal is needed.
    db.exec(`PRAGMA busy_timeout = ${LOCK_WITHIN_MS}; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE`);
    held.push(db);
  } catch (error) {
    throw new Failure(
      error.errcode === BUSY
        ? `another process serves ${dir}. One folder is served by one process: stop that one, or name another folder.`
        : `${lock} can't be used: ${error.message}`,
    );
  }
  for (const deadline = Date.now() + END_WITHIN_MS; runtimesOf(dir).length > 0; await sleep(50))
    if (Date.now() > deadline)
      throw new Failure(
        `runtimes of an earlier start still have ${dir} (${runtimesOf(dir)}). End them, and start again.`,
      );
  process.env[folderVariable] = dir;
}

/** The processes that an earlier command has started for this folder. Only Linux shows them. */
function runtimesOf(dir) {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && isOf(pid, dir));
}

function isOf(pid, dir) {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`${folderVariable}=${dir}`);
  } catch {
    // It is gone, or belongs to somebody else.
    return false;
  }
}
