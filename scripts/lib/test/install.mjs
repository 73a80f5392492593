// What only the tests need of the machine, beside what the build needs.
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { environment, exec, Failure, outputOf, say } from "../base/command.mjs";
import { withLock } from "../base/lock.mjs";
import { cacheDir } from "../base/paths.mjs";

/**
 * Installs packages of Debian as root, and otherwise fails with instructions. `what` names what needs them, as a plural
 * ("the browser tests").
 */
async function installPackages(packages, what) {
  const isDebian = existsSync("/etc/debian_version");
  if (!isDebian || process.getuid() !== 0) {
    const how = isDebian ? ` \`sudo apt-get install ${packages.join(" ")}\` installs them.` : "";
    throw new Failure(`${what} need Debian's ${packages.join(" and ")}.${how}`);
  }
  say(`installing ${packages.join(" and ")} for ${what} …`);
  const env = environment({ DEBIAN_FRONTEND: "noninteractive" });
  await exec("apt-get", ["update", "-q"], { env });
  await exec("apt-get", ["install", "-q", "-y", "--no-install-recommends", ...packages], { env });
}

const shell = "chromium-headless-shell";
const isBrowserInstalled = () =>
  ["chromium", shell, "chromedriver"].every((program) => outputOf(program, ["--version"]) !== null);

/**
 * The path of the Chromium that shows pages to tests. It has no window: for each context, the whole program would make one, with an
 * address bar that is a page of its own and takes a second of the processor's time.
 */
export const chromiumPath = () => process.env.CHROMIUM || outputOf("sh", ["-c", `command -v ${shell}`]);

/** Finds Chromium and its driver, and installs them if they are missing. */
export async function ensureBrowser() {
  if (!isBrowserInstalled()) await installPackages(["chromium", shell, "chromium-driver"], "the browser tests");
  return { CHROMEDRIVER: process.env.CHROMEDRIVER || outputOf("sh", ["-c", "command -v chromedriver"]) };
}

const languages = { php: "php-cli", python3: "python3" };

/** Installs what is missing of the languages of the README's examples. */
export async function ensureLanguages() {
  const missing = Object.keys(languages).filter((program) => outputOf(program, ["--version"]) === null);
  if (missing.length === 0) return;
  const names = missing.map((program) => languages[program]);
  await installPackages(names, "the tests of the README's examples");
}

/** What the guide to frameworks needs. */
const frameworks = {
  "golang-go": "go",
  "mono-mcs": "mcs",
  "mono-runtime": "mono",
  "libmono-system-core4.0-cil": "/usr/lib/mono/4.5/System.Core.dll",
  "php-laravel-framework": "/usr/share/php/Illuminate/autoload.php",
};

/** Finds the frameworks and languages that the guides show beside those of the libraries, and installs what is missing. */
export async function ensureFrameworks() {
  await ensureLanguages();
  await ensurePackages(frameworks, "the tests of frameworks");
}

/** Installs what is missing of packages, each by a file that it brings or a program that does as well. */
async function ensurePackages(packages, what) {
  const isThere = (sign) => (sign.startsWith("/") ? existsSync(sign) : outputOf("sh", ["-c", `command -v ${sign}`]));
  const missing = Object.keys(packages).filter((name) => !isThere(packages[name]));
  if (missing.length > 0) await installPackages(missing, what);
}

/** What sends by Symfony. */
const symfony = {
  "php-cli": "php",
  "php-symfony-http-client": "/usr/share/php/Symfony/Component/HttpClient/autoload.php",
  "php-symfony-twilio-notifier": "/usr/share/php/Symfony/Component/Notifier/Bridge/Twilio/autoload.php",
};

/** Finds or installs PHP and Symfony's notifier for Twilio. */
export const ensureSymfony = () => ensurePackages(symfony, "the tests of doors");

/** What a generated client in Go needs: Go, and the package that it imports. */
const go = { "golang-go": "go", "golang-gopkg-validator.v2-dev": "/usr/share/gocode/src/gopkg.in/validator.v2" };

/** Finds or installs Go, for what generators of clients make. */
export const ensureGo = () => ensurePackages(go, "the tests of generators");

/** The programs of Kannel that the tests run. They have no `--version`. */
export const kannelPrograms = { bearerbox: "/usr/sbin/bearerbox", smsbox: "/usr/sbin/smsbox" };

/** Finds Kannel, and installs it if it is missing. `what` is as `installPackages` has it. */
export async function ensureKannel(what = "the tests of carriers") {
  if (Object.values(kannelPrograms).every((path) => existsSync(path))) return;
  await withoutServices(() => installPackages(["kannel"], what));
  // Otherwise the machine would start a gateway of its own with the next boot. The tests start theirs as processes.
  await exec("update-rc.d", ["kannel", "disable"]);
}

const proxies = { "nginx-light": "nginx", caddy: "caddy" };

/** Finds the proxies of docs/self-hosting.md, and installs what is missing. The tests start them as processes. */
export const ensureProxies = () => withoutServices(() => ensurePackages(proxies, "the tests of proxies"));

const policy = "/usr/sbin/policy-rc.d";

/** Debian starts the services of a package when it installs the package, unless this program forbids it. */
async function withoutServices(work) {
  const forbids = !existsSync(policy) && process.getuid() === 0;
  if (forbids) {
    writeFileSync(
      policy,
      "#!/bin/sh\n# The installation of packages for tests put this here and removes it.\nexit 101\n",
    );
    chmodSync(policy, 0o755);
  }
  try {
    return await work();
  } finally {
    if (forbids) rmSync(policy, { force: true });
  }
}

/**
 * Returns a Python that has the packages of a requirements file, which pins them by their hashes. Installs them on first
 * use into a virtual environment in the cache. `what` names what needs it, as a plural. Packages that come as sources need
 * `builders`, a requirements file of what builds them: pip by itself would fetch the newest, whatever its hash.
 */
export async function ensurePython(requirements, what, builders = null) {
  const files = builders === null ? [requirements] : [builders, requirements];
  const name = `python-${digestOf(files)}`;
  const home = join(cacheDir, name);
  const python = join(home, "bin", "python3");
  if (!isWorking(python)) await withLock(name, () => isWorking(python) || installPython(home, files, what));
  return python;
}

/** What stands for these files in the name of what is made of them. */
const digestOf = (files) =>
  files
    .reduce((sum, file) => sum.update(readFileSync(file)), createHash("sha256"))
    .digest("hex")
    .slice(0, 12);

/** A virtual environment points to the machine's Python, which may have been removed since. */
const isWorking = (python) => existsSync(python) && outputOf(python, ["--version"]) !== null;

/** Only a complete environment has its final name: `venv` may be moved if its Python is started by path. */
async function installPython(home, files, what) {
  if (outputOf("python3", ["-c", "import ensurepip, venv"]) === null)
    await installPackages(["python3", "python3-venv"], what);
  say(`installing the Python packages of ${what} …`);
  const unfinished = `${home}.unfinished`;
  mkdirSync(cacheDir, { recursive: true });
  for (const dir of [home, unfinished]) rmSync(dir, { recursive: true, force: true });
  await exec("python3", ["-m", "venv", unfinished]);
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"];
  if (files.length > 1) pip.push("--no-build-isolation");
  const python = join(unfinished, "bin", "python3");
  for (const file of files) await exec(python, [...pip, "-r", file], { env: environment() });
  renameSync(unfinished, home);
}

/**
 * Returns a folder whose `node_modules` has the npm packages that `folder` pins, by its `package.json` and `package-lock.json`. Installs them
 * on first use into the cache, and runs no code of theirs meanwhile. `what` names what needs them, as a plural.
 */
export async function ensureNpm(folder, what) {
  const files = ["package.json", "package-lock.json"].map((file) => join(folder, file));
  const name = `packages-${digestOf(files)}`;
  const home = join(cacheDir, name);
  if (!existsSync(home)) await withLock(name, () => existsSync(home) || installNpm(home, files, what));
  return home;
}

/** Only a complete folder has its final name. */
async function installNpm(home, files, what) {
  say(`installing the npm packages of ${what} …`);
  const unfinished = `${home}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  for (const file of files) copyFileSync(file, join(unfinished, basename(file)));
  const quietly = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await exec("npm", ["ci", ...quietly], { cwd: unfinished });
  renameSync(unfinished, home);
}
