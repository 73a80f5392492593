// What the stand-in for Cloudflare can't prove of `npm run deploy` and `npm run rotate`: that wrangler takes the configuration with
// the build, what it answers of a real database, and that the service takes what the commands ask of it.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { call } from "../../scripts/lib/base/client.mjs";
import { runWrangler, wrangler } from "../../scripts/lib/base/command.mjs";
import { keyHandover } from "../../scripts/lib/base/key-handover.mjs";
import { deploy } from "../../scripts/lib/deploy/deploy.mjs";
import { writeConfig } from "../../scripts/lib/deploy/deployment.mjs";
import { proofKeyOf } from "../../scripts/lib/deploy/proof-key.mjs";
import { rotate } from "../../scripts/lib/deploy/rotate.mjs";
import { secretKey } from "../../scripts/lib/start/state.mjs";
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

/** A Cloudflare whose KV and whose database are those of the running service. */
function cloudflareOf({ stateDir }) {
  const cloudflare = new StandIn();
  const local = ["--local", "--persist-to", stateDir];
  const run = async (args, options) => {
    if (args.slice(0, 2).join(" ") === "d1 execute")
      return runWrangler(["d1", "execute", "DB", "--json", ...args.slice(args.indexOf("--command")), ...local]);
    const answer = await cloudflare.run(args, options);
    if (args.slice(0, 3).join(" ") === "kv key put") {
      const [name, value] = args.slice(args.indexOf("--namespace-id") + 2);
      await wrangler(["kv", "key", "put", "--binding", "KEYS", name, value, ...local]);
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
      into: dir,
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

test("a secret is known by the key that the service publishes", async () => {
  const { keys } = (await api(server, "GET", "/.well-known/jwks.json")).json;
  assert.deepEqual(
    keys.map(({ x }) => x),
    [proofKeyOf(secretKey(server.stateDir))],
  );
});

test("a change of the secret seals the password of a real carrier anew", async () => {
  const key = server.adminKey;
  const smpp = { host: "127.0.0.1", port: 1, systemId: "peyk", password: "secret", tls: false };
  const carrier = { name: "sealed", kind: "smpp", smpp };
  assert.equal((await api(server, "POST", "/admin/carriers", { key, body: carrier })).status, 201);
  const { cloudflare, run } = cloudflareOf(server);
  const select = "SELECT secrets FROM carrier WHERE name = 'sealed'";
  const sealed = async () =>
    JSON.parse((await run(["d1", "execute", "--command", select])).stdout)[0].results[0].secrets;
  const before = await sealed();
  const [secretPath, kept] = [join(dir, "kept-secret"), secretKey(server.stateDir)];
  writeFileSync(secretPath, `SECRET_KEY=${kept}\n`);
  cloudflare.workers.set("peyk", { version: "v", bindings: [], secrets: new Map([["SECRET_KEY", kept]]) });
  const lines = [];
  await rotate({
    environment: "production",
    way: "change",
    secretPath,
    run,
    dir,
    print: (line) => lines.push(line),
    pause: () => {},
    // The secrets of the running service stay, so the stand-in says which ones it has.
    request: (base, ...rest) =>
      rest[1].endsWith("jwks.json") ? cloudflare.request(base, ...rest) : call(server.baseUrl, ...rest),
    env: { ADMIN_KEY: key },
  });
  assert.match(lines.join("\n"), /sealed anew: (.+, )*sealed(, .+)*$/m);
  const after = await sealed();
  assert.match(after, /v1\./);
  assert.notEqual(after, before, "each sealing is another one");
});
