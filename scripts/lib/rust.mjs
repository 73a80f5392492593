import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { exec, outputOf } from "./exec.mjs";
import { Failure, say } from "./fail.mjs";
import { inRoot } from "./paths.mjs";

const target = "wasm32-unknown-unknown";
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
