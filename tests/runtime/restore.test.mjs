// An account's object goes back in time. The local runtime keeps no history, so the test does what the platform does: between two
// runs of the runtime, it puts an older file of the object in the place of the newer one.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { sharedServer, until } from "../support/server.mjs";
import { admin, all, assertLedgerAddsUp, inbox, openShop, send, walletOf, whenDone } from "../support/shop.mjs";

const server = sharedServer();
const numbers = (from, count) => Array.from({ length: count }, (_, index) => `0912${from + index}100`);

/** The databases in the folder of a class of objects, or of D1: the names of their files without the ending. */
function databases(...folder) {
  const root = join(server.stateDir, "v3", ...folder);
  return readdirSync(root)
    .filter((name) => name.endsWith(".sqlite") && !name.startsWith("metadata"))
    .map((name) => join(root, name));
}

/** Opens a database. A killed process lets go of it only once the system has ended it. */
const open = (file) => new DatabaseSync(file, { timeout: 60_000 });

/** What a query finds in a database; nothing if it has no such table. */
function ask(file, query) {
  const db = open(file);
  try {
    return db.prepare(query).all();
  } catch (error) {
    if (!/no such table/.test(error.message)) throw error;
    return [];
  } finally {
    db.close();
  }
}

const classFolder = () => readdirSync(join(server.stateDir, "v3", "do")).find((name) => name.endsWith("-Account"));
const fileOf = (account) =>
  databases("do", classFolder()).find((file) => ask(file, "SELECT id FROM account").some(({ id }) => id === account));

/** Copies a database with the files beside it. */
function copy(from, to) {
  for (const ending of ["", "-wal", "-shm"]) {
    rmSync(to + ending, { force: true });
    try {
      cpSync(from + ending, to + ending);
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
    }
  }
}

/** Writes into D1 what the object writes before it goes back. */
function keep(account, newer) {
  const [{ message_seq: message, version, ...row }] = ask(newer, "SELECT * FROM account");
  const { available, locked, spent, credited } = row;
  const sequences = ask(newer, "SELECT name, seq FROM sqlite_sequence").map(({ name, seq }) => [name, seq]);
  const kept = {
    bookmark: "newer",
    message,
    version,
    event: 0,
    sequences: Object.fromEntries(sequences),
    wallet: { available, locked, spent, credited },
    active: true,
    on_hold: false,
    canceled_through: 0,
    limit: { limit: 100_000, windowSeconds: 1, burst: 10_000 },
    test_limit: { limit: 60, windowSeconds: 60, burst: 60 },
    recipient_limit: { limit: 20, windowSeconds: 3_600 },
    daily_spend: { limit: null, day: 0, spent: 0 },
    keys: [],
    makers: [],
    blocked: [],
    webhook: null,
    low_balances: [],
  };
  const file = databases("d1", "miniflare-D1DatabaseObject").find(
    (found) => ask(found, "SELECT 1 FROM plan").length > 0,
  );
  const db = open(file);
  db.prepare("INSERT INTO restore VALUES (?, ?, 'older', 'a test', ?)").run(account, Date.now(), JSON.stringify(kept));
  db.close();
}

test("without a history, the answer says so and nothing changes", async () => {
  const shop = await openShop(server, 100_000);
  for (const at of [new Date(Date.now() - 60_000).toISOString(), "a-bookmark-of-another-storage"]) {
    const answer = await admin(server, "POST", `/admin/accounts/${shop.id}/restore`, { at, reason: "a test" });
    assert.equal(answer.status, 409, answer.text);
    assert.match(answer.json.detail, /point-in-time recovery/);
  }
  const sent = await send(server, shop.key, numbers(1000, 3));
  assert.equal(sent.status, 201, sent.text);
  await whenDone(server, shop.key, sent.json.data.uid);
});

test("what had not left at that time does not leave again, and new messages leave once", async () => {
  const line = (paused) => admin(server, "PATCH", `/admin/lines/${server.line}`, { paused });
  assert.equal((await line(true)).status, 200);
  const shop = await openShop(server, 1_000_000);
  const waiting = [];
  for (let index = 0; index < 5; index += 1) {
    const sent = await send(server, shop.key, numbers(2000 + index * 100, 20));
    assert.equal(sent.status, 201, sent.text);
    waiting.push(sent.json.data.uid);
  }
  await server.kill();
  const older = join(server.stateDir, "older");
  mkdirSync(older);
  copy(fileOf(shop.id), join(older, "account.sqlite"));

  await server.restart();
  assert.equal((await line(false)).status, 200);
  for (const uid of waiting) await whenDone(server, shop.key, uid);
  const gone = await send(server, shop.key, numbers(3000, 30));
  assert.equal(gone.status, 201, gone.text);
  await whenDone(server, shop.key, gone.json.data.uid);
  const left = await inbox(server, shop.id);
  assert.equal(left.size, 130);
  await server.kill();
  const newer = fileOf(shop.id);
  keep(shop.id, newer);
  copy(join(older, "account.sqlite"), newer);

  await server.restart();
  for (const uid of waiting) {
    await whenDone(server, shop.key, uid);
    const recipients = await all(server, shop.key, `/messages/${uid}/recipients`);
    for (const { status } of recipients) assert.equal(status, "UNKNOWN");
  }
  const off = await send(server, shop.key, numbers(4000, 1));
  assert.equal(off.json.code, 3011, off.text);
  assert.equal((await admin(server, "PATCH", `/admin/accounts/${shop.id}`, { sendingEnabled: true })).status, 200);
  const sent = await send(server, shop.key, numbers(5000, 40));
  assert.equal(sent.status, 201, sent.text);
  await whenDone(server, shop.key, sent.json.data.uid);
  const now = await inbox(server, shop.id);
  assert.equal(now.size, left.size + 40);
  for (const { uid, taken } of now.values()) assert.equal(taken, 1, `${uid} was handed over ${taken} times`);
  const { locked, spent } = await assertLedgerAddsUp(server, shop.key);
  assert.deepEqual([locked, spent], [100_000, 40_000]);
  await until(
    async () => {
      const mirrored = await admin(server, "GET", `/admin/accounts?q=${shop.id}`);
      const wallet = await walletOf(server, shop.key);
      return mirrored.json.data[0].wallet.availableBalance === wallet.availableBalance;
    },
    { what: "the mirror of the restored wallet" },
  );
});
