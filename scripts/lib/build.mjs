import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
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
const modules = ["worker.mjs", "calls.mjs", "crossings.mjs"];
/** What the files are made of that the runtime serves beside the worker. `package-lock.json` pins the renderer and the font. */
const siteInputs = ["site", "openapi.json", "package-lock.json"];
const outputs = [...modules.map((file) => `build/${file}`), "build/index.js", "build/index_bg.wasm"];
const stampFile = inRoot("build", "inputs.sha256");
const siteDir = join("build", "site");
const siteStamp = inRoot("build", "site.sha256");

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
  await buildSite();
}

/**
 * Makes the documentation and puts it where the runtime serves it. It has inputs of its own, so a change of a page costs no
 * build of the WebAssembly. `wrangler dev` watches the directory: what has not changed is left alone.
 */
async function buildSite() {
  const hash = hashOf(siteInputs);
  if (existsSync(siteStamp) && readFileSync(siteStamp, "utf8") === hash) return;
  const { siteFiles } = await import("../../site/lib/build.mjs");
  const files = new Map([["openapi.json", readFileSync(inRoot("openapi.json"))], ...siteFiles()]);
  for (const [file, content] of files) writeIfNew(join(siteDir, file), Buffer.from(content));
  for (const file of filesUnder(siteDir)) if (!files.has(file.slice(siteDir.length + 1))) rmSync(inRoot(file));
  writeFileSync(siteStamp, hash);
}

function writeIfNew(file, content) {
  const path = inRoot(file);
  if (existsSync(path) && readFileSync(path).equals(content)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

async function compile(tools) {
  const hash = hashInputs();
  if (isBuilt(hash)) return;
  say("building the WebAssembly (a minute or two the first time) …");
  // With these paths worker-build does not download its helpers.
  const helpers = {
    WASM_BINDGEN_BIN: tools["wasm-bindgen"],
    ESBUILD_BIN: npmBin("esbuild"),
  };
  await exec(tools["worker-build"], ["--release"], { env: environment(helpers) });
  await optimize(inRoot("build", "index_bg.wasm"));
  for (const file of modules) copyFileSync(inRoot("src", "platform", file), inRoot("build", file));
  for (const file of outputs) if (!existsSync(inRoot(file))) throw new Failure(`worker-build left no ${file}`);
  writeFileSync(stampFile, hash);
}

/**
 * Makes the WebAssembly small, above all as it travels: gzipped. `gzip` finds a repetition only within 32 KB, so functions with
 * like names stand side by side: most are the same generic function for several types. A large function that has one
 * caller stays a function, because inlining makes its code compress worse. The served file needs no names.
 */
function optimize(wasm) {
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
    "--generate-global-effects",
    "-Os",
    "--one-caller-inline-max-function-size=15",
    "--reorder-functions-by-name",
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

const hashInputs = () => hashOf(inputs, keepsNames() ? "with names" : "");

function hashOf(paths, seed = "") {
  const hash = createHash("sha256").update(seed);
  for (const file of paths.flatMap(filesUnder))
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
