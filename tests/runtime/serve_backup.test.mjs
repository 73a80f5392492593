// A backup of `npm run serve` under load is one instant of the service: each message, each entry of each ledger and each key of the
// restored service is one that the service had told, and none is missing that it had acknowledged before.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { build } from "../../scripts/lib/build/build.mjs";
import { command } from "../support/self-hosted.mjs";
import { api, until } from "../support/server.mjs";
import { demoIn, keyIn, newPlace, startServing } from "../support/serving.mjs";
import { all, assertLedgerAddsUp, credit, issueKey, openShop, send, walletOf, whenDone } from "../support/shop.mjs";

const place = newPlace();
const restored = { data: `${place.data}-restored` };
const server = {};
let running, load;
after(async () => {
  await load?.stop();
  running?.child.kill("SIGKILL");
  await running?.exited;
  place.remove();
});

async function start(at, args = []) {
  running = await startServing(at, { args });
  assert.ok(running.baseUrl, running.output());
  server.baseUrl = running.baseUrl;
}

/** An account has at most 500. */
const mostKeys = 400;

/** Sends, takes credits and makes keys, each one after the other, until it is stopped. What was answered stands in `done`. */
function workOn(shop) {
  const done = { uids: [], keys: [], credits: 0 };
  let isOver = false;
  const again = async (work) => {
    while (!isOver) await work();
  };
  const sends = async () => {
    const { status, json, text } = await send(server, shop.key, ["09121111111", "09122222222"]);
    assert.equal(status, 201, text);
    done.uids.push(json.data.uid);
  };
  const credits = async () => {
    await credit(server, shop.id, 7);
    done.credits += 1;
  };
  const keys = async () => done.keys.length < mostKeys && done.keys.push(await issueKey(server, shop.id, {}));
  const atWork = [again(sends), again(sends), again(credits), again(async () => (await keys()) || (await sends()))];
  const stop = () => {
    isOver = true;
    return Promise.all(atWork);
  };
  return { done, stop };
}

/** What changes with each use of a key. */
const withoutUse = ({ lastUsedAt: _, lastAddress: __, ...key }) => key;
/** A message as it was accepted: its recipients may have come further. */
const accepted = ({ uid, createdAt, message, recipientCount, parts, encoding, cost, sourceNumber }) => {
  const members = { uid, createdAt, message, recipientCount, parts, encoding, cost, sourceNumber };
  assert.ok(!Object.values(members).includes(undefined), JSON.stringify(members));
  return members;
};

/** All that the service tells of an account: messages, the ledger with the oldest entry first, the wallet and the keys. */
async function told({ key }) {
  const [messages, ledger, wallet, keys] = [
    await all(server, key, "/messages"),
    (await all(server, key, "/account/transactions")).reverse(),
    await walletOf(server, key),
    (await all(server, key, "/keys")).map(withoutUse),
  ];
  return { messages, ledger, wallet, keys };
}

const byName = (items, name) => new Map(items.map((item) => [item[name], item]));
const works = async (key) => (await api(server, "GET", "/account/info", { key })).status;

/** Each item of the first list is in the second one, and the same there. Returns how many the first one has. */
function assertWithin(items, others, name, as = (item) => item) {
  const found = byName(others, name);
  for (const item of items) assert.deepEqual(as(item), found.has(item[name]) && as(found.get(item[name])), item[name]);
  return items.length;
}

test("messages, wallets and keys of a backup are those that the service told at one instant", async () => {
  await build();
  await start(place, ["--demo"]);
  Object.assign(server, { adminKey: keyIn(place), ...demoIn(running.output()) });
  const [quiet, busy] = [await openShop(server, 1_000_000), await openShop(server, 1_000_000_000)];
  for (let index = 0; index < 5; index += 1) {
    const sent = await send(server, quiet.key, [`0912333333${index}`]);
    await whenDone(server, quiet.key, sent.json.data.uid);
  }
  const revoked = await issueKey(server, quiet.id, {});
  const gone = await api(server, "DELETE", `/admin/accounts/${quiet.id}/keys/${revoked.keyId}`, {
    key: server.adminKey,
  });
  assert.ok(gone.status < 300, gone.text);
  const ofQuiet = await told(quiet);

  load = workOn(busy);
  const { done } = load;
  await until(() => done.uids.length >= 60 && done.keys.length >= 5 && done.credits >= 5, { what: "a load" });
  const before = { uids: [...done.uids], keys: [...done.keys], entries: (await told(busy)).ledger.length };
  const archive = join(place.data, "..", "backup.tar.gz");
  const made = await command("backup", "--data", place.data, "--to", archive);
  assert.equal(made.status, 0, made.output);
  const mark = { sends: done.uids.length, key: await issueKey(server, busy.id, {}) };
  await until(() => done.uids.length >= mark.sends + 60, { what: "a load after the backup" });
  await load.stop();
  const ofBusy = await told(busy);
  running.child.kill("SIGTERM");
  await running.exited;

  const back = await command("restore", "--from", archive, "--data", restored.data);
  assert.equal(back.status, 0, back.output);
  await start(restored);
  for (const { key } of [quiet, busy]) await until(async () => (await works(key)) === 200, { what: "an account" });
  assert.deepEqual(await told(quiet), ofQuiet);
  assert.equal(await works(revoked.key), 401);
  await assertInstant(busy, ofBusy, before);
  await assertKeys(busy, done.keys);
  assert.equal(await works(mark.key.key), 401, "a key that came after the backup");
});

/** The account is as the service told it at one instant, and has all that was answered before. */
async function assertInstant(shop, later, before) {
  const { entries } = await assertLedgerAddsUp(server, shop.key);
  const now = await told(shop);
  const differs = entries.findIndex((entry, index) => JSON.stringify(entry) !== JSON.stringify(later.ledger[index]));
  const shared = differs < 0 ? entries.length : differs;
  assert.ok(shared >= before.entries && shared < later.ledger.length, `${shared} of ${later.ledger.length} entries`);
  // What the restore itself has done about messages that were on their way.
  for (const { type } of entries.slice(shared)) assert.ok(["SETTLE", "RELEASE", "REFUND"].includes(type), type);
  const reserved = entries.slice(0, shared).filter(({ type }) => type === "RESERVE");
  assert.equal(assertWithin(now.messages, later.messages, "uid", accepted), reserved.length, "one entry for a message");
  const uids = byName(now.messages, "uid");
  for (const uid of before.uids) assert.ok(uids.has(uid), `${uid} is gone`);
  assertWithin(now.keys, later.keys, "id");
  const ids = byName(now.keys, "id");
  for (const { key, keyId } of before.keys) assert.deepEqual([ids.has(keyId), await works(key)], [true, 200], keyId);
}

/** A key is in the account's object and in KV, or in neither. One was being made at the instant. */
async function assertKeys(shop, made) {
  const listed = byName((await told(shop)).keys, "id");
  const half = [];
  for (const { key, keyId } of made) if (listed.has(keyId) !== ((await works(key)) === 200)) half.push(keyId);
  assert.ok(half.length <= 1, `${half.length} of ${made.length} keys are in one store only`);
}
