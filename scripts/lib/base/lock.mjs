import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { say } from "./command.mjs";
import { cacheDir } from "./paths.mjs";

/** Runs `work` while no other process on this machine runs work under the same name and in the same folder `place`. */
export async function withLock(name, work, place = cacheDir) {
  mkdirSync(place, { recursive: true });
  const dir = join(place, `${name}.lock`);
  await acquire(dir);
  try {
    return await work();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Whether a process that lives runs work under this name in the folder `place`. */
export function isAtWork(name, place) {
  const dir = join(place, `${name}.lock`);
  return existsSync(dir) && !isAbandoned(dir);
}

async function acquire(dir) {
  for (let announced = false; !take(dir); announced = true) {
    if (!announced) say(`another process is at it; waiting (${dir})`);
    if (isAbandoned(dir)) discard(dir);
    await sleep(300);
  }
}

function take(dir) {
  try {
    mkdirSync(dir);
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
  writeFileSync(join(dir, "pid"), String(process.pid));
  return true;
}

function isAbandoned(dir) {
  try {
    return !isAlive(Number(readFileSync(join(dir, "pid"), "utf8")));
  } catch {
    // The owner has made the directory and not yet written its pid, or it died in between.
    return ageOf(dir) > 60_000;
  }
}

function ageOf(dir) {
  const stat = statSync(dir, { throwIfNoEntry: false });
  return stat ? Date.now() - stat.mtimeMs : 0;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Renames the directory first, so that only one of several waiting processes removes it. */
function discard(dir) {
  const old = `${dir}.${process.pid}`;
  try {
    renameSync(dir, old);
  } catch {
    return;
  }
  rmSync(old, { recursive: true, force: true });
}
