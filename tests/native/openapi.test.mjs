// The document of the API keeps the rules for such documents. Exceptions are in .redocly.lint-ignore.yaml.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { environment } from "../../scripts/lib/base/command.mjs";
import { inRoot, npmBin, root } from "../../scripts/lib/base/paths.mjs";

// Redocly is to call nobody.
const env = environment({ REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" });

const lint = (...args) =>
  spawnSync(npmBin("redocly"), ["lint", ...args], {
    cwd: root,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });

test("the document keeps all recommended rules", () => {
  const { status, stdout, stderr } = lint("openapi.json");
  assert.equal(status, 0, stdout + stderr);
  assert.match(stderr + stdout, /Your API description is valid/);
});

test("so do the documents of doors", () => {
  const files = readdirSync(inRoot("site/doors")).map((name) => `site/doors/${name}`);
  const { status, stdout, stderr } = lint(...files);
  assert.equal(status, 0, stdout + stderr);
  for (const file of files) assert.match(stderr + stdout, new RegExp(`${file}: validated`));
});

test("each exception from the rules is used, and has a reason", () => {
  const file = readFileSync(inRoot(".redocly.lint-ignore.yaml"), "utf8");
  const exceptions = file.split("\n").filter((line) => line.trim().startsWith("- "));
  const { stdout, stderr } = lint("openapi.json");
  assert.match(stdout + stderr, new RegExp(`${exceptions.length} problems are explicitly ignored`));
  const rules = file.split("\n").map((line) => line.trim());
  for (const [index, line] of rules.entries())
    if (/^[a-z0-9-]+:$/.test(line) && line !== "openapi.json:") assert.match(rules[index - 1], /^# /, line);
});
