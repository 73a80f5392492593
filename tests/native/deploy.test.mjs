// `npm run deploy` against a stand-in for Cloudflare: whatever fails, and wherever it dies, the next run finishes, and
// nothing is made twice.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Failure, runWrangler } from "../../scripts/lib/base/command.mjs";
import { newKey } from "../../scripts/lib/base/keys.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { putDeployedKey, readArguments } from "../../scripts/lib/deploy/deploy.mjs";
import { migrationsIn } from "../../scripts/lib/deploy/schema.mjs";
import { assertNothingLeaks, atEachMoment, checkout, fails, home } from "../support/checkout.mjs";

/** Everything is there once, and whoever deployed has the only operator key. */
function assertComplete({ cloudflare, keys, dir }) {
  const { namespaces, databases, workers, secrets } = cloudflare;
  const service = cloudflare.service();
  assert.deepEqual(
    namespaces.map(({ title }) => title),
    ["peyk-keys"],
  );
  assert.deepEqual(
    databases.map((database) => [database.name, cloudflare.migrationsOf(database)]),
    [["peyk", migrationsIn().map(({ name }) => name)]],
  );
  assert.deepEqual([...workers.keys()], ["peyk"]);
  assert.equal(secrets.length, 1, "the secret was set once");
  assert.equal(Buffer.from(secrets[0], "base64").length, 32);
  assert.equal(keys().length, 1, "one operator key was shown");
  assert.deepEqual([...service.operators.values()], keys(), "it is the only one that works");
  assert.deepEqual([service.accounts.length, service.lines.length, service.keys.length], [1, 1, 1]);
  assert.ok(service.messages > 0, "a message was sent");
  const noted = JSON.parse(readFileSync(join(dir, "production.json"), "utf8"));
  assert.deepEqual([noted.kvNamespace, noted.d1Database], [namespaces[0].id, databases[0].uuid]);
}

test("a deploy from nothing makes everything, shows the operator key once, and sends a message", async () => {
  const it = checkout();
  await it.run();
  assertComplete(it);
  assertNothingLeaks(it);
  assert.ok(it.lines.some((line) => /deployed at https:\/\/peyk\.ours\.workers\.dev$/.test(line)));
});

test("a second deploy deploys the worker, and changes nothing else", async () => {
  const it = checkout();
  await it.run();
  it.cloudflare.changes.length = 0;
  await it.run();
  assert.deepEqual(
    it.cloudflare.changes.map((change) => change.split(" ")[0]),
    ["deploy"],
  );
  assert.equal(it.cloudflare.service().messages, 2);
  assertComplete(it);
});

test("a deploy from another checkout goes on with what is there", async () => {
  const first = checkout();
  await first.run();
  const second = checkout(first.cloudflare);
  await second.run();
  assertComplete(first);
  assert.deepEqual(second.keys(), []);
  assert.ok(
    second.lines.some((line) => line.includes("no message was sent")),
    second.lines.join("\n"),
  );
  await second.run({ env: { ADMIN_KEY: first.keys()[0] } });
  assert.equal(first.cloudflare.service().messages, 2);
});

test("whatever fails, and wherever a deploy dies, the next one finishes and makes nothing twice", async () => {
  await atEachMoment(() => {
    const it = checkout();
    const check = () => {
      assertComplete(it);
      assertNothingLeaks(it);
    };
    return { it, begin: it.run, finish: it.run, check };
  }, 20);
});

test("the environments are apart", async () => {
  const { run, cloudflare, dir } = checkout();
  await run();
  await run({ environment: "staging" });
  assert.deepEqual([...cloudflare.workers.keys()], ["peyk", "peyk-staging"]);
  assert.deepEqual(
    cloudflare.databases.map(({ name }) => name),
    ["peyk", "peyk-staging"],
  );
  const [one, other] = ["production", "staging"].map((name) =>
    JSON.parse(readFileSync(join(dir, `${name}.json`), "utf8")),
  );
  assert.notEqual(one.d1Database, other.d1Database);
  assert.notEqual(one.kvNamespace, other.kvNamespace);
});

test("a dry run says what a deploy would do, and changes nothing", async () => {
  const it = checkout();
  await it.run({ dryRun: true });
  const said = it.lines.join("\n");
  for (const what of [
    "KV namespace peyk-keys",
    "D1 database peyk",
    "migrations",
    "worker peyk",
    "SECRET_KEY",
    "operator key",
  ])
    assert.match(said, new RegExp(`would .*${what}`), said);
  assert.deepEqual(it.cloudflare.changes, []);
  assert.deepEqual(readdirSync(it.dir), []);
  assert.ok(it.cloudflare.commands.some((args) => args[0] === "deploy" && args.includes("--dry-run")));

  await it.run();
  it.cloudflare.changes.length = 0;
  const other = checkout(it.cloudflare);
  await other.run({ dryRun: true });
  const wouldMake = other.lines.filter((line) => /would (create|make)/.test(line));
  assert.deepEqual([wouldMake, it.cloudflare.changes, readdirSync(other.dir)], [[], [], []]);
});

test("settings and names of the deployment's own file are used, and survive", async () => {
  const it = checkout();
  const file = join(it.dir, "production.json");
  writeFileSync(file, JSON.stringify({ name: "shop-sms", vars: { RETENTION_DAYS: "30" } }));
  await it.run();
  assert.deepEqual([...it.cloudflare.workers.keys()], ["shop-sms"]);
  const config = JSON.parse(it.config());
  assert.equal(config.vars.RETENTION_DAYS, "30");
  assert.equal(config.vars.MAX_RECIPIENTS, "1000");
  const noted = JSON.parse(readFileSync(file, "utf8"));
  assert.deepEqual([noted.name, noted.vars], ["shop-sms", { RETENTION_DAYS: "30" }]);
});

test("a deployed object stays while its calls to other objects are pending", async () => {
  const it = checkout();
  await it.run();
  const config = JSON.parse(it.config());
  // From this date on the runtime does it by default.
  const isDefault = config.compatibility_date >= "2026-10-01";
  assert.ok(isDefault || config.compatibility_flags.includes("durable_object_io_tasks_prevent_eviction"));
});

test("who is not logged in is told how to, and nothing is changed", async () => {
  const it = checkout();
  it.cloudflare.loggedIn = false;
  await fails(it.run(), /npx wrangler login/);
  assert.deepEqual(it.cloudflare.changes, []);
});

test("of several accounts, one must be named, and it stays the same", async () => {
  const it = checkout();
  const [one, other] = [it.cloudflare.accounts[0].id, "b".repeat(32)];
  it.cloudflare.accounts.push({ id: other, name: "Theirs" });
  await fails(it.run(), /CLOUDFLARE_ACCOUNT_ID.*Ours.*Theirs/s);
  await fails(it.run({ env: { CLOUDFLARE_ACCOUNT_ID: "c".repeat(32) } }), /no access/);
  await it.run({ env: { CLOUDFLARE_ACCOUNT_ID: one } });
  await it.run();
  await fails(it.run({ env: { CLOUDFLARE_ACCOUNT_ID: other } }), /not the account/);
});

test("a database and a worker of somebody else are left alone", async () => {
  const foreign = checkout();
  foreign.cloudflare.addDatabase("peyk").exec("CREATE TABLE orders (id INTEGER)");
  await fails(foreign.run(), /name is taken: the D1 database/);
  assert.deepEqual(foreign.cloudflare.changes, ["kv namespace create"]);

  const worker = checkout();
  worker.cloudflare.workers.set("peyk", { version: "v", bindings: [{ type: "d1", id: "x" }], secrets: new Map() });
  await fails(worker.run(), /name is taken: the worker/);
  assert.ok(!worker.cloudflare.changes.some((change) => /deploy|migrations|secret/.test(change)));
});

test("data that has gone is not silently replaced by an empty one", async () => {
  const it = checkout();
  await it.run();
  it.cloudflare.databases.length = 0;
  await fails(it.run(), /no D1 database/);
  assert.equal(it.cloudflare.databases.length, 0);
});

test("wrangler's own errors are shown, with what to do", async () => {
  const cases = [
    [
      "d1 create",
      "You have reached the maximum number of D1 databases for your account.",
      /maximum number.*reached a limit/s,
    ],
    ["kv namespace", "Authentication error [code: 10000]", /code: 10000.*npx wrangler login/s],
    [
      "deploy --config",
      "You need to register a workers.dev subdomain before publishing to workers.dev",
      /Register one/,
    ],
    ["d1 migrations", 'near "TABEL": syntax error', /syntax error.*run the same command again/s],
  ];
  for (const [command, text, pattern] of cases) {
    const it = checkout();
    const run = async (args, options) =>
      args.join(" ").startsWith(command)
        ? { code: 1, stdout: "", stderr: `\n✘ [ERROR] ${text}\n\n\n🪵  Logs were written to "x"\n` }
        : it.cloudflare.run(args, options);
    await fails(it.run({ run }), pattern);
    await it.run();
    assertComplete(it);
  }
});

test("a service that never comes up ends the deploy with its last answer", async () => {
  const it = checkout();
  const request = async () => ({ status: 530, text: "error code: 1016" });
  await fails(it.run({ request }), /health does not say.*530 error code: 1016/s);
  assert.deepEqual(it.keys(), []);
});

test("a deploy waits for the new version to answer", async () => {
  const it = checkout();
  const { version } = it.cloudflare;
  it.cloudflare.version = "0.0.1";
  let pauses = 0;
  const pause = () => {
    pauses += 1;
    if (pauses === 3) it.cloudflare.version = version;
  };
  await it.run({ pause });
  assert.equal(pauses, 3);
  assertComplete(it);
});

test("while an operator has switched sending off, a deploy still ends well", async () => {
  const it = checkout();
  await it.run();
  const request = async (base, method, path, options) =>
    path === "/sms/send"
      ? { status: 412, json: { code: 3011 }, text: "" }
      : it.cloudflare.request(base, method, path, options);
  await it.run({ request });
  assert.ok(it.lines.some((line) => line.includes("switched sending off")));
});

test("a bad file of a deployment is refused with its name, before anything is asked", async () => {
  for (const [text, pattern] of [
    ["{", /production\.json is not JSON/],
    ["[]", /must hold a JSON object/],
    ['{"var":{}}', /has a member "var"/],
    ['{"name":"Peyk!"}', /"name" in .* must be/],
    ['{"vars":{"MAX_PARTS":10}}', /"vars" in .* must be an object of texts/],
  ]) {
    const it = checkout();
    writeFileSync(join(it.dir, "production.json"), text);
    await fails(it.run(), pattern);
    assert.equal(it.cloudflare.moment, 0);
  }
});

test("an older version takes the file of a deployment in which a newer one has noted more", async () => {
  const it = checkout();
  const file = join(it.dir, "production.json");
  writeFileSync(file, JSON.stringify({ noted: { later: [1] } }));
  await it.run();
  const { noted } = JSON.parse(readFileSync(file, "utf8"));
  assert.deepEqual([noted.later, noted.address], [[1], "https://peyk.ours.workers.dev"]);
});

test("the arguments name an environment", () => {
  assert.deepEqual(readArguments([]), { environment: "production", dryRun: false });
  assert.deepEqual(readArguments(["staging", "--dry-run"]), { environment: "staging", dryRun: true });
  const copied = { environment: "production", dryRun: false, secretPath: "kept" };
  assert.deepEqual(readArguments(["--secret-file", "kept"]), copied);
  for (const args of [["prod"], ["--dryrun"], ["staging", "production"], ["--secret-file"]])
    assert.throws(() => readArguments(args), Failure, args.join(" "));
});

test("git ignores the files of deployments", () => {
  const ignored = readFileSync(new URL("../../.gitignore", import.meta.url), "utf8").split("\n");
  assert.ok(ignored.includes("/deployments") && ignored.includes("/build"));
});

test("the real wrangler is understood when it says that nobody is logged in", async () => {
  const it = checkout();
  const nobody = { HOME: home, XDG_CONFIG_HOME: home, CLOUDFLARE_API_TOKEN: "", CLOUDFLARE_API_KEY: "" };
  const run = (args, { input, env }) => runWrangler(args, { input, env: { ...env, ...nobody } });
  await fails(it.run({ run }), /wrangler whoami` failed.*npx wrangler login/s);
});

test("an operator key is made for a deployment that this checkout knows, and for no other", async () => {
  const it = checkout();
  const { namespaces } = it.cloudflare;
  const make = (environment) => putDeployedKey(environment, newKey(), { run: it.cloudflare.run, dir: it.dir });
  await assert.rejects(make("nowhere"), /production and staging/);
  await assert.rejects(make("production"), /names no KV namespace: `npm run deploy -- production`/);
  await it.run();
  const before = namespaces[0].entries.size;
  const id = await make("production");
  assert.equal(namespaces[0].entries.size, before + 1);
  assert.ok([...namespaces[0].entries.values()].some((value) => JSON.parse(value).key === id));
});

test("nothing is installed through a link to the packages of another checkout", () => {
  const [own, other] = ["own", "other"].map((name) => join(home, name));
  for (const dir of [join(own, "scripts"), join(other, "node_modules")]) mkdirSync(dir, { recursive: true });
  cpSync(inRoot("scripts", "lib"), join(own, "scripts", "lib"), { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) cpSync(inRoot(file), join(own, file));
  writeFileSync(join(other, "node_modules", "kept"), "");
  symlinkSync(join(other, "node_modules"), join(own, "node_modules"));
  // With this npm, an install would leave a trace and touch no package.
  const bin = join(home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "npm"), `#!/bin/sh\ntouch ${join(home, "installed")}\nexit 1\n`, { mode: 0o755 });
  const script = 'import { bootstrap } from "./scripts/lib/base/bootstrap.mjs"; await bootstrap();';
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, XDG_CACHE_HOME: home };
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: own,
    env,
    encoding: "utf8",
  });
  assert.equal(status, 1);
  assert.match(stderr, /is a link\. Installing would empty/);
  assert.ok(existsSync(join(other, "node_modules", "kept")) && !existsSync(join(home, "installed")));
});
