// The folder of a service's data: what stands where in it, and whether a service may begin there.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Failure } from "../base/command.mjs";
import { writeSecret } from "../base/keys.mjs";

/** The form of the folder. A version that changes it raises the number. */
const FORMAT = 1;
/** How much room a start needs, in bytes. SQLite needs some to do what it has begun, and to tell of it. */
const LEAST_ROOM = 64 << 20;
/** How far the clock may be behind the newest file, ms: it may be set right by some minutes. */
const CLOCK_SLACK_MS = 10 * 60_000;

const names = { settings: "peyk.toml", secret: "secret", state: "state", lock: "lock", version: "version.json" };

/** The paths of what stands in the folder. */
export const placesIn = (dir) => ({
  dir: resolve(dir),
  ...Object.fromEntries(Object.entries(names).map(([name, file]) => [name, resolve(dir, file)])),
});

/**
 * Makes the folder if there is none, and fails if a service can't keep its data there. Changes nothing of what is in it. `room` says
 * how many bytes are free.
 */
export function ensureFolder({ dir, version }, room = roomIn) {
  guarded(dir, "can't be made", () => mkdirSync(dir, { recursive: true, mode: 0o700 }));
  const { uid } = statSync(dir);
  if (uid !== process.getuid())
    throw new Failure(`${dir} belongs to another user (${uid}). Run the service as that user, or name another folder.`);
  const known = [...Object.values(names), `${names.version}.unfinished`, `${names.secret}.unfinished`];
  const others = readdirSync(dir).filter((name) => !known.includes(name) && !name.startsWith("."));
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
  const isNewer = new Intl.Collator("en", { numeric: true }).compare(found.peyk, peyk) > 0;
  if (isNewer || found.format > FORMAT)
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
  const files = existsSync(state) ? readdirSync(state, { recursive: true }) : [];
  const newest = Math.max(0, ...files.map((file) => statSync(join(state, file)).mtimeMs));
  if (now < newest - CLOCK_SLACK_MS)
    throw new Failure(
      `the clock of this machine says ${new Date(now).toISOString()}, and the data were written at ${new Date(newest).toISOString()}. ` +
        "Set the clock right, and start again.",
    );
}
