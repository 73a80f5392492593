// `npm test` runs every group, `npm test -- native browser` runs only those two. CI reads the counts from the last
// line.
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ensureSmpplib } from "../tests/support/peers/smpplib.mjs";
import { ensureSchemathesis } from "../tests/support/schemathesis/run.mjs";
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { environment, Failure, finished, run } from "./lib/base/command.mjs";
import { inRoot, npmBin, pathWith, root } from "./lib/base/paths.mjs";
import { build } from "./lib/build/build.mjs";
import { ensureRust, ensureTestRunner } from "./lib/build/tools.mjs";
import { ensureBrowser, ensureKannel, ensureLanguages } from "./lib/test/install.mjs";

const wasm = ["--target", "wasm32-unknown-unknown"];
const denyWarnings = ["--", "-D", "warnings"];

/** A `check` passes or fails as a whole. `tests` also fail if no test ran. */
const groups = {
  format: { check: formatChecks },
  lint: { check: () => cargo("clippy", "--all-targets", ...denyWarnings) },
  "lint-wasm": { check: () => cargo("clippy", ...wasm, "--lib", ...denyWarnings) },
  javascript: { check: () => streamed(npmBin("biome"), ["ci", "--error-on-warnings"]) },
  native: { tests: () => cargo("test") },
  compare: { tests: () => nodeTests("tests/native") },
  peers: { tests: peerTests },
  browser: { tests: browserTests },
  site: { tests: siteTests },
  runtime: { tests: runtimeTests },
};

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

function sum(matches, group) {
  return matches.reduce((total, match) => total + Number(match[group]), 0);
}

await bootstrap();
await run(async () => {
  const names = chosen(process.argv.slice(2));
  await ensureRust();
  const results = [];
  for (const name of names) results.push(await runGroup(name, groups[name]));
  report(results);
});

function chosen(names) {
  const unknown = names.find((name) => !(name in groups));
  if (unknown)
    throw new Failure(`there is no group of tests "${unknown}"; there are ${Object.keys(groups).join(", ")}`);
  return names.length > 0 ? names : Object.keys(groups);
}

async function runGroup(name, group) {
  console.log(`\n=== ${name} ===`);
  try {
    const { code, output } = await (group.check ?? group.tests)();
    const counts = group.check ? { passed: 0, failed: 0 } : countTests(output);
    return judge(name, code, counts, Boolean(group.tests));
  } catch (error) {
    return { name, passed: 0, failed: 1, reason: error instanceof Failure ? error.message : error.stack };
  }
}

function judge(name, code, { passed, failed }, mustRun) {
  if (code !== 0 && failed === 0) return { name, passed, failed: 1, reason: `ended with status ${code}` };
  if (mustRun && passed + failed === 0) return { name, passed, failed: 1, reason: "ran no test" };
  return { name, passed, failed };
}

function report(results) {
  console.log("");
  for (const { name, passed, failed, reason } of results) {
    console.log(
      `${failed ? "FAILED" : "ok    "} ${name}: ${passed} passed, ${failed} failed${reason ? ` (${reason})` : ""}`,
    );
  }
  const total = (what) => results.reduce((sum, result) => sum + result[what], 0);
  process.exitCode = total("failed") > 0 ? 1 : 0;
  console.log(`\n${total("passed")} passed, ${total("failed")} failed`);
}

async function formatChecks() {
  const service = await cargo("fmt", "--check");
  const tool = await cargo("fmt", "--check", "--manifest-path", "tools/bindgen/Cargo.toml");
  return service.code === 0 ? tool : service;
}

function cargo(...args) {
  return streamed("cargo", args);
}

async function browserTests() {
  const runner = await ensureTestRunner();
  const env = {
    ...(await ensureBrowser()),
    PATH: pathWith(dirname(runner)),
    // In seconds. A slow machine takes long to start the driver and the browser.
    WASM_BINDGEN_TEST_DRIVER_TIMEOUT: "600",
    WASM_BINDGEN_TEST_TIMEOUT: "600",
  };
  return streamed("cargo", ["test", ...wasm, "--no-default-features", "--test", "browser"], env);
}

/** The programs that play carriers in the runtime tests, against each other. */
async function peerTests() {
  await ensureKannel();
  await ensureSmpplib();
  return nodeTests("tests/peers");
}

/** The documentation: its pages in a browser, and the snippets of its guides. */
async function siteTests() {
  await ensureBrowser();
  await ensureLanguages();
  await build();
  return nodeTests("tests/site", 2);
}

async function runtimeTests() {
  await ensureLanguages();
  await build();
  await ensureKannel();
  await ensureSchemathesis();
  return nodeTests("tests/runtime", 2);
}

/** Runs the files of a folder. Those that start servers run two at a time: each has its own, and often waits for a timer or a peer. */
function nodeTests(dir, lanes = 1) {
  const files = existsSync(inRoot(dir)) ? readdirSync(inRoot(dir)).filter((name) => name.endsWith(".test.mjs")) : [];
  if (files.length === 0) throw new Failure(`there are no tests in ${dir}`);
  const paths = files.sort().map((name) => `${dir}/${name}`);
  return streamed(process.execPath, ["--test", "--test-reporter=spec", `--test-concurrency=${lanes}`, ...paths]);
}

/** Shows the output as it comes and keeps it for the counts. */
async function streamed(program, args, env = {}) {
  console.log(`$ ${[program, ...args].join(" ")}`);
  const child = spawn(program, args, { cwd: root, env: environment(env), stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk) => {
    process.stdout.write(chunk);
    output += chunk;
  });
  const { code } = await finished(child);
  return { code, output };
}
