import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { environment, exec, outputOf } from "./exec.mjs";
import { Failure, say } from "./fail.mjs";
import { withLock } from "./lock.mjs";
import { cacheDir, inRoot } from "./paths.mjs";

/** The version of a tool must equal the version of its library, so it comes from Cargo.lock. */
const tools = [
  { crate: "worker-build", library: "worker", programs: ["worker-build"], minutes: 4 },
  {
    crate: "wasm-bindgen-cli",
    library: "wasm-bindgen",
    programs: ["wasm-bindgen", "wasm-bindgen-test-runner"],
    minutes: 3,
  },
];

/** The tools run for seconds. Compiling them with the release profile takes twice as long and gains nothing. */
const quickProfile = {
  CARGO_PROFILE_RELEASE_LTO: "off",
  CARGO_PROFILE_RELEASE_OPT_LEVEL: "1",
  CARGO_PROFILE_RELEASE_CODEGEN_UNITS: "16",
};

/** Returns the paths of the programs that build and test the WebAssembly, by name. Compiles them on first use. */
export async function ensureTools() {
  const wanted = tools.map((tool) => ({ ...tool, version: lockedVersion(tool.library) }));
  if (wanted.some((tool) => !find(tool))) await withLock("tools", () => installMissing(wanted));
  return Object.assign({}, ...wanted.map(findOrFail));
}

function lockedVersion(library) {
  const lock = readFileSync(inRoot("Cargo.lock"), "utf8");
  const match = new RegExp(`^name = "${library}"\\nversion = "(.+)"$`, "m").exec(lock);
  if (!match) throw new Failure(`Cargo.lock names no \`${library}\``);
  return match[1];
}

const homeOf = (tool) => join(cacheDir, `${tool.crate}-${tool.version}`);

/**
 * Looks on the PATH and where an earlier run installed the tool. The programs must run and report the right version.
 */
function find(tool) {
  for (const dir of ["", join(homeOf(tool), "bin")]) {
    const paths = tool.programs.map((name) => join(dir, name));
    if (paths.every((path) => outputOf(path, ["--version"])?.split(" ").at(-1) === tool.version)) {
      return Object.fromEntries(tool.programs.map((name, i) => [name, resolveProgram(paths[i])]));
    }
  }
  return null;
}

function resolveProgram(path) {
  if (dirname(path) !== ".") return path;
  const dir = process.env.PATH.split(":").find((entry) => existsSync(join(entry, path)));
  return join(dir, path);
}

function findOrFail(tool) {
  const found = find(tool);
  if (!found)
    throw new Failure(
      `${tool.crate} ${tool.version} was installed but does not run; remove ${homeOf(tool)} and try again`,
    );
  return found;
}

async function installMissing(wanted) {
  const missing = wanted.filter((tool) => !find(tool));
  for (const [i, tool] of missing.entries()) await install(tool, `${i + 1} of ${missing.length}`);
  rmSync(compiledDir, { recursive: true, force: true });
}

/** Kept until all tools are installed. So shared dependencies compile once, and an interrupted run continues. */
const compiledDir = join(cacheDir, "target");

/** Installs into a separate directory and renames it at the end, so that an interrupted install is never used. */
async function install(tool, count) {
  say(`compiling ${tool.crate} ${tool.version} (${count}; once, about ${tool.minutes} minutes on two cores) …`);
  const unfinished = `${homeOf(tool)}.unfinished`;
  mkdirSync(cacheDir, { recursive: true });
  rmSync(unfinished, { recursive: true, force: true });
  const args = [
    "install",
    "--locked",
    "--version",
    tool.version,
    "--root",
    unfinished,
    "--target-dir",
    compiledDir,
    tool.crate,
  ];
  await exec("cargo", args, { env: environment(quickProfile) });
  rmSync(homeOf(tool), { recursive: true, force: true });
  renameSync(unfinished, homeOf(tool));
}
