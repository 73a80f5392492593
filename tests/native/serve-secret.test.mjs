// The secret of a folder of data changes: no moment leaves it without a secret that opens what was sealed.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { proofKeyOf } from "../../scripts/lib/deploy/proof-key.mjs";
import { changeServed, finishServed } from "../../scripts/lib/serve/change-secret.mjs";
import { placesIn } from "../../scripts/lib/serve/folder.mjs";
import { fileOf, secretsOf } from "../../scripts/lib/serve/secrets.mjs";

const day = 24 * 60 * 60 * 1_000;
const start = Date.parse("2026-01-01T12:00:00Z");
const home = mkdtempSync(join(tmpdir(), "peyk-serve-secret-"));
after(() => rmSync(home, { recursive: true, force: true }));

/** A folder with a secret and a service that works by it, as the API shows. The service has one carrier with a password. */
function served() {
  const places = placesIn(mkdtempSync(join(home, "data-")));
  const [lines, asked] = [[], []];
  const it = { places, lines, asked, first: secretsOf(places).SECRET_KEY, now: start };
  writeFileSync(places.version, "{}");
  it.begin = () => {
    it.secrets = secretsOf(places, it.now);
    return it.secrets;
  };
  it.begin();
  const data = places.dir;
  const say = (line) => lines.push(line);
  it.change = () => changeServed({ data, say });
  const request = async (_, method, path, { key } = {}) => {
    asked.push(`${method} ${path}`);
    const { SECRET_KEY: current, SECRET_KEY_OLD: old } = it.secrets;
    if (path.startsWith("/.well-known"))
      return { status: 200, json: { keys: [current, old].filter(Boolean).map((x) => ({ x: proofKeyOf(x) })) } };
    if (key !== "operator") return { status: 401, text: "no" };
    if (method === "PATCH") it.sealedWith = current;
    return { status: 200, json: { data: [{ name: "mci", kind: "smpp" }], meta: {} } };
  };
  it.finish = (more) =>
    finishServed({ data, url: "http://localhost", key: "operator", say, request, clock: () => it.now, ...more });
  it.kept = () => fileOf(places).read();
  return it;
}

test("a change keeps the old secret beside the new one, and a second one makes no other", async () => {
  const it = served();
  await it.change();
  const { current, old, changedAt } = it.kept();
  assert.deepEqual([old, changedAt], [it.first, undefined]);
  assert.notEqual(current, it.first);
  await it.change();
  assert.deepEqual([it.kept().current, it.kept().old], [current, it.first]);
  assert.deepEqual(it.begin(), { SECRET_KEY: current, SECRET_KEY_OLD: it.first });
  assert.equal(it.kept().changedAt, new Date(start).toISOString());
  it.now += day;
  it.begin();
  assert.equal(it.kept().changedAt, new Date(start).toISOString(), "the first start with it counts");
  assert.equal(statSync(it.places.secret).mode & 0o777, 0o600);
  assert.ok(!it.lines.join().includes(current) && !it.lines.join().includes(old));
});

test("the old secret goes when the service works by the new one, carriers are sealed anew and a week is over", async () => {
  const it = served();
  await it.finish();
  assert.deepEqual([it.lines.at(-1), it.asked], ["there is no change to finish.", []]);
  await it.change();
  await assert.rejects(it.finish(), /was not started since its secret was changed/);
  const before = it.secrets;
  const { current } = it.begin() && it.kept();
  await assert.rejects(it.finish(), /wait until 2026-01-08T12:00:00\.000Z, or say --now/);
  it.now += 7 * day;
  await assert.rejects(it.finish({ key: "other" }), /ADMIN_KEY is no operator key/);
  it.secrets = before;
  await assert.rejects(it.finish(), /does not work by the new secret of \S*secret/);
  assert.equal(it.kept().old, it.first);
  assert.equal(it.sealedWith, undefined);
  it.begin();
  await it.finish();
  assert.equal(it.sealedWith, current);
  assert.doesNotMatch(readFileSync(it.places.secret, "utf8"), /SECRET_KEY_OLD|CHANGED_AT/);
  assert.deepEqual(it.begin(), { SECRET_KEY: current });
});

test("after a theft nobody waits, and a service that does not answer changes nothing", async () => {
  const it = served();
  await it.change();
  it.begin();
  const request = () => Promise.reject(new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") }));
  await assert.rejects(
    it.finish({ now: true, request }),
    /nobody answers at http:\/\/localhost \(connect ECONNREFUSED\)/,
  );
  assert.equal(it.kept().old, it.first);
  await it.finish({ now: true });
  assert.equal(it.kept().old, undefined);
});

test("a folder of no data, without a secret or of somebody else is refused", async () => {
  const it = served();
  rmSync(it.places.secret);
  await assert.rejects(it.change(), /secret is missing\. Put your copy/);
  rmSync(it.places.version);
  await assert.rejects(it.change(), /has no data of Peyk/);
});
