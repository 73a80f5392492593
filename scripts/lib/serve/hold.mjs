import { existsSync, rmSync } from "node:fs";
import { backupLock, scratchOf } from "../backup/files.mjs";
import { isAtWork, withLock } from "../base/lock.mjs";
import { ensureClock, ensureFolder, ensureNotNewer, versionIn } from "./folder.mjs";
import { lockFolder } from "./lock.mjs";
import { removeDeadSockets } from "./service/sockets.mjs";

/** Holds a folder for the life of this process, if the data in it are for this version. All that is made there is for its user alone. */
export async function holdFolder(places, version) {
  process.umask(0o077);
  ensureFolder(places);
  await lockFolder(places);
  const found = versionIn(places);
  if (found) ensureNotNewer(places, found, version);
  ensureClock(places);
  removeDeadSockets(places.dir);
  await removeUnfinishedBackup(places.dir);
}

/** A backup that was killed has left its copy of a database. One that is at work keeps it. */
async function removeUnfinishedBackup(dir) {
  const scratch = scratchOf(dir);
  if (!existsSync(scratch) || isAtWork(backupLock, dir)) return;
  await withLock(backupLock, () => rmSync(scratch, { recursive: true, force: true }), dir);
}
