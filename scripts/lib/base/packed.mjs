// Whether these files are a package (`npm run package`), which has all that it runs, or a checkout, which installs and builds it.
import { existsSync } from "node:fs";
import { Failure } from "./command.mjs";
import { inRoot } from "./paths.mjs";

/** The file that only a package has: `{version, platform, build, site}`. The last two are the stamps of what was built. */
export const marker = "packed.json";
export const isPackage = existsSync(inRoot(marker));

/** How one calls a command here. Its options follow. */
export const called = (command) => (isPackage ? `peyk ${command}` : `npm run ${command} --`);

/** The first minor versions of Node.js whose SQLite copies a database, as a backup does. Later major versions have that. */
const firstMinor = { 22: 16, 23: 8 };

/** Fails if a package can't run in this version of Node.js. */
export function ensureNode(version = process.versions.node) {
  const [major, minor] = version.split(".").map(Number);
  if (major >= 22 && minor >= (firstMinor[major] ?? 0)) return;
  throw new Failure(
    `this package needs Node.js 22.16 or newer (of the versions 23, from 23.8 on), and ${process.execPath} is ${version}.`,
  );
}
