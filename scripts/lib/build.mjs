import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { environment, exec } from "./exec.mjs";
import { Failure, say } from "./fail.mjs";
import { withLock } from "./lock.mjs";
import { inRoot, npmBin, root } from "./paths.mjs";
import { ensureRust } from "./rust.mjs";
import { ensureTools } from "./tools.mjs";

const inputs = [
  "src",
  "Cargo.toml",
  "Cargo.lock",
  "rust-toolchain.toml",
  ".cargo/config.toml",
  "scripts/lib/build.mjs",
];
const modules = ["worker.mjs", "calls.mjs"];
/** The files that the runtime serves beside the worker. */
const site = ["openapi.json"];
const outputs = [...modules.map((file) => `build/${file}`), "build/index.js", "build/index_bg.wasm"];
const stampFile = inRoot("build", "inputs.sha256");

/** With `PROFILE`, the WebAssembly keeps the names of its functions, so that a profiler can name them. */
const keepsNames = () => Boolean(process.env.PROFILE);

/**
 * Builds the WebAssembly. Serving, testing, measuring and deploying use the same build. Does nothing if no input has
 * changed.
 */
export async function build() {
  if (!isBuilt(hashInputs())) {
    await ensureRust();
    const tools = await ensureTools();
    const name = `build-${createHash("sha256").update(root).digest("hex").slice(0, 12)}`;
    await withLock(name, () => compile(tools));
  }
  copySite();
}

/** Copies what is served as it is. No input of the WebAssembly is among it, so a change of it costs no build. */
function copySite() {
  const dir = inRoot("build", "site");
  mkdirSync(dir, { recursive: true });
  for (const file of site) {
    const [from, to] = [inRoot(file), join(dir, file)];
    // `wrangler dev` watches the directory: it is left alone when nothing has changed.
    if (!existsSync(to) || !readFileSync(from).equals(readFileSync(to))) copyFileSync(from, to);
  }
}

async function compile(tools) {
  const hash = hashInputs();
  if (isBuilt(hash)) return;
  say("building the WebAssembly (a minute or two the first time) …");
  // With these paths worker-build does not download its helpers.
  const helpers = {
    WASM_BINDGEN_BIN: tools["wasm-bindgen"],
    WASM_OPT_BIN: npmBin("wasm-opt"),
    ESBUILD_BIN: npmBin("esbuild"),
  };
  await exec(tools["worker-build"], ["--release"], { env: environment(helpers) });
  await strip(inRoot("build", "index_bg.wasm"));
  for (const file of modules) copyFileSync(inRoot("src", "platform", file), inRoot("build", file));
  for (const file of outputs) if (!existsSync(inRoot(file))) throw new Failure(`worker-build left no ${file}`);
  writeFileSync(stampFile, hash);
}

/** worker-build keeps the names of all functions, which are a seventh of the file. The served file needs none. */
function strip(wasm) {
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
    "-Os",
    keepsNames() ? "--debuginfo" : "--strip-debug",
    "--strip-producers",
    ...features.map((name) => `--enable-${name}`),
    "-o",
    wasm,
  ]);
}

const isBuilt = (hash) =>
  existsSync(stampFile) &&
  readFileSync(stampFile, "utf8") === hash &&
  outputs.every((file) => existsSync(inRoot(file)));

function hashInputs() {
  const hash = createHash("sha256").update(keepsNames() ? "with names" : "");
  for (const file of inputs.flatMap(filesUnder))
    hash
      .update(`${file}\0`)
      .update(readFileSync(inRoot(file)))
      .update("\0");
  return hash.digest("hex");
}

function filesUnder(path) {
  const stat = statSync(inRoot(path), { throwIfNoEntry: false });
  if (!stat) return [];
  if (stat.isFile()) return [path];
  return readdirSync(inRoot(path))
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}
