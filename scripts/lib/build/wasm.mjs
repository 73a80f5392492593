// How the WebAssembly is compiled: quickly, or for speed.
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { environment, exec, Failure, outputOf } from "../base/command.mjs";
import { inRoot, npmBin } from "../base/paths.mjs";
import { ensureBindgen, target } from "./tools.mjs";

/**
 * What `wasm-opt` does. `-O3` takes half as long again, makes it larger, and nothing faster: see docs/performance.md. By default it inlines
 * each function that has one caller, whatever its size. All handlers of the API were one function of 365 KB then, and the runtime took
 * 92 MB to compile it anew after some calls. Functions with like names stand side by side, because `gzip` finds a repetition only
 * within 32 KB.
 */
const fullPasses = ["-O2", "--one-caller-inline-max-function-size=15", "--reorder-functions-by-name"];

/** The two builds. `profile` is one of Cargo.toml. Without `passes`, `wasm-opt` does not run. */
export const kinds = {
  full: { profile: "release", passes: fullPasses },
  quick: { profile: "quick" },
};

/** With `PROFILE`, the WebAssembly keeps the names of its functions, so that a profiler can name them. */
export const keepsNames = () => Boolean(process.env.PROFILE);

/** How large the served WebAssembly may be, gzipped, KB. A new isolate loads and compiles all of it. The platform takes 3 MB at least. */
export const maxGzippedKilobytes = 2_810;

/** How large a function of it may be, KB. The runtime compiles a busy function anew, and takes some 250 times its size for that. */
export const maxFunctionKilobytes = 100;

export const wasmFile = "index_bg.wasm";
const bindingsFile = "index.js";
const modulesDir = "src/platform";
const modules = [
  "worker.mjs",
  "restart.mjs",
  "apart.mjs",
  "bodies.mjs",
  "calls.mjs",
  "crossings.mjs",
  "later.mjs",
  "zones.mjs",
];

/** What the runtime loads, in `build/`: first the entry module, then what it imports. */
export const outputs = [...modules, bindingsFile, wasmFile];

/** How large the built WebAssembly is, KB. */
export function wasmKilobytes() {
  const wasm = readFileSync(inRoot("build", wasmFile));
  return { plain: wasm.length / 1_024, gzipped: gzipSync(wasm, { level: 9 }).length / 1_024 };
}

/** Makes the outputs. They come into `build/` at the very end, so that a runtime that serves them meets no mixture. */
export async function compile(kind) {
  const { profile, passes } = kinds[kind];
  const [bindgen] = await together(ensureBindgen(), cargoBuild("peyk", profile));
  const dir = inRoot("build", ".unfinished");
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  await exec(bindgen, ["worker", compiled("peyk", profile), dir]);
  await bundle(dir);
  if (passes) await optimize(join(dir, wasmFile), passes);
  for (const file of modules) copyFileSync(inRoot(modulesDir, file), join(dir, file));
  for (const file of outputs) renameSync(join(dir, file), inRoot("build", file));
  rmSync(dir, { recursive: true });
}

/** Waits for all, also if one fails: nothing may go on in the background. */
export async function together(...works) {
  const settled = await Promise.allSettled(works);
  const failed = settled.find(({ status }) => status === "rejected");
  if (failed) throw failed.reason;
  return settled.map(({ value }) => value);
}

/** Compiles a package of the workspace for WebAssembly. `settings` go before those of Cargo.toml. */
export function cargoBuild(name, profile, settings = []) {
  // Rust's promises then need no second library beside `js-sys`.
  const env = environment({ WASM_BINDGEN_USE_JS_SYS: "1" });
  const config = [reproducible(), ...settings].flatMap((setting) => ["--config", setting]);
  return exec("cargo", ["build", ...config, "--package", name, "--lib", "--profile", profile, "--target", target], {
    env,
  });
}

/** What is compiled names no folder of whoever compiles it: the same tree gives the same bytes elsewhere. */
function reproducible() {
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), ".cargo");
  return `target.${target}.rustflags=${JSON.stringify([`--remap-path-prefix=${cargoHome}=/cargo`])}`;
}

/** The file that `cargoBuild` makes. */
export const compiled = (name, profile) => join(targetDir(), target, profile, `${name.replaceAll("-", "_")}.wasm`);

/** Where cargo puts what it compiles: `CARGO_TARGET_DIR` and cargo's configuration may change it. */
function targetDir() {
  const metadata = outputOf("cargo", ["metadata", "--format-version=1", "--no-deps", "--offline"]);
  if (metadata === null) throw new Failure("`cargo metadata` failed");
  return JSON.parse(metadata).target_directory;
}

/** Puts the bindings and the small scripts of the crates into one module, in a form that the runtime knows. */
async function bundle(dir) {
  const file = join(dir, bindingsFile);
  writeFileSync(file, readFileSync(file, "utf8").replace("import source ", "import "));
  const external = [`./${wasmFile}`, "cloudflare:*"].map((name) => `--external:${name}`);
  const options = ["--bundle", "--format=esm", "--minify", "--log-level=warning", "--allow-overwrite"];
  await exec(npmBin("esbuild"), [file, ...options, ...external, `--outfile=${file}`]);
}

export function optimize(wasm, passes) {
  const features = [
    "mutable-globals",
    "sign-ext",
    "nontrapping-float-to-int",
    "bulk-memory",
    "multivalue",
    "reference-types",
    "exception-handling",
  ];
  return exec(npmBin("wasm-opt"), [
    wasm,
    ...passes,
    keepsNames() ? "--debuginfo" : "--strip-debug",
    "--strip-producers",
    ...features.map((name) => `--enable-${name}`),
    "-o",
    wasm,
  ]);
}
