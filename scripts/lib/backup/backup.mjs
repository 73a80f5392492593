import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { backup as copyDatabase } from "node:sqlite";
import { Failure } from "../base/command.mjs";
import { withLock } from "../base/lock.mjs";
import { peykVersion } from "../base/version.mjs";
import { createArchive } from "./archive.mjs";
import { ensureData } from "./files.mjs";
import { takeSnapshot } from "./snapshot.mjs";

/** Pages of a database that are copied at once, without other work between them. */
const pagesAtOnce = 1_000;

/** Writes the data in `data` into the archive `to`, while a service serves them or not. `say` prints a line. */
export async function backup({ data, to, say }) {
  const dir = resolve(data);
  ensureData(dir);
  const target = checkedTarget(dir, resolve(to));
  const { stillMs, at, databases } = await writeArchive(realpathSync(dir), target);
  say(`the service stood still for ${Math.ceil(stillMs)} ms, and served on while its data were copied`);
  say(`${target} has the data of ${at}: ${databases} databases, ${statSync(target).size} bytes`);
}

/**
 * Writes the data in the folder `dir` into the archive `target`, which comes into being when it is whole. Returns for how long the service
 * stood still, of when the data are, and how many databases they have.
 */
export function writeArchive(dir, target) {
  // The user of a service may have no other folder, and its data have one by any path.
  return withLock(".backup", () => write(dir, target), dir);
}

function checkedTarget(dir, target) {
  if (existsSync(target)) throw new Failure(`${target} is there already. Name another file.`);
  if (!existsSync(dirname(target))) throw new Failure(`there is no folder ${dirname(target)}`);
  const place = join(realpathSync(dirname(target)), basename(target));
  if (!relative(realpathSync(dir), place).startsWith(".."))
    throw new Failure(
      `${target} is in the folder of the data. Name a file elsewhere, on another disk if there is one.`,
    );
  return target;
}

async function write(dir, target) {
  // On the same disk as the data, for second names of its files.
  const scratch = join(dir, ".backup.unfinished");
  const unfinished = `${target}.unfinished`;
  const clean = () => {
    for (const path of [scratch, unfinished]) rmSync(path, { recursive: true, force: true });
  };
  clean();
  mkdirSync(scratch, { mode: 0o700 });
  try {
    const at = new Date().toISOString();
    const snapshot = await takeSnapshot(dir, join(scratch, "links"));
    const archive = createArchive(unfinished, { peyk: peykVersion(), at });
    for (const path of snapshot.files) await archive.add(path, join(snapshot.links, path));
    for (const [path, db] of snapshot.databases) await addDatabase(archive, path, db, join(scratch, "copy"));
    await archive.end();
    renameSync(unfinished, target);
    return { stillMs: snapshot.ms, at, databases: snapshot.databases.size };
  } finally {
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
