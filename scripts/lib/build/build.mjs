// What is served, tested, measured and deployed: the WebAssembly, the documentation and the console.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { say } from "../base/command.mjs";
import { withLock } from "../base/lock.mjs";
import { isPackage } from "../base/packed.mjs";
import { filesUnder, hashOf, inRoot, root } from "../base/paths.mjs";
import { buildCounting } from "./counting.mjs";
import { bindgenSources, ensureRust } from "./tools.mjs";
import { compile, keepsNames, outputs } from "./wasm.mjs";

const inputs = [
  "src",
  "crates",
  "Cargo.toml",
  "Cargo.lock",
  "rust-toolchain.toml",
  ".cargo/config.toml",
  ...bindgenSources,
  "scripts/lib/build/wasm.mjs",
];
/** What the files are made of that the runtime serves beside the worker. `package-lock.json` pins the renderer, the font
 * and the libraries of the console. The counting in the page has the code of `crates/sms`. */
const siteInputs = ["site", "docs", "console", "crates/sms", "openapi.json", "package-lock.json"];
const stampFile = inRoot("build", "inputs.sha256");
const siteDir = join("build", "site");
const siteStamp = inRoot("build", "site.sha256");

/**
 * Which build is made. Tests, the benchmark and deploying use the full one. `npm start` asks for the quick one, by
 * `PEYK_BUILD`, which wrangler passes on to its build command: a change is served within seconds. A full build that is up to
 * date serves as a quick one, too.
 */
const wantedKind = () => (process.env.PEYK_BUILD === "quick" ? "quick" : "full");

/**
 * Builds the WebAssembly, the counting for browsers, the documentation and the console. Does nothing if no input has changed, and in a
 * package, which has what was built and no input.
 */
export async function build() {
  if (isPackage) return;
  if (!isBuilt()) {
    await ensureRust();
    await locked("build", buildWasm);
  }
  await buildCounting();
  if (!isSiteBuilt()) await locked("site", buildSite);
}

/** Several test files that start at once may want the same build of this checkout. One makes it, and the others find it made. */
const locked = (name, work) =>
  withLock(`${name}-${createHash("sha256").update(root).digest("hex").slice(0, 12)}`, work);

async function buildWasm() {
  if (isBuilt()) return;
  const kind = wantedKind();
  const stamp = stampOf(kind);
  say(kind === "quick" ? "building the WebAssembly, quickly …" : "building the WebAssembly (some minutes) …");
  rmSync(stampFile, { force: true });
  await compile(kind);
  writeFileSync(stampFile, stamp);
}

function isBuilt() {
  if (!existsSync(stampFile)) return false;
  const stamp = readFileSync(stampFile, "utf8");
  const isWanted = stamp === stampOf("full") || (wantedKind() === "quick" && stamp === stampOf("quick"));
  return isWanted && outputs.every((file) => existsSync(inRoot("build", file)));
}

const stampOf = (kind) => hashOf(inputs, keepsNames() ? `${kind}, with names` : kind);

/**
 * Makes the documentation and the console and puts them where the runtime serves them. They have inputs of their own, so a
 * change of a page costs no build of the WebAssembly. `wrangler dev` watches the directory: what has not changed is left alone.
 */
async function buildSite() {
  if (isSiteBuilt()) return;
  const hash = hashOf(siteInputs);
  const { siteFiles } = await import("../../../site/lib/build.mjs");
  const { consoleFiles, consoleHeaders } = await import("./console.mjs");
  const files = new Map([
    ["openapi.json", readFileSync(inRoot("openapi.json"))],
    ...siteFiles(),
    ...(await consoleFiles()),
  ]);
  files.set("_headers", files.get("_headers") + consoleHeaders);
  for (const [file, content] of files) writeIfNew(join(siteDir, file), Buffer.from(content));
  for (const file of filesUnder(siteDir)) if (!files.has(file.slice(siteDir.length + 1))) rmSync(inRoot(file));
  writeFileSync(siteStamp, hash);
}

const isSiteBuilt = () => existsSync(siteStamp) && readFileSync(siteStamp, "utf8") === hashOf(siteInputs);

function writeIfNew(file, content) {
  const path = inRoot(file);
  if (existsSync(path) && readFileSync(path).equals(content)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
