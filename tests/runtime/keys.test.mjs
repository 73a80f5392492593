// An account's own keys over HTTP, with real KV: what a key may do when KV and the account's object disagree.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { runWrangler } from "../../scripts/lib/base/command.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { all, openShop, send, walletOf } from "../support/shop.mjs";

const server = sharedServer();
const number = ["09121234567"];

const issue = (by, body) => api(server, "POST", "/keys", { key: by, body });
const rotate = (by, id, body) => api(server, "POST", `/keys/${id}/rotate`, { key: by, body });
const revoke = (by, id) => api(server, "DELETE", `/keys/${id}`, { key: by });

async function made(answer) {
  const { status, json, text } = await answer;
  assert.equal(status, 201, text);
  return json.data;
}

/** Runs `wrangler kv key` on the local KV, which nobody else may use meanwhile, and returns what it prints. */
async function kv(verb, key, ...value) {
  const name = createHash("sha256").update(key).digest("hex");
  const place = ["--binding", "KEYS", "--local", "--persist-to", server.stateDir];
  const ran = await runWrangler(["kv", "key", verb, name, ...value, ...place]);
  assert.equal(ran.code, 0, ran.stderr);
  return ran.stdout;
}

const inKv = async (keys) => {
  const records = [];
  for (const { key } of keys) records.push(await kv("get", key));
  return records;
};

/** Stops the service, does something with its state, and starts it again. */
async function whileDown(work) {
  await server.kill();
  const result = await work();
  await server.restart();
  return result;
}

test("an account issues, lists, rotates and revokes its keys", async () => {
  const shop = await openShop(server, 100_000);
  const issued = await made(issue(shop.key, { title: "web", scopes: ["sms:send", "account:read"] }));
  assert.equal((await send(server, issued.key, number)).status, 201);
  assert.equal((await api(server, "GET", "/messages", { key: issued.key })).status, 403);

  const rotated = await made(rotate(shop.key, issued.id, { graceSeconds: 86_400 }));
  assert.deepEqual(rotated.scopes, issued.scopes);
  assert.equal(rotated.replaces.id, issued.id);
  for (const key of [issued.key, rotated.key])
    assert.equal((await send(server, key, number)).status, 201, "both work through the grace");

  const listed = await all(server, shop.key, "/keys");
  assert.deepEqual(
    listed.map(({ id, current }) => [id, current]),
    [rotated.id, issued.id, shop.keyId].map((id) => [id, id === shop.keyId]),
  );
  assert.equal(listed.find(({ id }) => id === issued.id).replacedBy, rotated.id);

  assert.equal((await revoke(shop.key, rotated.id)).status, 204);
  assert.equal((await send(server, rotated.key, number)).status, 401);
  assert.equal((await send(server, issued.key, number)).status, 201);

  // The end of a grace comes by itself, however late anybody looks.
  const short = await made(issue(shop.key, { title: "short" }));
  const next = await made(rotate(shop.key, short.id, { graceSeconds: 1 }));
  await until(async () => (await send(server, short.key, number)).status === 401, { what: "the end of the grace" });
  assert.equal((await send(server, next.key, number)).status, 201);
});

test("a key that was revoked or replaced sends nothing, although KV still has it as it was", async () => {
  const shop = await openShop(server, 100_000);
  const revoked = await made(issue(shop.key, { title: "leaked" }));
  const replaced = await made(issue(shop.key, { title: "old" }));
  const ended = [revoked, replaced];
  for (const { key } of ended) assert.equal((await send(server, key, number)).status, 201);
  const records = await whileDown(() => inKv(ended));
  for (const [index, { id }] of ended.entries()) assert.equal(JSON.parse(records[index]).key, id);

  assert.equal((await revoke(shop.key, revoked.id)).status, 204);
  await made(rotate(shop.key, replaced.id, { graceSeconds: 0 }));
  for (const { key } of ended) assert.equal((await send(server, key, number)).status, 401);

  await whileDown(async () => {
    for (const [index, { key }] of ended.entries()) await kv("put", key, records[index]);
  });
  const before = await walletOf(server, shop.key);
  for (const { key, id } of ended) {
    assert.equal((await send(server, key, number)).status, 401);
    assert.equal((await issue(key, { title: "again" })).status, 401);
    assert.equal((await rotate(key, id, {})).status, 401);
  }
  assert.deepEqual(await walletOf(server, shop.key), before);
  await server.kill();
  assert.deepEqual(await inKv(ended), records, "KV had them all the time");
  await server.restart();
});

test("a key mints no wider one, by no member of the body", async () => {
  const shop = await openShop(server, 0);
  const end = new Date(Date.now() + 86_400_000).toISOString();
  const narrow = await made(
    issue(shop.key, {
      title: "narrow",
      scopes: ["keys", "sms:read"],
      lines: [server.line],
      expiresAt: end,
    }),
  );
  // The narrow key is used now, which its own row says.
  const keys = async () => (await all(server, shop.key, "/keys")).map(({ lastUsedAt, lastAddress, ...key }) => key);
  const before = await keys();
  const later = new Date(Date.now() + 2 * 86_400_000).toISOString();
  for (const [more, pointer] of [
    [{ scopes: ["sms:read", "sms:send"] }, "/scopes/1"],
    [{ expiresAt: later }, "/expiresAt"],
  ]) {
    const refused = await issue(narrow.key, { title: "wide", ...more });
    assert.equal(refused.status, 422, refused.text);
    assert.deepEqual(
      refused.json.errors.map((error) => error.pointer),
      [pointer],
    );
  }
  assert.equal((await rotate(narrow.key, shop.keyId, {})).status, 403);
  assert.equal((await revoke(narrow.key, shop.keyId)).status, 403);
  assert.deepEqual(await keys(), before);
  const child = await made(issue(narrow.key, { title: "child" }));
  assert.deepEqual([child.scopes.sort(), child.mode, child.expiresAt], [["sms:read"], "live", end]);
});

/** How often each value is there. */
const count = (values) => {
  const counts = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
};

test("a key with caps comes from its addresses, and takes and spends no more than it may", async () => {
  const shop = await openShop(server, 100_000);
  const elsewhere = await made(issue(shop.key, { title: "elsewhere", ips: ["192.0.2.0/24"] }));
  const refused = await api(server, "GET", "/lines", { key: elsewhere.key });
  assert.equal(refused.status, 403, refused.text);
  const [, own] = /from the address (\S+);/.exec(refused.json.detail) ?? [];
  assert.ok(own, refused.json.detail);

  const capped = await made(issue(shop.key, { title: "here", ips: [own], ratePerMinute: 30, dailySpend: 2_500 }));
  assert.deepEqual([capped.ips, capped.createdBy], [[own], shop.keyId]);
  const sends = await Promise.all(Array.from({ length: 20 }, () => send(server, capped.key, number)));
  assert.deepEqual(count(sends.map(({ status, json }) => json.code ?? status)), { 201: 2, 2002: 18 });
  const rest = await Promise.all(Array.from({ length: 20 }, () => api(server, "GET", "/account/info", capped)));
  const limited = rest.filter(({ status }) => status === 429);
  assert.ok(limited.length > 0 && limited.every(({ headers }) => Number(headers.get("retry-after")) > 0));
  assert.equal((await send(server, shop.key, number)).status, 201);

  const listed = await all(server, shop.key, "/keys");
  const { lastUsedAt, lastAddress } = listed.find(({ id }) => id === capped.id);
  assert.equal(lastAddress, own);
  assert.match(lastUsedAt, /T\d\d:00:00\.000Z$/);
});
