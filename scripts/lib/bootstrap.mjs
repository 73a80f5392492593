import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { exec, finished } from "./exec.mjs";
import { Failure, say } from "./fail.mjs";
import { withLock } from "./lock.mjs";
import { inRoot, npmBin, pathWith, root } from "./paths.mjs";

const stampFile = inRoot("node_modules", ".peyk-lock");

/**
 * Makes a command work in a clean clone: installs the pinned packages when they are missing or out of date, and
 * goes on in the pinned Node.js, whatever version the machine has. Until it returns only Node 20's built-ins may be used.
 */
export async function bootstrap() {
  try {
    await installPackages();
    process.env.PATH = pathWith();
    if (!isPinnedNode()) process.exit(await again());
  } catch (error) {
    console.error(error instanceof Failure ? `\npeyk: ${error.message}` : error);
    process.exit(1);
  }
}

const lockHash = () =>
  createHash("sha256")
    .update(readFileSync(inRoot("package-lock.json")))
    .digest("hex");

const isInstalled = () => existsSync(stampFile) && readFileSync(stampFile, "utf8") === lockHash();

async function installPackages() {
  if (isInstalled()) return;
  await withLock(`npm-${createHash("sha256").update(root).digest("hex").slice(0, 12)}`, async () => {
    if (isInstalled()) return;
    say("installing the pinned npm packages (`npm ci`, less than a minute) …");
    await exec("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
    await ensurePinnedNode();
    writeFileSync(stampFile, lockHash());
  });
}

/** The package `node` fetches its program in an install script, which npm may have been told not to run. */
async function ensurePinnedNode() {
  if (existsSync(npmBin("node"))) return;
  await exec(process.execPath, ["installArchSpecificPackage"], { cwd: inRoot("node_modules", "node") });
  if (!existsSync(npmBin("node")))
    throw new Failure("the npm package `node` brought no program; `npm ci` should mend it");
}

const isPinnedNode = () => realpathSync(process.execPath) === realpathSync(npmBin("node"));

async function again() {
  const child = spawn(npmBin("node"), process.argv.slice(1), { stdio: "inherit" });
  // A terminal's Ctrl-C reaches the child by itself; a signal sent to this process alone would not.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  const { code } = await finished(child);
  return code ?? 1;
}
