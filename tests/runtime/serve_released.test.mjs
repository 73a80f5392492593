// The folder of a service that an earlier version has left: a start copies it, brings it up to date and goes on with it.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { readArchive } from "../../scripts/lib/backup/archive.mjs";
import { build } from "../../scripts/lib/build/build.mjs";
import { storesOf } from "../../scripts/lib/runtime/runtime.mjs";
import { releasedVersions, told, version, writeReleased } from "../support/released.mjs";
import { api } from "../support/server.mjs";
import { keyIn, newPlace, startServing } from "../support/serving.mjs";
import { admin, assertLedgerAddsUp, whenDone } from "../support/shop.mjs";

const newest = releasedVersions().at(-1);
/** Whatever version is kept: an upgrade comes from an older one than this. */
const older = "0.1.0";
const place = newPlace();
const server = {};
let running;
after(async () => {
  running?.child.kill("SIGTERM");
  await running?.exited;
  place.remove();
});

/** Makes the folder as `npm run serve` of that version has left it. */
function leave() {
  const local = `${place.data}-local`;
  writeReleased(newest, local);
  mkdirSync(place.data, { mode: 0o700 });
  renameSync(storesOf(local), join(place.data, "state"));
  const secret = readFileSync(join(local, "secret-key"), "utf8");
  writeFileSync(join(place.data, "secret"), `WORKER=peyk\nSECRET_KEY=${secret}\n`, { mode: 0o600 });
  writeFileSync(join(place.data, "version.json"), JSON.stringify({ peyk: older, format: 1 }));
  // What it has left may be years old.
  writeFileSync(join(place.data, "peyk.toml"), "RETENTION_DAYS = 3650\n");
}

test("data of an earlier version are copied, brought up to date and served on", async () => {
  await build();
  leave();
  running = await startServing(place);
  assert.ok(running.baseUrl, running.output());
  Object.assign(server, { baseUrl: running.baseUrl, adminKey: keyIn(place) });
  const copy = join(place.data, "copies", `peyk-${older}.tar.gz`);
  assert.ok(existsSync(copy), running.output());
  const files = [];
  await readArchive(copy, (path, body) => {
    files.push(path);
    body.resume();
  });
  for (const name of ["secret", "version.json"]) assert.ok(files.includes(name), `${files}`);
  assert.ok(files.filter((path) => path.endsWith(".sqlite")).length > 3, `${files}`);
  assert.equal(JSON.parse(readFileSync(join(place.data, "version.json"), "utf8")).peyk, version);
});

test("its accounts, keys and messages are there, and what waited leaves", async () => {
  const { shop, sent, waits, lists } = told(newest);
  for (const path of ["/phonebook", "/pattern", "/blacklist", "/messages"]) {
    const { status, text, json } = await api(server, "GET", path, { key: shop.key });
    assert.equal(status, 200, text);
    const name = (item) => item.uid ?? item.id ?? item.slug ?? item.number;
    assert.deepEqual(json.data.map(name), lists[path].map(name), path);
  }
  const changed = await admin(server, "PATCH", `/admin/accounts/${shop.id}`, { hold: false });
  assert.equal(changed.status, 200, changed.text);
  for (const uid of [sent, waits]) {
    const { counts, recipientCount } = await whenDone(server, shop.key, uid);
    assert.equal(counts.DELIVERED, recipientCount, uid);
  }
  assert.equal((await assertLedgerAddsUp(server, shop.key)).spent, 9 * 1_000);
});
