// `npm test` runs every group, `npm test -- native browser` runs only those two, and `npm test -- quick` those that need neither the
// runtime nor a browser. CI reads the counts from the last line.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { ensurePackagesOfDoors, ensurePythonApart, ensurePythonOfDoors } from "../tests/support/doors/libraries.mjs";
import { ensureReceivers } from "../tests/support/frameworks/install.mjs";
import { ensureGenerators } from "../tests/support/generators/install.mjs";
import { ensureSmpplib } from "../tests/support/peers/smpplib.mjs";
import { ensurePythonOfProofs } from "../tests/support/proofs/python.mjs";
import { ensureSchemathesis } from "../tests/support/schemathesis/run.mjs";
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { environment, Failure, finished, run } from "./lib/base/command.mjs";
import { inRoot, npmBin, pathWith, root } from "./lib/base/paths.mjs";
import { build } from "./lib/build/build.mjs";
import { ensureRust, ensureTestRunner } from "./lib/build/tools.mjs";
import { ensurePythonTools } from "./lib/release/python-tools.mjs";
import { ensureBrowser, ensureKannel, ensureLanguages, ensureProxies, ensureSymfony } from "./lib/test/install.mjs";

const wasm = ["--target", "wasm32-unknown-unknown"];
const denyWarnings = ["--", "-D", "warnings"];

/**
 * A `check` passes or fails as a whole. `tests` also fail if no test ran. `needs` are the programs that a group must find or
 * install.
 */
const groups = {
  format: { check: formatChecks },
  lint: { check: lintChecks },
  "lint-wasm": { check: (name) => cargo(name, "clippy", ...wasm, "--workspace", "--lib", ...denyWarnings) },
  javascript: { check: javascriptChecks },
  native: { tests: nativeTests },
  compare: {
    needs: [ensureReceivers, ensurePythonTools, ensurePythonOfProofs],
    tests: (name) => nodeTests(name, "tests/native"),
  },
  peers: { needs: [ensureKannel, ensureSmpplib], tests: (name) => nodeTests(name, "tests/peers") },
  doors: {
    needs: [ensurePythonOfDoors, ensurePythonApart, ensurePackagesOfDoors, ensureSymfony],
    tests: (name) => servedTests(name, "tests/doors"),
  },
  browser: { needs: [ensureTestRunner, ensureBrowser], tests: browserTests },
  site: {
    needs: [ensureBrowser, ensureLanguages, ensurePythonOfProofs],
    tests: (name) => servedTests(name, "tests/site"),
  },
  console: { needs: [ensureBrowser], tests: (name) => servedTests(name, "tests/console") },
  runtime: {
    needs: [ensureLanguages, ensureKannel, ensureProxies, ensureSchemathesis, ensureGenerators, ensureBrowser],
    // Most of them wait for timers, leases and peers, most of the time.
    tests: (name) => servedTests(name, "tests/runtime", 4),
  },
};

/**
 * The lanes run beside each other, the groups of a lane one after another. One lane compiles for the host, the other
 * makes the full build meanwhile, so neither waits for the other's lock on cargo's folder. Tests that start servers often
 * wait, and leave the processor to the other lane. The lane that ends first takes the longest of the last groups.
 */
const lanes = [
  ["format", "lint", "lint-wasm", "javascript", "native"],
  ["peers", "doors", "runtime"],
];
const lastGroups = ["console", "compare", "site", "browser"];
/**
 * What runs by one word, or by none, and how long it may take on two cores with nothing beside it. Whoever makes it longer is told.
 */
const sets = {
  all: { names: Object.keys(groups), mostMinutes: 20 },
  quick: { names: ["format", "lint", "lint-wasm", "javascript", "native", "compare"], mostMinutes: 6 },
};

/** How many failed tests of a group the end of the output names, and how many characters of each. */
const SHOWN = 5;
const LINE = 300;

let building;
/** Builds once, also if two groups ask for it. */
function built() {
  building ??= build();
  return building;
}

// cargo and wasm-bindgen-test print this once for each test program.
const fromCargo = /^test result: \S+ (\d+) passed; (\d+) failed;/gm;
// node:test prints this once at the end.
const fromNode = { passed: /^. pass (\d+)$/gm, failed: /^. (?:fail|cancelled) (\d+)$/gm };

/** Counts the passed and failed tests in the output of test programs. */
function countTests(output) {
  const text = stripVTControlCharacters(output);
  const rust = [...text.matchAll(fromCargo)];
  return {
    passed: sum(rust, 1) + sum([...text.matchAll(fromNode.passed)], 1),
    failed: sum(rust, 2) + sum([...text.matchAll(fromNode.failed)], 1),
  };
}

// The place, name and error of each failed test, as node:test and cargo tell them once more at the end.
const nodeFailure = /^test at (\S+)\n. (.+?)(?: \([\d.]+ms\))?\n([\s\S]*?)(?=\n\s+at |\n\ntest at |(?![\s\S]))/gm;
const cargoFailure = /^---- (\S+ )stdout ----\n+(?:thread .*\n)?(.*)$/gm;

/** The failed tests, a line each: what each is called and what it says. */
function failures(output) {
  const text = stripVTControlCharacters(output);
  const told = [...text.matchAll(nodeFailure), ...text.matchAll(cargoFailure)];
  return told.map(([, ...words]) => words.join(" ").replace(/\s+/g, " "));
}

function sum(matches, group) {
  return matches.reduce((total, match) => total + Number(match[group]), 0);
}

// Cargo keeps what the compiler has made of each part of a crate, for the next compile, and where each instruction comes from, for a
// debugger. Each costs a sixth of a compile. Parts let a change compile quickly, but cost a third of a whole compile: both cores have
// other work meanwhile. A fresh clone, as CI has it, may have no next compile, and nobody debugs there.
const isFresh = !existsSync(inRoot("target", "debug", "incremental"));
if (isFresh) {
  process.env.CARGO_INCREMENTAL ??= "0";
  process.env.CARGO_PROFILE_DEV_DEBUG ??= "0";
  process.env.CARGO_PROFILE_DEV_CODEGEN_UNITS ??= "1";
}
// A hundred programs of Node load the same libraries.
process.env.NODE_COMPILE_CACHE ??= inRoot("build", "node");

/**
 * Clippy can compile what it lints. In a fresh clone the native tests are compiled by it, which saves to read all crates twice. Where
 * somebody works, `cargo test` by hand must find what `npm test` has compiled, and the other way round.
 */
let lintsWithTests = false;
const byClippy = {
  RUSTC_WORKSPACE_WRAPPER: "clippy-driver",
  // What `cargo clippy -- -D warnings` makes of its arguments.
  CLIPPY_ARGS: ["-D", "warnings", ""].join("__CLIPPY_HACKERY__"),
};

await bootstrap();
await run(async () => {
  const words = process.argv.slice(2);
  const asked = words.length > 0 ? words : ["all"];
  const names = chosen(asked);
  lintsWithTests = isFresh && names.includes("native");
  await ensureRust();
  // One after another: two installers of packages would wait for each other, or fail.
  for (const need of new Set(names.flatMap((name) => groups[name].needs ?? []))) await need();
  const wanted = (groups) => groups.filter((name) => names.includes(name));
  const last = wanted(lastGroups);
  process.env.ACCESSIBLE_VERDICTS = newFile("verdicts");
  const begin = Date.now();
  const results = await Promise.all(lanes.map((lane) => runLane(wanted(lane), last)));
  report(results.flat(), timeOf(asked.join(" "), (Date.now() - begin) / 60_000));
});

/** An empty file of this run. */
function newFile(name) {
  const file = join(mkdtempSync(join(tmpdir(), "peyk-run-")), name);
  writeFileSync(file, "");
  return file;
}

function chosen(asked) {
  const names = asked.flatMap((name) => sets[name]?.names ?? name);
  const unknown = names.find((name) => !(name in groups));
  if (unknown)
    throw new Failure(
      `there is no group of tests "${unknown}"; there are ${[...Object.keys(groups), ...Object.keys(sets)].join(", ")}`,
    );
  return names;
}

async function runLane(names, last) {
  const results = [];
  for (const name of names) results.push(await runGroup(name, groups[name]));
  while (last.length > 0) {
    const name = last.shift();
    results.push(await runGroup(name, groups[name]));
  }
  return results;
}

async function runGroup(name, group) {
  const begin = Date.now();
  show(name, "begins");
  try {
    const { code, output } = await (group.check ?? group.tests)(name);
    const counts = group.check ? { passed: 0, failed: 0 } : countTests(output);
    return { ...judge(name, code, counts, Boolean(group.tests)), failures: failures(output) };
  } catch (error) {
    return { name, passed: 0, failed: 1, reason: error instanceof Failure ? error.message : error.stack };
  } finally {
    show(name, `ends after ${Math.round((Date.now() - begin) / 1_000)} s`);
  }
}

/** Two groups run at once, so each line tells its group. */
function show(name, line) {
  console.log(`${name} | ${line}`);
}

function judge(name, code, { passed, failed }, mustRun) {
  if (code !== 0 && failed === 0) return { name, passed, failed: 1, reason: `ended with status ${code}` };
  if (mustRun && passed + failed === 0) return { name, passed, failed: 1, reason: "ran no test" };
  return { name, passed, failed };
}

function report(results, time) {
  console.log("");
  for (const { name, passed, failed, reason, failures = [] } of results) {
    console.log(
      `${failed ? "FAILED" : "ok    "} ${name}: ${passed} passed, ${failed} failed${reason ? ` (${reason})` : ""}`,
    );
    // Who sees only the end of a long output learns what to look at.
    for (const line of failures.slice(0, SHOWN)) console.log(`       ${line.slice(0, LINE)}`);
  }
  const total = (what) => results.reduce((sum, result) => sum + result[what], 0);
  process.exitCode = total("failed") > 0 ? 1 : 0;
  console.log(`\n${time}`);
  console.log(`${total("passed")} passed, ${total("failed")} failed`);
}

function timeOf(asked, minutes) {
  const most = sets[asked]?.mostMinutes;
  return `all took ${minutes.toFixed(1)} minutes${minutes > most ? `: a warning, ${most} is the most` : ""}`;
}

/**
 * What `cargo test` runs, in two parts: the tests beside the code run for a second, so an optimised compile of them would be lost.
 * They name `it` too, for Cargo to choose the same features of all crates, and compile none twice.
 */
async function nativeTests(name) {
  const test = (...args) => streamed(name, "cargo", args, lintsWithTests ? byClippy : {});
  const parts = [
    await test("test", "--workspace", "--exclude", "peyk", "--exclude", "peyk-counting"),
    await test(
      "--config",
      "profile.dev.package.peyk.opt-level=0",
      "test",
      "--package",
      "peyk",
      "--package",
      "it",
      "--lib",
    ),
  ];
  // What was killed has no status at all.
  const { code } = parts.find(({ code }) => code !== 0) ?? parts[0];
  return { code, output: parts.map(({ output }) => output).join("\n") };
}

async function lintChecks(name) {
  if (!lintsWithTests) return cargo(name, "clippy", "--all-targets", ...denyWarnings);
  show(name, "the compile of the native tests lints");
  return { code: 0, output: "" };
}

async function formatChecks(name) {
  const service = await cargo(name, "fmt", "--all", "--check");
  const tool = await cargo(name, "fmt", "--check", "--manifest-path", "tools/bindgen/Cargo.toml");
  return service.code === 0 ? tool : service;
}

async function javascriptChecks(name) {
  const code = await streamed(name, npmBin("biome"), ["ci", "--error-on-warnings"]);
  const types = await streamed(name, npmBin("tsc"), ["--noEmit", "--project", "console"]);
  return code.code === 0 ? types : code;
}

function cargo(name, ...args) {
  return streamed(name, "cargo", args);
}

async function browserTests(name) {
  const env = {
    ...(await ensureBrowser()),
    PATH: pathWith(dirname(await ensureTestRunner())),
    // In seconds. A slow machine takes long to start the driver and the browser.
    WASM_BINDGEN_TEST_DRIVER_TIMEOUT: "600",
    WASM_BINDGEN_TEST_TIMEOUT: "600",
  };
  // What runs on the machine itself, like the macros of crates, is there from the lints. The tests run for a second: nothing is optimised.
  const quickly = ["--config", "profile.dev.opt-level=0"];
  const program = ["--package", "peyk", "--no-default-features", "--test", "browser"];
  return streamed(name, "cargo", [...quickly, "test", ...wasm, ...program], env);
}

/** Tests of what is served, `atOnce` files at a time: each has a server of its own, and often waits for a timer or a peer. */
async function servedTests(name, dir, atOnce = 2) {
  await built();
  return nodeTests(name, dir, atOnce);
}

/** Runs the files of a folder, `atOnce` at a time. */
function nodeTests(name, dir, atOnce = 1) {
  const files = existsSync(inRoot(dir)) ? readdirSync(inRoot(dir)).filter((name) => name.endsWith(".test.mjs")) : [];
  if (files.length === 0) throw new Failure(`there are no tests in ${dir}`);
  const paths = files.sort().map((name) => `${dir}/${name}`);
  const reporters = ["spec", "./scripts/lib/test/file-times.mjs"];
  const options = reporters.flatMap((reporter) => [
    `--test-reporter=${reporter}`,
    "--test-reporter-destination=stdout",
  ]);
  // What hangs is to fail within an hour, and not to take the whole run along.
  options.push(`--test-timeout=${30 * 60_000}`);
  return streamed(name, process.execPath, ["--test", ...options, `--test-concurrency=${atOnce}`, ...paths]);
}

/** Shows the output as it comes and keeps it for the counts. */
async function streamed(name, program, args, env = {}) {
  show(name, `$ ${[program, ...args].join(" ")}`);
  const child = spawn(program, args, { cwd: root, env: environment(env), stdio: ["ignore", "pipe", "pipe"] });
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on("line", (line) => show(name, line));
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  const { code } = await finished(child);
  return { code, output };
}
