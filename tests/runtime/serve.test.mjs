// The life of a service on a machine of one's own: starts, ends, crashes, and folders that it refuses.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { call } from "../../scripts/lib/base/client.mjs";
import { environment } from "../../scripts/lib/base/command.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { until } from "../support/server.mjs";
import { childrenOf, keyIn, newPlace, startServing } from "../support/serving.mjs";

const place = newPlace();
const running = [];
after(async () => {
  for (const one of running) one.child.kill("SIGKILL");
  await Promise.all(running.map(({ exited }) => exited));
  place.remove();
});

/** Starts the command, and expects that it serves. */
async function serving(options) {
  const one = await startServing(place, options);
  running.push(one);
  assert.ok(one.baseUrl, one.output());
  return one;
}

/** Starts the command, and returns what it says as it refuses. */
async function refusal(of = place, options = {}) {
  const one = await startServing(of, options);
  running.push(one);
  assert.equal(one.baseUrl, undefined);
  assert.deepEqual(await one.exited, { code: 1, signal: null }, one.output());
  return one.output();
}

const admin = ({ baseUrl }, method, path, body) => call(baseUrl, method, `/admin${path}`, { key: keyIn(place), body });

const newPlan = (slug) => ({ slug, title: slug, tariff: { slug, title: slug, price: 7 } });
const slugsOf = async (one) => (await admin(one, "GET", "/plans")).json.data.map(({ slug }) => slug);

/** All that stands in the folder, with when it was written. */
const picture = () =>
  readdirSync(place.data, { recursive: true })
    .toSorted()
    .map((name) => [name, statSync(join(place.data, name)).mtimeMs]);

test("where the first key can't be given, nothing is made", async () => {
  assert.match(await refusal({ data: place.data }), /an operator key is shown on a terminal only/);
  assert.ok(!existsSync(place.data));
});

test("where another secret is in the environment, and where something listens on the port, nothing of the service is made", async () => {
  const told = await refusal(place, { env: { SECRET_KEY: "x" } });
  assert.match(told, /the environment has SECRET_KEY, and this service takes its secret from \S*\/secret alone/);
  assert.ok(!existsSync(place.data));
  const other = createServer();
  await new Promise((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address();
  try {
    const taken = await refusal(place, { args: ["--port", `${port}`] });
    assert.match(taken, new RegExp(`port ${port} is taken\\. .* \`npm run serve -- --data \\S+ --port ${port + 1}\``));
    assert.deepEqual(readdirSync(place.data), ["lock"]);
  } finally {
    await new Promise((resolve) => other.close(resolve));
  }
});

let first;

test("the first start makes the data, the secret and an operator key, and says what comes next", async () => {
  first = await serving();
  assert.match(first.output(), /What comes next/);
  assert.doesNotMatch(first.output(), /Warning/);
  assert.ok(!first.output().includes(keyIn(place)), "the key is in its file only");
  for (const [file, mode] of Object.entries({ "": 0o700, secret: 0o600, "version.json": 0o600 }))
    assert.equal(statSync(join(place.data, file)).mode & 0o777, mode, file);
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  assert.deepEqual(JSON.parse(readFileSync(join(place.data, "version.json"), "utf8")), { peyk: version, format: 1 });
  assert.equal((await admin(first, "POST", "/plans", newPlan("kept"))).status, 201);
});

test("a second process on the folder is refused, and changes nothing", async () => {
  const before = picture();
  assert.match(await refusal(), /another process serves .*data/);
  assert.deepEqual(picture(), before);
  assert.deepEqual(await slugsOf(first), ["default", "kept"]);
});

/** A request whose body is not whole yet. `send` sends the rest, and returns the answer. */
function slowRequest({ baseUrl }, path, body) {
  const text = JSON.stringify(body);
  const headers = { authorization: `Bearer ${keyIn(place)}`, "content-type": "application/json" };
  const asked = request(baseUrl + path, { method: "POST", headers: { ...headers, "content-length": text.length } });
  const answer = new Promise((resolve, reject) => asked.on("response", resolve).on("error", (error) => reject(error)));
  asked.write(text.slice(0, 5));
  const isThere = new Promise((resolve) => asked.once("socket", (socket) => socket.once("connect", resolve)));
  const send = async () => {
    asked.end(text.slice(5));
    return (await answer).statusCode;
  };
  return { isThere, send };
}

/** Asks until nobody answers any more. */
async function lastAnswer(one) {
  const answers = () =>
    slugsOf(one).then(
      () => true,
      () => false,
    );
  while (await answers());
}

test("SIGTERM ends it in order: a request under way is answered, and nobody else is let in", async () => {
  const slow = slowRequest(first, "/admin/plans", newPlan("slow"));
  await slow.isThere;
  // The gate has taken the request when a later one is answered.
  await slugsOf(first);
  first.child.kill("SIGTERM");
  await until(() => first.output().includes("stopping"), { what: "the beginning of the end" });
  const later = lastAnswer(first);
  assert.equal(await slow.send(), 201);
  assert.deepEqual(await first.exited, { code: 0, signal: null }, first.output());
  // The runtime answers no connection that comes after the signal has reached it, and closes all of them as it ends.
  await later;
});

/** An address of this machine as a URL has it. */
const own = networkInterfaces().lo?.some(({ address }) => address === "::1") ? "[::1]" : "127.0.0.1";

test("after SIGKILL the same command goes on with the same data and the same keys, and takes away what was left", async () => {
  const temporary = join(place.data, "..", "tmp");
  mkdirSync(temporary);
  const options = { args: ["--host", own], env: { TMPDIR: temporary } };
  const second = await serving(options);
  assert.deepEqual(await slugsOf(second), ["default", "kept", "slow"]);
  assert.equal((await admin(second, "POST", "/plans", newPlan("last"))).status, 201);
  second.child.kill("SIGKILL");
  const third = await serving(options);
  assert.ok(third.baseUrl.startsWith(`http://${own}:`), third.baseUrl);
  const left = readdirSync(temporary);
  assert.equal(left.length, 1, `${left}`);
  assert.match(readdirSync(join(temporary, left[0])).join(), /miniflare-/);
  assert.deepEqual(await slugsOf(third), ["default", "kept", "last", "slow"]);
  assert.doesNotMatch(third.output(), /What comes next|operator key/);
  first = third;
});

test("a runtime that dies ends the command with an error, and with it the other one", async () => {
  for (const word of ["--external-addr=loopback", "gate.capnp"]) {
    const one = word === "gate.capnp" ? await serving() : first;
    const [pid] = childrenOf(one.child.pid, word);
    process.kill(pid, "SIGKILL");
    assert.deepEqual(await one.exited, { code: 1, signal: null });
    assert.match(one.output(), /ended unexpectedly \(SIGKILL\)/);
    await assert.rejects(fetch(`${one.baseUrl}/health`));
  }
});

test("faults of the settings are told all at once: what is unknown, what has a wrong type, what the worker refuses", async () => {
  const lines =
    'MAX_PART = 10\nMAX_PARTS = 300\nRETENTION_DAYS = 1.5\nPUBLIC_URL = "sms.example.com"\nDOORS = ["twilio"]\n';
  writeFileSync(join(place.data, "peyk.toml"), lines);
  const told = await refusal(place, { env: { AUDIT_DAYS: "never", PRIVATE_NETWORKS: "10.0.0.0/8, here" } });
  for (const fault of [
    /MAX_PART in .*peyk\.toml is no setting\. Did you mean MAX_PARTS\?/,
    /RETENTION_DAYS in .*peyk\.toml must be a text, a whole number, true or false/,
    /PUBLIC_URL="sms\.example\.com" must be an address/,
    /PRIVATE_NETWORKS="10\.0\.0\.0\/8, here" must be addresses or networks/,
    /MAX_PARTS="300": must be 1 to 255\./,
    /AUDIT_DAYS="never": must be 30 to 3650\./,
  ])
    assert.match(told, fault);
  assert.doesNotMatch(told, /DOORS/);
  writeFileSync(join(place.data, "peyk.toml"), "MAX_PARTS = [");
  assert.match(await refusal(), /peyk\.toml is not TOML/);
  writeFileSync(join(place.data, "peyk.toml"), "");
});

/** Runs `npm run operator-key` on the folder, and returns its status and what it has said. */
function anotherKey(file) {
  const words = [inRoot("scripts/operator-key.mjs"), "--data", place.data, "--key-file", file];
  return spawnSync(process.execPath, words, { env: environment(), encoding: "utf8" });
}

test("another operator key is made for a folder that nobody serves", async () => {
  const file = `${place.keyFile}-2`;
  const { status, stderr } = anotherKey(file);
  assert.deepEqual([status, stderr], [0, ""]);
  const one = await serving();
  const key = readFileSync(file, "utf8").trim();
  assert.equal((await call(one.baseUrl, "GET", "/admin/plans", { key })).status, 200);
  const refused = anotherKey(`${file}-3`);
  assert.deepEqual([refused.status, /another process serves/.test(refused.stderr)], [1, true], refused.stderr);
  one.child.kill("SIGINT");
  assert.deepEqual(await one.exited, { code: 0, signal: null }, one.output());
});

test("a secret that others may read, a lost one, and data of a newer version are refused", async () => {
  const [secret, version] = ["secret", "version.json"].map((name) => join(place.data, name));
  chmodSync(secret, 0o640);
  assert.match(await refusal(), /others may read .*secret/);
  chmodSync(secret, 0o600);
  renameSync(secret, `${secret}.away`);
  assert.match(await refusal(), /secret is missing, and the data in .* are sealed by that secret/);
  renameSync(`${secret}.away`, secret);
  const kept = readFileSync(version);
  writeFileSync(version, '{"peyk":"99.0.0","format":1}');
  assert.match(await refusal(), /are those of Peyk 99\.0\.0/);
  writeFileSync(version, kept);
  assert.match(await refusal(place, { args: ["--demo"] }), /has data already/);
});

test("data of an older version are copied before anything changes them, and the copy brings them back", async () => {
  writeFileSync(join(place.data, "version.json"), '{"peyk":"0.1.0","format":1}');
  assert.match(await refusal(place, { env: { AUDIT_DAYS: "never" } }), /AUDIT_DAYS/);
  assert.ok(!existsSync(join(place.data, "copies")), "a start that is refused copies nothing");
  const last = await serving();
  assert.deepEqual(await slugsOf(last), ["default", "kept", "last", "slow"], "nothing was lost");
  const copy = join(place.data, "copies", "peyk-0.1.0.tar.gz");
  assert.ok(last.output().includes(`${copy} has them`), last.output());
  const back = { data: `${place.data}-back` };
  const words = [inRoot("scripts/restore.mjs"), "--from", copy, "--data", back.data];
  const restored = spawnSync(process.execPath, words, { env: environment(), encoding: "utf8" });
  assert.equal(restored.status, 0, restored.stderr);
  assert.equal(JSON.parse(readFileSync(join(back.data, "version.json"), "utf8")).peyk, "0.1.0");
  const older = await startServing(back, { args: ["--no-copy"] });
  running.push(older);
  assert.deepEqual(await slugsOf(older), ["default", "kept", "last", "slow"]);
  assert.ok(!existsSync(join(back.data, "copies")));
});
