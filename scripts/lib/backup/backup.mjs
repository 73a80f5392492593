import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { backup as copyDatabase } from "node:sqlite";
import { isForGit } from "../base/checkout.mjs";
import { Failure } from "../base/command.mjs";
import { inWords } from "../base/disk-errors.mjs";
import { withLock } from "../base/lock.mjs";
import { peykVersion } from "../base/version.mjs";
import { LITTLE_ROOM, roomIn } from "../serve/folder.mjs";
import { createArchive } from "./archive.mjs";
import { backupLock, ensureData, mebibytes, scratchOf, sizesOf } from "./files.mjs";
import { closeAll, takeSnapshot } from "./snapshot.mjs";

/** Pages of a database that are copied at once, without other work between them. */
const pagesAtOnce = 1_000;

/**
 * Writes the data in `data` into the archive `to`, while a service serves them or not. `say` prints a line, and `room` says how many bytes
 * are free where a folder is.
 */
export const backup = (options) => inWords("the backup was not made", () => made(options));

async function made({ data, to, say, room = roomIn }) {
  const dir = resolve(data);
  ensureData(dir);
  const target = checkedTarget(dir, resolve(to));
  const ensureRoomFor = (bytes) => ensureRoom(dir, target, bytes, room(dir));
  ensureRoomFor(sizesOf(dir).largest);
  const { stillMs, at, databases } = await writeArchive(realpathSync(dir), target, ensureRoomFor);
  say(`the service stood still for ${Math.ceil(stillMs)} ms, and served on while its data were copied`);
  say(`${target} has the data of ${at}: ${databases} databases, ${statSync(target).size} bytes`);
}

/**
 * Writes the data in the folder `dir` into the archive `target`, which comes into being when it is whole. Returns for how long the service
 * stood still, of when the data are, and how many databases they have. `ensureRoomFor` fails if the disk has no room for so many bytes.
 */
export function writeArchive(dir, target, ensureRoomFor = () => {}) {
  // The user of a service may have no other folder, and its data have one by any path.
  return withLock(backupLock, () => write(dir, target, ensureRoomFor), dir);
}

/** The service needs room while its data are copied: otherwise the copy would stop it. An archive on the same disk takes some, too. */
function ensureRoom(dir, target, database, room) {
  const isSameDisk = statSync(dirname(target)).dev === statSync(dir).dev;
  const needed = (isSameDisk ? 2 : 1) * database + LITTLE_ROOM;
  if (room < needed)
    throw new Failure(
      `the disk of ${dir} has ${mebibytes(room)} MiB of room, and this backup needs ${mebibytes(needed)}: for a copy of one database` +
        `${isSameDisk ? " and the archive" : ""}, and for what the service writes meanwhile. Make room${isSameDisk ? ", or name a file on another disk" : ""}.`,
    );
}

function checkedTarget(dir, target) {
  if (existsSync(target)) throw new Failure(`${target} is there already. Name another file.`);
  if (!existsSync(dirname(target))) throw new Failure(`there is no folder ${dirname(target)}`);
  const place = join(realpathSync(dirname(target)), basename(target));
  if (isForGit(place))
    throw new Failure(
      `${target} is in the checkout, where git could take it along, and it has the secret. Name a file elsewhere.`,
    );
  if (!relative(realpathSync(dir), place).startsWith(".."))
    throw new Failure(
      `${target} is in the folder of the data. Name a file elsewhere, on another disk if there is one.`,
    );
  return target;
}

async function write(dir, target, ensureRoomFor) {
  // On the same disk as the data, for second names of its files.
  const scratch = scratchOf(dir);
  const unfinished = `${target}.unfinished`;
  const clean = () => {
    for (const path of [scratch, unfinished]) rmSync(path, { recursive: true, force: true });
  };
  clean();
  mkdirSync(scratch, { mode: 0o700 });
  let snapshot;
  try {
    const at = new Date().toISOString();
    snapshot = await takeSnapshot(dir, join(scratch, "links"));
    const archive = createArchive(unfinished, { peyk: peykVersion(), at });
    for (const path of snapshot.files) await archive.add(path, join(snapshot.links, path));
    for (const [path, db] of snapshot.databases) {
      ensureRoomFor(statSync(join(dir, path), { throwIfNoEntry: false })?.size ?? 0);
      await addDatabase(archive, path, db, join(scratch, "copy"));
    }
    await archive.end();
    renameSync(unfinished, target);
    return { stillMs: snapshot.ms, at, databases: snapshot.databases.size };
  } finally {
    closeAll(snapshot?.databases);
    clean();
  }
}

/** One copy at a time is on the disk. The transaction of the connection decides what the copy has. */
async function addDatabase(archive, path, db, copy) {
  await copyDatabase(db, copy, { rate: pagesAtOnce });
  db.close();
  await archive.add(path, copy);
  rmSync(copy);
}
