// What the stand-in for Cloudflare can't prove of `npm run deploy`: that wrangler takes the configuration with the build, and
// that the service takes what the deploy asks of it.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { call } from "../../scripts/lib/base/client.mjs";
import { runWrangler, wrangler } from "../../scripts/lib/base/command.mjs";
import { keyHandover } from "../../scripts/lib/base/key-handover.mjs";
import { deploy } from "../../scripts/lib/deploy/deploy.mjs";
import { writeConfig } from "../../scripts/lib/deploy/deployment.mjs";
import { StandIn } from "../support/cloudflare.mjs";
import { api, sharedServer } from "../support/server.mjs";

const server = sharedServer();
const dir = mkdtempSync(join(tmpdir(), "peyk-deploy-test-"));
after(() => rmSync(dir, { recursive: true, force: true }));

test("wrangler takes the build with the configuration of each environment", async () => {
  for (const [environment, name] of [
    ["production", "peyk"],
    ["staging", "peyk-staging"],
  ]) {
    const ids = { kvNamespace: "some-namespace", d1Database: "some-database" };
    const config = await writeConfig({ environment, name, vars: { RETENTION_DAYS: "31" }, routes: [], ...ids });
    const { code, stdout, stderr } = await runWrangler(["deploy", "--dry-run", "--config", config]);
    assert.equal(code, 0, stdout + stderr);
    const shown = [
      /env\.KEYS \(some-namespace\)/,
      new RegExp(`env\\.DB \\(${name}\\)`),
      /RETENTION_DAYS \("31"\)/,
      /env\.ACCOUNT/,
    ];
    for (const what of shown) assert.match(stdout, what);
    assert.match(stdout, /--dry-run: exiting now/);
  }
});

/** A Cloudflare whose KV is that of the running service. */
function cloudflareOf({ stateDir }) {
  const cloudflare = new StandIn();
  const run = async (args, options) => {
    const answer = await cloudflare.run(args, options);
    if (args.slice(0, 3).join(" ") === "kv key put") {
      const [name, value] = args.slice(args.indexOf("--namespace-id") + 2);
      await wrangler(["kv", "key", "put", "--binding", "KEYS", name, value, "--local", "--persist-to", stateDir]);
    }
    return answer;
  };
  return { cloudflare, run };
}

test("a deploy brings the first operator in and sends a message, and a second one sends another", async () => {
  const { cloudflare, run } = cloudflareOf(server);
  const lines = [];
  const again = () =>
    deploy({
      environment: "production",
      run,
      dir,
      build: () => {},
      print: (line) => lines.push(line),
      handover: keyHandover([], { isTerminal: true, print: (line) => lines.push(line) }),
      pause: () => sleep(200),
      request: (_, ...rest) => call(server.baseUrl, ...rest),
      env: {},
    });
  await again();
  const [key, ...others] = lines.filter((line) => line.startsWith("peyk_"));
  assert.deepEqual(others, []);
  const ask = async (path) => (await api(server, "GET", `/admin${path}`, { key })).json.data;
  const account = (await ask("/accounts?limit=200")).find(({ username }) => username === "deploy-check");
  const [testKey] = await ask(`/accounts/${account.id}/keys`);
  assert.deepEqual([testKey.mode, testKey.scopes], ["test", ["sms:send", "sms:read"]]);
  assert.deepEqual((await ask("/lines/PeykCheck")).accounts, [account.id]);
  const { wallet } = await ask(`/accounts/${account.id}`);
  assert.deepEqual([wallet.availableBalance, wallet.lockedBalance], [0, 0]);

  await again();
  assert.equal(lines.filter((line) => line.startsWith("peyk_")).length, 1);
  assert.equal((await ask(`/accounts/${account.id}/keys`)).length, 1);
  assert.equal(cloudflare.changes.filter((change) => change.startsWith("deploy")).length, 2);
});
