// The secret of a service on a machine of one's own changes, from the file to the last start: the password of a carrier opens all the time.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { call } from "../../scripts/lib/base/client.mjs";
import { environment } from "../../scripts/lib/base/command.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { build } from "../../scripts/lib/build/build.mjs";
import { keyIn, newPlace, startServing } from "../support/serving.mjs";

const place = newPlace();
let service;
after(async () => {
  service?.child.kill("SIGKILL");
  await service?.exited;
  place.remove();
});

async function start() {
  service = await startServing(place);
  assert.ok(service.baseUrl, service.output());
}

async function restart() {
  service.child.kill("SIGTERM");
  await service.exited;
  await start();
}

const admin = (method, path, body) => call(service.baseUrl, method, `/admin${path}`, { key: keyIn(place), body });
/** A change of nothing opens the password, and seals it with the newest secret. */
const opens = async () => (await admin("PATCH", "/carriers/mci", {})).status === 200;
const published = async () => (await call(service.baseUrl, "GET", "/.well-known/jwks.json")).json.keys.length;
const linesOf = (name) =>
  readFileSync(join(place.data, "secret"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith(name));

function rotate(...words) {
  const args = [inRoot("scripts/rotate.mjs"), "--data", place.data, ...words];
  const env = environment({ ADMIN_KEY: keyIn(place) });
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", env });
  return { status, output: stdout + stderr };
}

test("a new secret takes the place of the old one, and no password of a carrier is lost", async () => {
  await build();
  await start();
  const smpp = { host: "smsc.invalid", port: 2775, systemId: "peyk", password: "secret" };
  const made = await admin("POST", "/carriers", { name: "mci", kind: "smpp", smpp, paused: true });
  assert.equal(made.status, 201, made.text);
  const [first] = linesOf("SECRET_KEY=");
  assert.deepEqual([await published(), await opens()], [1, true]);
  const changed = rotate();
  assert.equal(changed.status, 0, changed.output);
  assert.deepEqual(linesOf("SECRET_KEY_OLD="), [first.replace("KEY", "KEY_OLD")]);
  await restart();
  assert.equal(await published(), 2);
  const early = rotate("--finish", "--url", service.baseUrl);
  assert.deepEqual([early.status, /or say --now/.test(early.output)], [1, true], early.output);
  const finished = rotate("--finish", "--now", "--url", service.baseUrl);
  assert.equal(finished.status, 0, finished.output);
  assert.match(finished.output, /sealed anew: mci/);
  await restart();
  assert.deepEqual([await published(), await opens(), linesOf("SECRET_KEY_OLD=")], [1, true, []]);
  assert.notEqual(linesOf("SECRET_KEY=")[0], first);
});
