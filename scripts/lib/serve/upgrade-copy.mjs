// A version that finds the data of an older one copies them before it changes anything. There is no other way back.
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { mebibytes, sizesOf } from "../backup/files.mjs";
import { Failure, say } from "../base/command.mjs";
import { inWords } from "../base/disk-errors.mjs";
import { isNewer } from "../base/version.mjs";
import { LEAST_ROOM, roomIn, versionIn } from "./folder.mjs";

/** Copies that are kept: of the newest upgrade, and of the one before. */
const KEPT = 2;

/**
 * Copies the data of `places` if a version older than `version` has served them last. The copy is an archive as `backup` makes it.
 * `isWanted` is false for an operator who has a backup. `room` says how many bytes are free.
 */
export async function copyBeforeUpgrade(places, version, { isWanted, room = roomIn }) {
  const found = versionIn(places);
  if (!found || !isNewer(version, found.peyk) || !isWanted) return;
  ensureRoom(places.dir, room(places.dir));
  mkdirSync(places.copies, { recursive: true, mode: 0o700 });
  const copy = join(places.copies, `peyk-${found.peyk}.tar.gz`);
  say(`these are the data of Peyk ${found.peyk}. Before ${version} changes them, they are copied …`);
  // Node.js warns of its SQLite whoever loads it first. The lock of the folder has loaded it without.
  const { writeArchive } = await import("../backup/backup.mjs");
  // An earlier start may have come as far as here, and the older version may have served on.
  await inWords("the data could not be copied, and nothing was changed", () => writeArchive(places.dir, copy));
  for (const old of oldest(places.copies)) rmSync(old);
  say(`${copy} has them, ${mebibytes(statSync(copy).size)} MiB. To go back, restore it into a new folder`);
}

/** An archive is smaller than the stores, mostly by far. Nobody knows before how much. */
function ensureRoom(dir, room) {
  const { all, largest } = sizesOf(dir);
  const needed = all + largest + LEAST_ROOM;
  if (room < needed)
    throw new Failure(
      `an upgrade copies the data first, and ${dir} has ${mebibytes(room)} MiB of room, not ${mebibytes(needed)}. Make room, or make a ` +
        "backup elsewhere and start once with --no-copy. Nothing was changed.",
    );
}

/** The paths of the archives that are too old to be kept. */
function oldest(dir) {
  const archives = readdirSync(dir).filter((name) => name.endsWith(".tar.gz"));
  const writtenMs = (path) => statSync(path).mtimeMs;
  const paths = archives.map((name) => join(dir, name)).toSorted((a, b) => writtenMs(b) - writtenMs(a));
  return paths.slice(KEPT);
}
