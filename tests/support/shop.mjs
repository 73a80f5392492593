// Helpers of the runtime tests: separate accounts, sends, balances and ledgers.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { api, until } from "./server.mjs";

export const admin = (server, method, path, body, headers) =>
  api(server, method, path, { key: server.adminKey, body, headers });

/**
 * Opens a new account with this much money and the shared line. No test reaches its rate limit by accident, unless
 * `changes` sets another one.
 */
export async function openShop(server, money, changes = {}) {
  const made = await admin(server, "POST", "/admin/accounts", {
    username: `shop-${randomUUID()}`,
    fullName: "A Shop",
    plan: "demo",
  });
  assert.equal(made.status, 201, made.text);
  const { id } = made.json.data;
  const settings = {
    defaultLine: server.line,
    rateLimit: { limit: 100_000, windowSeconds: 1, burst: 10_000 },
    testRateLimit: { limit: 100_000, windowSeconds: 1, burst: 10_000 },
    ...changes,
  };
  const changed = await admin(server, "PATCH", `/admin/accounts/${id}`, settings);
  assert.equal(changed.status, 200, changed.text);
  if (money > 0) await credit(server, id, money);
  return { id, ...(await issueKey(server, id, {})) };
}

export async function credit(server, id, amount) {
  const answer = await admin(server, "POST", `/admin/accounts/${id}/credit`, { amount, note: "test" });
  assert.equal(answer.status, 201, answer.text);
}

/** All that a key of an account may do. */
const scopes = [
  "sms:send",
  "sms:read",
  "phonebook",
  "pattern",
  "verify",
  "blacklist",
  "erasure",
  "account:read",
  "webhook",
  "keys",
];

export async function issueKey(server, id, options) {
  const issued = await admin(server, "POST", `/admin/accounts/${id}/keys`, { title: "test", scopes, ...options });
  assert.equal(issued.status, 201, issued.text);
  return { key: issued.json.data.key, keyId: issued.json.data.id };
}

export const send = (server, key, recipients, more = {}, headers = {}) =>
  api(server, "POST", "/sms/send", { key, body: { message: "hello", recipients, ...more }, headers });

export async function walletOf(server, key) {
  const info = await api(server, "GET", "/account/info", { key });
  assert.equal(info.status, 200, info.text);
  return info.json.data.wallet;
}

/** Returns all items of a list, page by page. */
export async function all(server, key, path) {
  const items = [];
  for (let cursor = ""; cursor !== null; ) {
    const page = await api(
      server,
      "GET",
      `${path}${path.includes("?") ? "&" : "?"}limit=200${cursor && `&cursor=${cursor}`}`,
      { key },
    );
    assert.equal(page.status, 200, page.text);
    items.push(...page.json.data);
    cursor = page.json.meta.nextCursor;
  }
  return items;
}

export async function message(server, key, uid) {
  const answer = await api(server, "GET", `/messages/${uid}`, { key });
  assert.equal(answer.status, 200, answer.text);
  return answer.json.data;
}

export const whenDone = (server, key, uid) =>
  until(
    async () => {
      const found = await message(server, key, uid);
      return found.status === "DONE" ? found : null;
    },
    { what: `the end of message ${uid}` },
  );

/** A time for `sendAt` that does not come while the tests run. */
export const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

/**
 * Schedules a message for a time that comes soon. `schedule` makes the request. A slow machine may read it after that
 * time, and answers 422; then a later time is tried. Returns the time and the accepted message.
 */
export async function soon(schedule) {
  for (let wait = 3_000; ; wait *= 2) {
    const sendAt = new Date(Date.now() + wait).toISOString();
    const answer = await schedule(sendAt);
    if (answer.status === 201) return { sendAt, data: answer.json.data };
    assert.deepEqual(answer.json.extra, ["sendAt: must not be in the past"], answer.text);
  }
}

/** Reads the whole ledger, oldest entry first, and the wallet as it was with the newest entry. */
function ledgerAndWallet(server, key) {
  const newest = async () => (await api(server, "GET", "/account/transactions?limit=1", { key })).json.data[0]?.id;
  return until(
    async () => {
      const entries = await all(server, key, "/account/transactions");
      const wallet = await walletOf(server, key);
      // Every change of the wallet is an entry. So without a new entry, nothing has changed in between.
      return (await newest()) === entries[0]?.id ? { entries: entries.reverse(), wallet } : null;
    },
    { what: "a ledger at rest" },
  );
}

/**
 * Replays the ledger from the oldest entry. Asserts that the balances of every entry and the wallet match the replay.
 * Returns the replayed wallet and the entries.
 */
export async function assertLedgerAddsUp(server, key) {
  const effects = {
    CREDIT: { available: 1 },
    RESERVE: { available: -1, locked: 1 },
    SETTLE: { locked: -1, spent: 1 },
    RELEASE: { locked: -1, available: 1 },
    REFUND: { spent: -1, available: 1 },
  };
  const wallet = { available: 0, locked: 0, spent: 0 };
  const { entries, wallet: shown } = await ledgerAndWallet(server, key);
  for (const [index, entry] of entries.entries()) {
    assert.equal(entry.id, index + 1);
    for (const [part, sign] of Object.entries(effects[entry.type])) wallet[part] += sign * entry.amount;
    assert.deepEqual(
      [entry.availableBalance, entry.lockedBalance],
      [wallet.available, wallet.locked],
      JSON.stringify(entry),
    );
    assert.ok(wallet.available >= 0 && wallet.locked >= 0 && wallet.spent >= 0);
  }
  assert.deepEqual(
    [shown.availableBalance, shown.lockedBalance, shown.totalBalance],
    [wallet.available, wallet.locked, wallet.available + wallet.locked],
  );
  return { ...wallet, entries };
}

/** Returns the recipients that the sandbox carrier was handed for an account, by uid. */
export async function inbox(server, id) {
  const items = await all(server, server.adminKey, `/admin/accounts/${id}/sandbox`);
  return new Map(items.map((item) => [item.uid, item]));
}
