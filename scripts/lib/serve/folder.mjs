// The folder of a service's data: what stands where in it, and whether a service may begin there.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { realPathOf } from "../base/checkout.mjs";
import { Failure } from "../base/command.mjs";
import { writeSecret } from "../base/keys.mjs";
import { shellWord } from "../base/shell-word.mjs";
import { isNewer } from "../base/version.mjs";

/** The form of the folder. A version that changes it raises the number. */
const FORMAT = 1;
/** How much room a start needs, in bytes. SQLite needs some to do what it has begun, and to tell of it. */
export const LEAST_ROOM = 64 << 20;
/** Below this, the log says so each minute, in bytes. */
export const LITTLE_ROOM = 512 << 20;
/** How far the clock may be behind the newest file, ms: it may be set right by some minutes. */
const CLOCK_SLACK_MS = 10 * 60_000;

/** The names of what stands in the folder. */
export const names = {
  settings: "peyk.toml",
  secret: "secret",
  state: "state",
  lock: "lock",
  version: "version.json",
  copies: "copies",
};

/** The paths of what stands in the folder, which has one name, also where links lead to it or to a folder above it. */
export function placesIn(path) {
  const dir = realPathOf(resolve(path));
  return { dir, ...Object.fromEntries(Object.entries(names).map(([name, file]) => [name, join(dir, file)])) };
}

/** The names of what stands in a folder. The root of a disk of its own has `lost+found`, which belongs to the file system. */
export const namesIn = (dir) => readdirSync(dir).filter((name) => name !== "lost+found");

/**
 * Makes the folder if there is none, and fails if a service can't keep its data there. Changes nothing of what is in it. `room` says
 * how many bytes are free.
 */
export function ensureFolder({ dir, version }, room = roomIn) {
  guarded(dir, "can't be made", () => mkdirSync(dir, { recursive: true, mode: 0o700 }));
  const { uid, mode } = statSync(dir);
  if (uid !== process.getuid())
    throw new Failure(`${dir} belongs to another user (${uid}). Run the service as that user, or name another folder.`);
  if ((mode & 0o022) !== 0) throw new Failure(`others may write into ${dir}. Run \`chmod 700 ${shellWord(dir)}\`.`);
  const known = [...Object.values(names), `${names.version}.unfinished`, `${names.secret}.unfinished`];
  const others = namesIn(dir).filter((name) => !known.includes(name) && !name.startsWith("."));
  if (!existsSync(version) && others.length > 0)
    throw new Failure(`${dir} has other things in it (${others[0]}), and no data of Peyk. Name a folder of its own.`);
  ensureRoom(dir, room(dir));
  const probe = join(dir, ".writable");
  guarded(dir, "can't be written into", () => writeFileSync(probe, ""));
  rmSync(probe, { force: true });
}

/** How many bytes are free where the folder is. */
export function roomIn(dir) {
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize;
}

function ensureRoom(dir, room) {
  if (room < LEAST_ROOM)
    throw new Failure(
      `the disk of ${dir} is full: it has ${room >> 20} MiB left, and a start needs ${LEAST_ROOM >> 20}. Make room, and start again: nothing is lost.`,
    );
}

function guarded(dir, what, work) {
  try {
    return work();
  } catch (error) {
    throw new Failure(`${dir} ${what}: ${error.message}`);
  }
}

/** Which version has served the data last, `{peyk, format}`; nothing, if none has. */
export function versionIn({ version }) {
  if (!existsSync(version)) return undefined;
  try {
    const { peyk, format } = JSON.parse(readFileSync(version, "utf8"));
    if (typeof peyk === "string" && Number.isInteger(format)) return { peyk, format };
  } catch {}
  throw new Failure(`${version} should name the version of the data, and does not. Take it from a backup.`);
}

/** Refuses data that a newer version has served: an older one does not know all that stands there. */
export function ensureNotNewer({ dir }, found, peyk) {
  if (isNewer(found.peyk, peyk) || found.format > FORMAT)
    throw new Failure(
      `the data in ${dir} are those of Peyk ${found.peyk}, and this is ${peyk}. Take that version or a newer one; to go back, ` +
        "restore a backup of the older version into a new folder.",
    );
}

export const writeVersion = ({ version }, peyk) =>
  writeSecret(version, `${JSON.stringify({ peyk, format: FORMAT })}\n`, { flush: true });

/**
 * Fails if the clock of the machine is behind the newest file of the stores: with such a clock, what is due would wait, and keys and
 * codes that have ended would work again.
 */
export function ensureClock({ state }, now = Date.now()) {
  const files = existsSync(state) ? readdirSync(state, { recursive: true }).map((name) => join(state, name)) : [];
  // A backup may let go of a file meanwhile.
  const times = files.map((path) => ({ path, writtenMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  const newest = times.reduce((one, other) => (other.writtenMs > one.writtenMs ? other : one), { writtenMs: 0 });
  if (now >= newest.writtenMs - CLOCK_SLACK_MS) return;
  const said = new Date(now).toISOString();
  const written = new Date(newest.writtenMs).toISOString();
  throw new Failure(
    `the clock of this machine says ${said}, and ${newest.path} was written at ${written}. Set the clock right, and start again. If it ` +
      `was wrong when the file was written, and is right now: \`find ${shellWord(state)} -newermt now -exec touch {} +\` lets the service start.`,
  );
}
