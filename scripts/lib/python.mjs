import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { installPackages } from "./debian.mjs";
import { environment, exec, outputOf } from "./exec.mjs";
import { say } from "./fail.mjs";
import { withLock } from "./lock.mjs";
import { cacheDir } from "./paths.mjs";

/**
 * Returns a Python that has the packages of a requirements file, which pins them by their hashes. Installs them on first
 * use into a virtual environment in the cache. `what` names what needs it, as a plural.
 */
export async function ensurePython(requirements, what) {
  const hash = createHash("sha256").update(readFileSync(requirements)).digest("hex").slice(0, 12);
  const home = join(cacheDir, `python-${hash}`);
  const python = join(home, "bin", "python3");
  if (!works(python)) await withLock(`python-${hash}`, () => works(python) || install(home, requirements, what));
  return python;
}

/** A virtual environment points to the machine's Python, which may have been removed since. */
const works = (python) => existsSync(python) && outputOf(python, ["--version"]) !== null;

/** Only a complete environment has its final name: `venv` may be moved if its Python is started by path. */
async function install(home, requirements, what) {
  if (outputOf("python3", ["-c", "import ensurepip, venv"]) === null)
    await installPackages(["python3", "python3-venv"], what);
  say(`installing the Python packages of ${what} …`);
  const unfinished = `${home}.unfinished`;
  mkdirSync(cacheDir, { recursive: true });
  for (const dir of [home, unfinished]) rmSync(dir, { recursive: true, force: true });
  await exec("python3", ["-m", "venv", unfinished]);
  const pip = [
    "-m",
    "pip",
    "install",
    "--quiet",
    "--disable-pip-version-check",
    "--require-hashes",
    "-r",
    requirements,
  ];
  await exec(join(unfinished, "bin", "python3"), pip, { env: environment() });
  renameSync(unfinished, home);
}
