// What openapi-typescript makes of openapi.json: a client in TypeScript that compiles, and that sends a message.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { environment, finished } from "../../scripts/lib/base/command.mjs";
import { inRoot, npmBin } from "../../scripts/lib/base/paths.mjs";
import { sharedServer } from "../support/server.mjs";

const server = sharedServer();
// The tool looks for a configuration of Redocly where it runs, and ours knows exceptions that it doesn't read.
const dir = mkdtempSync(join(tmpdir(), "peyk-openapi-"));
after(() => rmSync(dir, { recursive: true, force: true }));

function run(program, ...args) {
  const { status, stdout, stderr } = spawnSync(npmBin(program), args, {
    cwd: dir,
    encoding: "utf8",
    env: environment(),
  });
  assert.equal(status, 0, `${program}: ${stdout}${stderr}`);
}

test("a client with the types of the document compiles, sends a message, and reads what becomes of it", async () => {
  run("openapi-typescript", inRoot("openapi.json"), "--output", "schema.d.mts");
  copyFileSync(inRoot("tests", "support", "openapi-client", "client.ts"), join(dir, "client.mts"));
  const target = ["--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom"];
  run("tsc", "--strict", ...target, "client.mts");
  const env = environment({ BASE: server.baseUrl, KEY: server.apiKey });
  const child = spawn(process.execPath, [join(dir, "client.mjs")], { env, stdio: ["ignore", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) child[name].on("data", (chunk) => (output[name] += chunk));
  const { code } = await finished(child);
  assert.equal(code, 0, output.stderr);
  const { status, ...rest } = JSON.parse(output.stdout);
  assert.deepEqual(rest, { cost: 1000, to: "+989121234567", code: 422 });
  assert.match(status, /^(QUEUED|SUBMITTED|DELIVERED)$/);
});
