import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const inRoot = (...parts) => join(root, ...parts);

/** The path of a command that npm installed. */
export const npmBin = (name) => inRoot("node_modules", ".bin", name);

/** The cache is outside the checkout, so that the compiled tools outlive a clone. */
export const cacheDir = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "peyk");

export const stateDir = () => resolve(root, process.env.STATE_DIR || ".wrangler/state");

/** Wrangler and worker-build start `node` by name, so the pinned one must come first. */
export const pathWith = (...dirs) => [...dirs, inRoot("node_modules", ".bin"), process.env.PATH].join(delimiter);
