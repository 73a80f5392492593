// A service that an earlier version has left goes on in this one: what it has told is still so, what waited is sent, what was sealed
// opens, and its books agree.
//
// A release keeps what its version leaves: `RELEASED=write node --test tests/runtime/upgrade.test.mjs`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { listen } from "../support/receiver.mjs";
import { keepState, releasedState, releasedVersions, told, version } from "../support/released.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { admin, assertLedgerAddsUp, openShop, send, whenDone } from "../support/shop.mjs";
import { verify } from "../support/verifiers.mjs";

const isRelease = process.env.RELEASED === "write";
const newest = isRelease ? undefined : releasedVersions().at(-1);

// What a version has left may be years old.
const vars = () => ({ RETENTION_DAYS: "3650" });
const server = sharedServer(undefined, vars, isRelease ? undefined : releasedState(newest));

const get = async (key, path) => {
  const { status, text, json } = await api(server, "GET", path, { key });
  assert.equal(status, 200, text);
  return json.data;
};
const post = async (key, path, body) => {
  const { status, text, json } = await api(server, "POST", path, { key, body });
  assert.ok(status < 300, text);
  return json.data;
};
const hold = async (shop, isOnHold) => {
  const changed = await admin(server, "PATCH", `/admin/accounts/${shop.id}`, { hold: isOnHold });
  assert.equal(changed.status, 200, changed.text);
};

const today = new Date().toISOString().slice(0, 10);

/** The lists of an account, and its wallet. */
const paths = [
  ...[
    "/account/info",
    "/account/transactions",
    `/account/usage?from=${today}&to=${today}`,
    "/phonebook",
    "/pattern",
    "/blacklist",
  ],
  ...["/campaigns", "/messages", "/webhook", "/keys"],
];
const readAll = async ({ key }) =>
  Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await get(key, path)])));

const numbers = (from, count) => Array.from({ length: count }, (_, index) => `0912${from + index}`);

/** Lives a while, and ends with a message that waits and events that nobody has taken. */
async function live() {
  const shop = await openShop(server, 1_000_000);
  const { key } = shop;
  const { id } = await post(key, "/phonebook", { title: "customers" });
  for (const number of numbers(1_000_000, 3)) await post(key, `/phonebook/number/${id}`, { number, name: "Sara" });
  const variables = [{ name: "number", type: "NUMBER" }];
  await post(key, "/pattern", { slug: "order", title: "Order", text: "Your order %number% has left", variables });
  await post(key, "/blacklist", { numbers: ["09129999999"] });
  await post(key, "/campaigns", { title: "Spring", message: "20% off", phonebooks: [id] });
  const { secret } = await post(key, "/webhook", { url: "http://127.0.0.1:9/", events: ["message.status"] });
  const sent = await send(server, key, numbers(2_000_000, 5));
  await whenDone(server, key, sent.json.data.uid);
  await hold(shop, true);
  const waits = await send(server, key, numbers(3_000_000, 4));
  return { shop: { ...shop, secret }, sent: sent.json.data.uid, waits: waits.json.data.uid };
}

if (isRelease)
  test(`the state of ${version} is kept`, async () => {
    const life = await live();
    const lists = await readAll(life.shop);
    await server.kill();
    keepState(server.stateDir, { ...life, lists });
  });
else {
  const { shop, sent, waits, lists } = told(newest);

  test(`what ${newest} has told is still so`, async () => {
    // An attempt at a closed door counts on.
    for (const [path, list] of Object.entries(lists).filter(([path]) => path !== "/webhook"))
      assertHas(await get(shop.key, path), list, path);
  });

  test("what waited leaves, and what comes meanwhile too, each once", async () => {
    const others = numbers(4_000_000, 40).map((number) => send(server, shop.key, [number]));
    await hold(shop, false);
    const uids = (await Promise.all(others)).map(({ status, text, json }) => {
      assert.equal(status, 201, text);
      return json.data.uid;
    });
    for (const uid of [...uids, waits, sent]) {
      const { counts, recipientCount } = await whenDone(server, shop.key, uid);
      assert.equal(counts.DELIVERED, recipientCount, uid);
    }
    const { spent } = await assertLedgerAddsUp(server, shop.key);
    assert.equal(spent, 49 * 1_000);
  });

  test("a secret that it has sealed signs", async () => {
    const receiver = await listen();
    try {
      const [{ id }] = await get(shop.key, "/webhook");
      const body = { url: receiver.url(), events: ["message.status"] };
      const changed = await api(server, "PUT", `/webhook/${id}`, { key: shop.key, body });
      assert.equal(changed.status, 200, changed.text);
      await post(shop.key, `/webhook/${id}/test`, {});
      await until(() => receiver.hits.length > 0, { what: "an event" });
      for (const hit of receiver.hits) assert.equal(verify("js", shop.secret, hit), true);
    } finally {
      await receiver.close();
    }
  });

  test("its books agree", async () => {
    const { json } = await admin(server, "GET", `/admin/reconciliation?account=${shop.id}`);
    const [{ now }] = json.data;
    assert.deepEqual([now.differences, now.unchecked], [[], []]);
  });
}

/** That a value has all of another: members may have been added, and a key was used since. */
function assertHas(value, wanted, path) {
  if (path.endsWith("/lastUsedAt")) return;
  if (wanted === null || typeof wanted !== "object") return assert.equal(value, wanted, path);
  if (Array.isArray(wanted)) assert.equal(value.length, wanted.length, path);
  for (const [name, member] of Object.entries(wanted)) assertHas(value[name], member, `${path}/${name}`);
}
