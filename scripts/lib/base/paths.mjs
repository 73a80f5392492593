import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../..", import.meta.url));
export const inRoot = (...parts) => join(root, ...parts);

/** The path of a command that npm installed. */
export const npmBin = (name) => inRoot("node_modules", ".bin", name);

/** The cache is outside the checkout, so that the compiled tools outlive a clone. */
export const cacheDir = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "peyk");

export const stateDir = () => resolve(root, process.env.STATE_DIR || ".wrangler/state");

/** Wrangler starts `node` by name, so the pinned one must come first. */
export const pathWith = (...dirs) => [...dirs, inRoot("node_modules", ".bin"), process.env.PATH].join(delimiter);

/** A hash of all files under these paths, by their names and contents. */
export function hashOf(paths, seed = "") {
  const hash = createHash("sha256").update(seed);
  for (const file of paths.flatMap(filesUnder))
    hash
      .update(`${file}\0`)
      .update(readFileSync(inRoot(file)))
      .update("\0");
  return hash.digest("hex");
}

/** The files under a path, sorted; none if there is nothing. */
export function filesUnder(path) {
  const stat = statSync(inRoot(path), { throwIfNoEntry: false });
  if (!stat) return [];
  if (stat.isFile()) return [path];
  return readdirSync(inRoot(path))
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}
