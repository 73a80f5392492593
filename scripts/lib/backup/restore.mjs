import {
  closeSync,
  createWriteStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { isForGit } from "../base/checkout.mjs";
import { Failure } from "../base/command.mjs";
import { inWords } from "../base/disk-errors.mjs";
import { isNewer, peykVersion } from "../base/version.mjs";
import { namesIn } from "../serve/folder.mjs";
import { readArchive } from "./archive.mjs";
import { stateFolder } from "./files.mjs";
import { markRestored } from "./marks.mjs";

/** All stands here until it is whole and every account is marked: no service looks here. */
const unfinished = "restore.unfinished";
/** Without it, no service takes the folder for its own. So it comes last. */
const versionFile = "version.json";

/**
 * Puts the data of the archive `from` into the folder `data`, which must be empty or not there. All of the archive is checked
 * before anything is written. `say` prints a line.
 */
export const restore = (options) => inWords("nothing was restored", () => restored(options));

async function restored({ from, data, say }) {
  const [file, dir] = [resolve(from), resolve(data)];
  if (!existsSync(file)) throw new Failure(`there is no file ${file}`);
  if (existsSync(dir) && namesIn(dir).length > 0)
    throw new Failure(`${dir} is not empty. Name a new folder: a restore replaces nothing.`);
  if (isForGit(dir))
    throw new Failure(`${dir} is in the checkout, where git could take the secret along. Name a folder elsewhere.`);
  ensureKnown(file, await readArchive(file));
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  try {
    const place = join(dir, unfinished);
    const { at } = await readArchive(file, (path, body) => writeFile(join(place, path), body));
    const accounts = markRestored(join(place, stateFolder), Date.now());
    const names = readdirSync(place).toSorted((a, b) => (a === versionFile) - (b === versionFile));
    for (const name of names) renameSync(join(place, name), join(dir, name));
    rmdirSync(place);
    flushFolder(dir);
    say(
      `${dir} has the data of ${at}, with ${accounts} accounts. Their sends are off: docs/backup.md says what comes next.`,
    );
  } catch (error) {
    for (const name of namesIn(dir)) rmSync(join(dir, name), { recursive: true });
    throw error;
  }
}

/** An older Peyk does not know what a newer one has written. */
function ensureKnown(file, { peyk }) {
  if (isNewer(peyk, peykVersion()))
    throw new Failure(
      `${file} was made by Peyk ${peyk}, and this is ${peykVersion()}. Restore it by that version or a newer one.`,
    );
}

async function writeFile(file, body) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  await pipeline(body, createWriteStream(file, { flags: "wx", mode: 0o600, flush: true }));
}

/** After this, the disk knows the names that a folder has. */
function flushFolder(dir) {
  const folder = openSync(dir);
  fsyncSync(folder);
  closeSync(folder);
}
