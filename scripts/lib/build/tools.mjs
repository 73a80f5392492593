// What a build needs of the machine: Rust, and two programs of Rust, which are compiled on first use and kept outside the
// checkout. `tools/bindgen` makes the JavaScript around the WebAssembly; only the tests in a browser need the other one.
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { environment, exec, Failure, outputOf, say } from "../base/command.mjs";
import { withLock } from "../base/lock.mjs";
import { cacheDir, hashOf, inRoot } from "../base/paths.mjs";

const bindgenDir = "tools/bindgen";
/** What the program is made of. */
export const bindgenSources = ["src", "Cargo.toml", "Cargo.lock"].map((name) => `${bindgenDir}/${name}`);

/** Returns the path of the program that makes the JavaScript around the WebAssembly. */
export async function ensureBindgen() {
  const version = lockedVersion("Cargo.lock", "wasm-bindgen");
  if (lockedVersion(`${bindgenDir}/Cargo.lock`, "wasm-bindgen-cli-support") !== version)
    throw new Failure(`${bindgenDir}/Cargo.toml must name wasm-bindgen-cli-support ${version}, as Cargo.lock does`);
  const home = join(cacheDir, `bindgen-${version}-${hashOf(bindgenSources).slice(0, 12)}`);
  const program = join(home, "peyk-bindgen");
  await ensure(program, async (compiled) => {
    say(`compiling ${bindgenDir} (once, about a minute) …`);
    const manifest = join(bindgenDir, "Cargo.toml");
    await exec("cargo", ["build", "--locked", "--manifest-path", manifest, "--target-dir", compiled], {
      env: environment(),
    });
    await replaceDir(home, (dir) => copyFileSync(join(compiled, "debug", "peyk-bindgen"), join(dir, "peyk-bindgen")));
  });
  return program;
}

/** Returns the path of the program that runs tests of WebAssembly in a browser. */
export async function ensureTestRunner() {
  const version = lockedVersion("Cargo.lock", "wasm-bindgen");
  const name = "wasm-bindgen-test-runner";
  const home = join(cacheDir, `${name}-${version}`);
  const program = join(home, "bin", name);
  await ensure(program, async (compiled) => {
    say(`compiling ${name} ${version} (once, some minutes) …`);
    const install = ["install", "--locked", "--version", version, "--bin", name, "--target-dir", compiled];
    await replaceDir(home, (dir) =>
      exec("cargo", [...install, "--root", dir, "wasm-bindgen-cli"], { env: environment(quickProfile) }),
    );
  });
  return program;
}

/** It runs for seconds. Compiling it with the release profile takes twice as long and gains nothing. */
const quickProfile = {
  CARGO_PROFILE_RELEASE_LTO: "off",
  CARGO_PROFILE_RELEASE_OPT_LEVEL: "1",
  CARGO_PROFILE_RELEASE_CODEGEN_UNITS: "16",
};

function lockedVersion(lock, library) {
  const match = new RegExp(`^name = "${library}"\\nversion = "(.+)"$`, "m").exec(readFileSync(inRoot(lock), "utf8"));
  if (!match) throw new Failure(`${lock} names no \`${library}\``);
  return match[1];
}

/**
 * Compiles a program unless it is there and runs. What is compiled meanwhile is kept until the program is installed, so an
 * interrupted run continues.
 */
async function ensure(program, install) {
  const name = program.slice(cacheDir.length + 1).split("/")[0];
  if (isRunning(program)) return;
  await withLock(name, async () => {
    if (isRunning(program)) return;
    const compiled = join(cacheDir, `${name}.target`);
    await install(compiled);
    if (!isRunning(program))
      throw new Failure(`${program} was compiled but does not run; remove ${dirname(program)} and try again`);
    rmSync(compiled, { recursive: true, force: true });
  });
}

const isRunning = (program) => existsSync(program) && outputOf(program, ["--version"]) !== null;

/** Fills a separate directory and renames it at the end, so that an interrupted install is never used. */
async function replaceDir(dir, fill) {
  const unfinished = `${dir}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  await fill(unfinished);
  rmSync(dir, { recursive: true, force: true });
  renameSync(unfinished, dir);
}

export const target = "wasm32-unknown-unknown";
const channel = () => /channel = "(.+)"/.exec(readFileSync(inRoot("rust-toolchain.toml"), "utf8"))[1];

/**
 * Finds Rust, the pinned toolchain and its WebAssembly target. Installs what is missing if rustup is there, and
 * otherwise fails with instructions.
 */
export async function ensureRust() {
  const hasRustup = outputOf("rustup", ["--version"]) !== null;
  if (outputOf("cargo", ["--version"]) === null) await installToolchain(hasRustup);
  if (!hasTarget()) await installTarget(hasRustup);
}

async function installToolchain(hasRustup) {
  if (!hasRustup) {
    throw new Failure(
      "Rust is missing. Install rustup (https://rustup.rs, or `apt-get install rustup`), then run this again.",
    );
  }
  const args = [
    "toolchain",
    "install",
    channel(),
    "--profile",
    "minimal",
    "-c",
    "rustfmt",
    "-c",
    "clippy",
    "-t",
    target,
  ];
  say(`installing Rust ${channel()} …`);
  await mend(args, `the Rust toolchain ${channel()} is missing`);
}

async function installTarget(hasRustup) {
  if (!hasRustup) {
    throw new Failure(
      `this Rust has no target ${target}, and there is no rustup to add it with. Install rustup (https://rustup.rs).`,
    );
  }
  say(`adding the Rust target ${target} …`);
  await mend(["target", "add", target], `the Rust target ${target} is missing`);
  if (!hasTarget())
    throw new Failure(`the Rust target ${target} is missing. \`rustup target add ${target}\` should mend it.`);
}

async function mend(args, complaint) {
  try {
    await exec("rustup", args);
  } catch {
    throw new Failure(`${complaint} and could not be installed. \`rustup ${args.join(" ")}\` should mend it.`);
  }
}

function hasTarget() {
  const sysroot = outputOf("rustc", ["--print", "sysroot"]);
  return sysroot !== null && existsSync(join(sysroot, "lib", "rustlib", target, "lib"));
}
