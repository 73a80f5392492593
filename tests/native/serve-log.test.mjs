// The log of `npm run serve` as JSON: each line is an object with a time, whoever says it, and no word is lost.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { environment } from "../../scripts/lib/base/command.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";

const home = mkdtempSync(join(tmpdir(), "peyk-serve-log-"));
after(() => rmSync(home, { recursive: true, force: true }));

const run = (words, env = {}) => spawnSync(process.execPath, words, { encoding: "utf8", env: environment(env) });

/** The lines of a stream, each without its time, which is one. */
const linesOf = (text) =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const { time, ...rest } = JSON.parse(line);
      assert.equal(new Date(time).toISOString(), time, line);
      assert.ok(line.startsWith('{"time":'), line);
      return rest;
    });

const module = (path) => JSON.stringify(inRoot("scripts", "lib", path));

test("what the worker, the runtime, the gate, the command and Node.js say are objects, one a line", () => {
  const { stdout, stderr, status } = run([
    "--input-type=module",
    "-e",
    `
    import { spawn } from "node:child_process";
    import { complain, Failure, say, show } from ${module("base/command.mjs")};
    import { keyHandover } from ${module("base/key-handover.mjs")};
    import { childOutput, logAsJson, logLines, logRuntime } from ${module("serve/log.mjs")};
    logAsJson();
    logRuntime({ timestamp: 0, level: "log", message: '{"event":"request","level":"info","status":404}' });
    for (const message of ['{"no":"event"}', "null", "panicked at\\nsrc/lib.rs"]) logRuntime({ timestamp: 1, level: "warn", message });
    say("stopping …");
    show("\\nPeyk serves\\n");
    complain(new Failure("the disk is full"));
    console.error("%s is old", "this");
    process.emitWarning("this is new");
    keyHandover([], { isTerminal: true }).give("peyk_live_x");
    const child = spawn("sh", ["-c", "echo out; echo err >&2"], { stdio: ["ignore", childOutput(), childOutput()] });
    logLines(child, "gate");
    child.on("close", () => { throw new TypeError("a mistake"); });`,
  ]);
  assert.equal(status, 1);
  const [said, key] = [stdout.split("\n").filter((line) => line !== "peyk_live_x"), stdout.includes("\npeyk_live_x\n")];
  assert.ok(key, "the operator key is as it is");
  const lines = linesOf(said.join("\n"));
  const runtime = (message) => ({ level: "warning", event: "runtime", message });
  assert.deepEqual(lines.slice(0, 6), [
    { event: "request", level: "info", status: 404 },
    runtime('{"no":"event"}'),
    runtime("null"),
    runtime("panicked at\nsrc/lib.rs"),
    { level: "info", event: "command", message: "stopping …" },
    { level: "info", event: "command", message: "Peyk serves" },
  ]);
  assert.ok(stdout.startsWith('{"time":"1970-01-01T00:00:00.000Z","event":"request"'));
  const gate = [
    { level: "error", event: "gate", message: "err" },
    { level: "info", event: "gate", message: "out" },
  ];
  assert.deepEqual(
    lines.slice(6).toSorted((a, b) => (a.message < b.message ? -1 : 1)),
    gate,
  );
  const complaints = linesOf(stderr);
  assert.deepEqual(complaints.slice(0, 3), [
    { level: "error", event: "command", message: "the disk is full" },
    { level: "error", event: "command", message: "this is old" },
    { level: "warning", event: "command", message: "Warning: this is new" },
  ]);
  assert.match(complaints[3].message, /^TypeError: a mistake\n +at /);
  assert.equal(complaints.length, 4);
});

test("a start that is refused says so as an object, by the environment or the file, and help stays text", () => {
  const serve = inRoot("scripts", "serve.mjs");
  const asked = { LOG_FORMAT: "json" };
  const strange = run([serve, "--strange"], asked);
  assert.deepEqual([strange.status, strange.stdout], [1, ""]);
  assert.match(linesOf(strange.stderr)[0].message, /^Unknown option '--strange'\n/);
  writeFileSync(join(home, "peyk.toml"), 'LOG_FORMAT = "json"\n');
  const refused = run([serve, "--data", home, "--port", "x"]);
  assert.equal(refused.status, 1);
  assert.deepEqual(linesOf(refused.stderr), [
    { level: "error", event: "command", message: '--port must be a number from 0 to 65535, not "x".' },
  ]);
  assert.match(run([serve, "--help"], asked).stdout, /^npm run serve -- --data DIR/);
});
