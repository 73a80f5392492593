// Operators with roles over HTTP, with real KV, D1 and objects: who may do what, credits that need two, and what the log says.
import assert from "node:assert/strict";
import { test } from "node:test";
import { api, sharedServer, until } from "../support/server.mjs";
import { all, openShop, send, walletOf } from "../support/shop.mjs";

const server = sharedServer(undefined, () => ({ CREDIT_APPROVAL_ABOVE: "1000000" }));

/** A key of an operator with these scopes, made with another one. */
async function operator(scopes, by = server.adminKey) {
  const answer = await api(server, "POST", "/admin/keys", { key: by, body: { title: "an operator", scopes } });
  assert.equal(answer.status, 201, answer.text);
  return answer.json.data;
}

const ask = (key, shop, amount) =>
  api(server, "POST", `/admin/accounts/${shop.id}/credit`, { key, body: { amount, note: "invoice 12" } });
const decide = (key, id, how) => api(server, "POST", `/admin/credits/${id}/${how}`, { key });
const available = async (shop) => (await walletOf(server, shop.key)).availableBalance;

test("a key does what its scopes say, and makes none that may do more", async () => {
  const service = await operator(["admin:service", "admin:read"]);
  assert.equal((await api(server, "GET", "/admin/keys", { key: service.key })).status, 200);
  const body = { title: "more", scopes: ["admin"] };
  const refused = await api(server, "POST", "/admin/keys", { key: service.key, body });
  assert.equal(refused.status, 403);
  assert.equal(refused.headers.get("www-authenticate"), 'Bearer error="insufficient_scope", scope="admin"');
  assert.equal((await operator(["admin:read"], service.key)).scopes.join(), "admin:read");
  const accounts = await operator(["admin:accounts"]);
  assert.equal((await api(server, "GET", "/admin/accounts", { key: accounts.key })).status, 403);
  assert.equal((await ask(service.key, await openShop(server, 1_000), 1)).status, 403);
});

test("a large credit moves once, when another operator approves it, however often at once", async () => {
  const shop = await openShop(server, 500_000);
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => operator(["admin:money", "admin:service"])));
  const own = await operator(["admin:money"], first.key);
  const asked = await ask(first.key, shop, 2_000_000);
  assert.equal(asked.status, 202, asked.text);
  const { id } = asked.json.data;
  for (const { key } of [first, own]) assert.equal((await decide(key, id, "approve")).status, 403);
  assert.equal(await available(shop), 500_000);
  const keys = Array.from({ length: 10 }, (_, at) => [second, third][at % 2].key);
  const answers = await Promise.all(keys.map((key) => decide(key, id, "approve")));
  for (const { status, json, text } of answers) {
    assert.equal(status, 200, text);
    assert.equal(json.data.status, "APPROVED");
  }
  assert.equal(await available(shop), 2_500_000);
  assert.equal((await decide(second.key, id, "reject")).status, 409);

  const other = (await ask(first.key, shop, -2_000_000)).json.data;
  const outcomes = await Promise.all([decide(second.key, other.id, "approve"), decide(third.key, other.id, "reject")]);
  const statuses = outcomes.map(({ status }) => status);
  const listed = await all(server, server.adminKey, "/admin/credits");
  const { status } = listed.find((credit) => credit.id === other.id);
  const left = await available(shop);
  assert.deepEqual([statuses.includes(200), left], [true, status === "APPROVED" ? 500_000 : 2_500_000], `${statuses}`);

  // The service dies and comes back: an approval that is repeated moves nothing.
  await server.kill();
  await server.restart();
  assert.equal((await decide(second.key, id, "approve")).status, 200);
  assert.equal(await available(shop), left);
});

test("the log says what an operator was shown, and from where requests came", async () => {
  const shop = await openShop(server, 100_000);
  assert.equal((await send(server, shop.key, ["09121234567"])).status, 201);
  const reader = await operator(["admin:read"]);
  const look = () => api(server, "GET", `/admin/accounts/${shop.id}/sandbox`, { key: reader.key });
  await until(async () => (await look()).json.data.length === 1, { what: "the sandbox" });
  for (let times = 0; times < 3; times += 1) assert.equal((await look()).status, 200);
  const entries = await all(server, server.adminKey, `/admin/audit?key=${reader.id}`);
  assert.equal(entries.length, 1);
  assert.deepEqual(entries[0].after, { shown: true });
  assert.equal(entries[0].thing.account, shop.id);

  const key = server.adminKey;
  const path = `/admin/accounts/${shop.id}`;
  const headers = { "CF-Connecting-IP": "2001:DB8::7" };
  assert.equal((await api(server, "PATCH", path, { key, body: { fullName: "From far" }, headers })).status, 200);
  const changes = await all(server, key, `/admin/audit?account=${shop.id}&operation=AdminChangeAccount`);
  assert.equal(changes[0].address, "2001:db8::7");
  assert.ok(!JSON.stringify(await all(server, key, `/admin/audit?account=${shop.id}`)).includes("9121234567"));
});
