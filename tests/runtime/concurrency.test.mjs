// Concurrent requests on the real runtime.
import assert from "node:assert/strict";
import { test } from "node:test";
import { api, sharedServer } from "../support/server.mjs";
import { admin, all, assertLedgerAddsUp, openShop, send } from "../support/shop.mjs";

const server = sharedServer();

const times = (count, make) => Promise.all(Array.from({ length: count }, (_, index) => make(index)));

function tally(answers) {
  const counts = {};
  for (const { status, json } of answers) {
    const kind = `${status}/${json.code ?? ""}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

test("100 concurrent sends against money for 37: exactly 37 are accepted, and the ledger agrees", async () => {
  const shop = await openShop(server, 37_000);
  const answers = await times(100, (index) =>
    send(server, shop.key, [`0912${String(1_000_000 + index).padStart(7, "0")}`]),
  );
  assert.deepEqual(tally(answers), { "201/": 37, "400/2001": 63 });
  const { available, entries } = await assertLedgerAddsUp(server, shop.key);
  assert.equal(available, 0);
  assert.equal(entries.filter(({ type }) => type === "RESERVE").length, 37);
  assert.equal((await all(server, shop.key, "/messages")).length, 37);
});

test("100 concurrent sends with one Idempotency-Key: one debit, one message, one answer", async () => {
  const shop = await openShop(server, 100_000);
  const headers = { "Idempotency-Key": '"order-7"' };
  const answers = await times(100, () => send(server, shop.key, ["09121234567"], {}, headers));
  assert.deepEqual(tally(answers), { "201/": 100 });
  assert.equal(new Set(answers.map(({ json }) => JSON.stringify(json.data))).size, 1);
  assert.equal(answers.filter((answer) => answer.headers.get("idempotency-replayed") === "true").length, 99);
  const { entries } = await assertLedgerAddsUp(server, shop.key);
  assert.equal(entries.filter(({ type }) => type === "RESERVE").length, 1);
  assert.equal((await all(server, shop.key, "/messages")).length, 1);
  const other = await send(server, shop.key, ["09121234568"], {}, headers);
  assert.deepEqual([other.status, other.json.code], [422, 422]);
});

test("a concurrent burst is admitted to the exact count, then 429", async () => {
  // The window is so long that no token comes back while the test runs.
  const shop = await openShop(server, 0, { rateLimit: { limit: 1, windowSeconds: 86_400, burst: 7 } });
  const answers = await times(20, () => api(server, "GET", "/account/info", { key: shop.key }));
  assert.deepEqual(tally(answers), { "200/": 7, "429/429": 13 });
  const refused = await api(server, "POST", "/sms/send", {
    key: shop.key,
    raw: "{",
    headers: { "Content-Type": "text/plain" },
  });
  assert.deepEqual([refused.status, refused.json.code, refused.json.name], [429, 429, "TooManyRequests"]);
  assert.equal(refused.headers.get("ratelimit-policy"), '"default";q=1;w=86400');
  assert.match(refused.headers.get("ratelimit"), /^"default";r=0;t=\d+$/);
  const wait = Number(refused.headers.get("retry-after"));
  assert.ok(Number.isInteger(wait) && wait >= 1 && wait <= 86_400);
});

test("credits and sends at once never disagree with the ledger", async () => {
  const shop = await openShop(server, 5_000);
  await times(40, (index) =>
    index % 4 === 0
      ? admin(server, "POST", `/admin/accounts/${shop.id}/credit`, { amount: index % 8 === 0 ? 1_500 : -700 })
      : send(server, shop.key, [`0935${String(index).padStart(7, "0")}`]),
  );
  await assertLedgerAddsUp(server, shop.key);
});

test("clients that hang up keep nobody else from an answer", async () => {
  const shop = await openShop(server, 1_000_000);
  const answers = await times(300, (index) => {
    const options = {
      key: shop.key,
      body: { message: "hello", recipients: [`0935${String(index).padStart(7, "0")}`] },
      // Every other client does not wait for its answer.
      signal: index % 2 === 0 ? AbortSignal.timeout(1 + (index % 50)) : undefined,
    };
    return api(server, "POST", "/sms/send", options).catch((error) => error);
  });
  const stayed = answers.filter((_, index) => index % 2 === 1);
  assert.deepEqual(tally(stayed), { "201/": 150 });
  const hungUp = answers.filter((_, index) => index % 2 === 0);
  assert.ok(hungUp.every((answer) => answer.status === 201 || answer.name === "TimeoutError"));
  // A message of a client that has gone is there as a whole or not at all.
  const { entries } = await assertLedgerAddsUp(server, shop.key);
  const messages = await all(server, shop.key, "/messages");
  assert.equal(entries.filter(({ type }) => type === "RESERVE").length, messages.length);
  assert.ok(messages.length >= 150 && messages.length <= 300);
});
