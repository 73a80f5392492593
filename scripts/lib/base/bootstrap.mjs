import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync, writeFileSync } from "node:fs";
import { complain, exec, Failure, finished, say } from "./command.mjs";
import { withLock } from "./lock.mjs";
import { ensureNode, isPackage } from "./packed.mjs";
import { inRoot, npmBin, pathWith, root } from "./paths.mjs";
import { watchOver } from "./watch.mjs";

const stampFile = inRoot("node_modules", ".peyk-lock");

/**
 * Makes a command work in a clean clone. It installs the pinned packages if they are missing or out of date, and it
 * runs the command again in the pinned Node.js, whatever version the machine has. Until it returns, code may use only
 * the built-ins of Node 20. A package has its packages, and runs in the Node.js of the machine if that is new enough.
 */
export async function bootstrap() {
  try {
    if (isPackage) return ensureNode();
    await installPackages();
    process.env.PATH = pathWith();
    if (!isPinnedNode()) process.exit(await again());
  } catch (error) {
    complain(error);
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
    ensureOwnFolder();
    say("installing the pinned npm packages (`npm ci`, less than a minute) …");
    await exec("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
    await ensurePinnedNode();
    writeFileSync(stampFile, lockHash());
  });
}

/** Through a link, `npm ci` would empty the folder of another checkout. */
function ensureOwnFolder() {
  const folder = inRoot("node_modules");
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new Failure(
    `the packages are out of date, and ${folder} is a link. Installing would empty ${readlinkSync(folder)}. Remove the link, ` +
      "and run the same command again.",
  );
}

/** The package `node` fetches its program in an install script, and npm may be set not to run install scripts. */
async function ensurePinnedNode() {
  if (existsSync(npmBin("node"))) return;
  await exec(process.execPath, ["installArchSpecificPackage"], { cwd: inRoot("node_modules", "node") });
  if (!existsSync(npmBin("node")))
    throw new Failure("the npm package `node` brought no program; `npm ci` should mend it");
}

const isPinnedNode = () => realpathSync(process.execPath) === realpathSync(npmBin("node"));

async function again() {
  const child = spawn(npmBin("node"), process.argv.slice(1), { stdio: "inherit" });
  watchOver(child);
  // Ctrl-C in a terminal reaches the child directly. A signal sent only to this process does not, so it is passed on.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  const { code } = await finished(child);
  return code ?? 1;
}
