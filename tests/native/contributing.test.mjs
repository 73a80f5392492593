// The examples of CONTRIBUTING.md, followed step by step in a copy of the tree.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { environment } from "../../scripts/lib/base/command.mjs";
import { inRoot, root } from "../../scripts/lib/base/paths.mjs";

const guide = readFileSync(inRoot("CONTRIBUTING.md"), "utf8");
/** Always the same folder, so that Cargo keeps what it has compiled there. */
const copy = inRoot("build", "contributing");
const inCopy = (...parts) => join(copy, ...parts);
/** To keep parts for the next compile takes a fifth of the time of a compile. A tree that is cloned for one run has no next one. */
const CARGO_INCREMENTAL = existsSync(copy) ? "1" : "0";

const git = (...args) => spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout;

/** The text of an indented block of code, without the indent of its list. */
const dedented = (block) => block.replace(/^ {3}/gm, "");

/** The steps of the guide: `{what, file, anchor, code}` for each block of Rust. */
function steps() {
  const blocks = [...guide.matchAll(/((?:.+\n)+)\n {3}```rust\n([\s\S]*?)^ {3}```$/gm)];
  return blocks.map(([, prose, block]) => {
    const text = prose.replace(/\s*\n\s*/g, " ");
    const place =
      /In `([^`]+)`, (before|after|in place of) `([^`]+)`:\s*$/.exec(text) ??
      /(At the end of|A new file) `([^`]+)`:\s*$/.exec(text);
    assert.ok(place, `no place is named before:\n${block}`);
    const code = dedented(block);
    if (place.length === 3) return { what: place[1], file: place[2], code };
    return { file: place[1], what: place[2], anchor: place[3], code };
  });
}

/** Does what a step says: in its file, at the only line that has its anchor. */
function follow({ what, file, anchor, code }) {
  const path = inCopy(file);
  if (what === "A new file") {
    assert.ok(!existsSync(path), `${file} exists`);
    return writeFileSync(path, code);
  }
  const text = readFileSync(path, "utf8");
  if (what === "At the end of") return writeFileSync(path, text + code);
  const lines = text.split("\n");
  const at = lines.flatMap((line, index) => (line.includes(anchor) ? [index] : []));
  assert.equal(at.length, 1, `${file} has ${at.length} lines with "${anchor}"`);
  lines.splice(at[0] + (what === "after" ? 1 : 0), what === "in place of" ? 1 : 0, code.replace(/\n$/, ""));
  writeFileSync(path, lines.join("\n"));
}

/** Copies what git knows, and what is new and not ignored. Files that have not changed keep their time. */
function copyTree() {
  rmSync(copy, { recursive: true, force: true });
  const files = git("ls-files", "--cached", "--others", "--exclude-standard", "-z").split("\0").filter(Boolean);
  for (const file of files.filter((file) => existsSync(inRoot(file)))) {
    mkdirSync(dirname(inCopy(file)), { recursive: true });
    cpSync(inRoot(file), inCopy(file), { preserveTimestamps: true });
  }
}

/** The folders of native tests that the examples add to, and those that these use. To compile all takes twice as long. */
const folders = ["api", "auth", "base", "carrier", "format"];

function leaveOutTests() {
  const main = inCopy("tests", "it", "main.rs");
  const isKept = (line) => !line.startsWith("mod ") || folders.some((folder) => line === `mod ${folder};`);
  writeFileSync(main, readFileSync(main, "utf8").split("\n").filter(isKept).join("\n"));
}

function cargo(args, env = {}) {
  const target = process.env.CARGO_TARGET_DIR ?? inRoot("target");
  // Cargo names what it makes by the place of a package in its workspace, which is the same in the copy. A setting of its own keeps
  // a build of the tree, beside this one, from taking the one for the other. The few tests that run here are not worth an
  // optimised build.
  const settings = ["codegen-units=255", "opt-level=0", "debug=0"];
  const own = ["peyk", "smpp", "sms", "tools", "support", "it"].flatMap((name) =>
    settings.flatMap((setting) => ["--config", `profile.dev.package.${name}.${setting}`]),
  );
  const { status, stdout, stderr } = spawnSync("cargo", [...own, ...args], {
    cwd: copy,
    encoding: "utf8",
    env: environment({ CARGO_TARGET_DIR: target, CARGO_INCREMENTAL, ...env }),
    maxBuffer: 64 * 1024 * 1024,
  });
  assert.equal(status, 0, `cargo ${args.join(" ")}\n${stdout.slice(-5_000)}\n${stderr.slice(-5_000)}`);
  return stdout;
}

test("each step of the examples names a place that is there once", () => {
  const found = steps();
  assert.equal(found.length, (guide.match(/```rust/g) ?? []).length);
  for (const { what, file, anchor } of found) {
    if (what === "A new file") assert.ok(!existsSync(inRoot(file)), file);
    else assert.ok(existsSync(inRoot(file)), file);
    // What an earlier step has written is not there yet.
    if (!anchor || what === "in place of") continue;
    const times = readFileSync(inRoot(file), "utf8").split(anchor).length - 1;
    assert.equal(times, 1, `${file}: ${anchor}`);
  }
});

test("who follows the examples gets a route, a member, an error and a carrier that pass the tests", () => {
  copyTree();
  leaveOutTests();
  for (const step of steps()) follow(step);
  const [, command] = /^ {3}```sh\n {3}(.+)\n {3}```/m.exec(guide);
  const words = command.split(" ");
  const program = words.indexOf("cargo");
  const env = Object.fromEntries(words.slice(0, program).map((word) => word.split("=")));
  cargo(["fmt", "--check"]);
  cargo(words.slice(program + 1), env);
  for (const [file, text] of [
    ["openapi.json", '"/account/clock"'],
    ["tools/openapi/examples.json", '"getClock"'],
    ["docs/endpoints.md", "| `GET /account/clock` | `account:read` | Returns the time of the service. |"],
    ["openapi.json", '"ClosedCarrier"'],
    ["openapi.json", '"Who answers for the account."'],
  ])
    assert.ok(readFileSync(inCopy(file), "utf8").includes(text), `${file} has no ${text}`);
  const names = [
    "api::openapi::",
    "api::examples",
    "api::route_table",
    "api::wording",
    "api::clock",
    "api::contact",
    "carrier::closed",
  ];
  const output = cargo(["test", "--test", "it", "--", ...names]);
  for (const name of [
    "the_clock_goes_with_the_service",
    "a_contact_has_at_most_200_characters",
    "a_closed_carrier_refuses_everybody_and_costs_nothing",
  ])
    assert.match(output, new RegExp(`${name} \\.\\.\\. ok`));
});

test("the commands of the set-up exist", () => {
  const { scripts, version } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
  const [, block] = /```sh\n([\s\S]*?)```/.exec(guide);
  const groups = readFileSync(inRoot("scripts", "test.mjs"), "utf8");
  for (const line of block.trim().split("\n")) {
    const [, name, rest] = /^npm (?:run )?([a-z-]+)(?: -- ([a-z -]+?))?\s+#/.exec(line);
    assert.ok(scripts[name], line);
    for (const group of rest?.split(" ") ?? []) assert.match(groups, new RegExp(`^ {2}"?${group}"?: \\{`, "m"));
  }
  assert.match(version, /^\d+\.\d+\.\d+$/);
});
