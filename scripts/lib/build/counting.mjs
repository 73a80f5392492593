// The counting in the browser: what the service counts and prices with, as a WebAssembly of its own and its JavaScript.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { exec, say } from "../base/command.mjs";
import { withLock } from "../base/lock.mjs";
import { hashOf, inRoot, root } from "../base/paths.mjs";
import { bindgenSources, ensureBindgen, ensureRust } from "./tools.mjs";
import { cargoBuild, compiled, optimize, together, wasmFile } from "./wasm.mjs";

const name = "peyk-counting";
/** As small as can be. The rest is as in the full build, so that what Cargo has compiled for the machine itself serves both. */
const profile = "release";
const settings = ['profile.release.opt-level="z"'];
const passes = ["--generate-global-effects", "-Oz", "--converge", "--reorder-functions-by-name"];
const inputs = [
  "console/counting",
  "crates/sms",
  "Cargo.toml",
  "Cargo.lock",
  "rust-toolchain.toml",
  ".cargo/config.toml",
  ...bindgenSources,
  "scripts/lib/build/wasm.mjs",
  "scripts/lib/build/counting.mjs",
];

/** Where the build is: `index.js`, its types in `index.d.ts`, and `index_bg.wasm`, which it loads. */
export const countingDir = inRoot("build", "console-counting");
const stampFile = inRoot("build", "console-counting.sha256");

/** How large the WebAssembly may be, gzipped, KB: the console loads it when somebody writes a message. */
export const maxCountingKilobytes = 62;

/** How large it is. */
export const countingKilobytes = () => gzipSync(readFileSync(join(countingDir, wasmFile)), { level: 9 }).length / 1_024;

/** Builds it. Does nothing if no input has changed. */
export async function buildCounting() {
  if (isBuilt()) return;
  await ensureRust();
  await withLock(`counting-${createHash("sha256").update(root).digest("hex").slice(0, 12)}`, compileCounting);
}

async function compileCounting() {
  if (isBuilt()) return;
  say("building the counting for browsers …");
  const hash = hashOf(inputs);
  rmSync(stampFile, { force: true });
  const [bindgen] = await together(ensureBindgen(), cargoBuild(name, profile, settings));
  const unfinished = `${countingDir}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  await exec(bindgen, ["page", compiled(name, profile), unfinished]);
  await optimize(join(unfinished, wasmFile), passes);
  rmSync(countingDir, { recursive: true, force: true });
  renameSync(unfinished, countingDir);
  writeFileSync(stampFile, hash);
}

const isBuilt = () => existsSync(stampFile) && readFileSync(stampFile, "utf8") === hashOf(inputs);
