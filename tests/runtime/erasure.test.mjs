// A number is erased on the real runtime, in one account and in all: afterwards no row of any table of any of its files has it, and
// neither has its log.
import assert from "node:assert/strict";
import { test } from "node:test";
import { api, sharedServer, until } from "../support/server.mjs";
import { admin, issueKey, openShop, send, whenDone } from "../support/shop.mjs";
import { rowsOfState } from "../support/state-rows.mjs";

const server = sharedServer();
const digits = "9127654321";
const number = `0${digits}`;
const scopes = ["erasure", "sms:send", "sms:read", "phonebook", "blacklist", "webhook"];

/** The rows of all tables that the runtime keeps and that have the number. It holds its files while it runs, so it is stopped. */
async function rowsWithNumber() {
  await server.kill();
  const rows = rowsOfState(server.stateDir);
  await server.restart();
  return rows.filter((row) => row.includes(digits));
}

/** An account with the number in each place that a test without a carrier can fill. */
async function openFilledShop() {
  const shop = await openShop(server, 1_000_000);
  const { key } = await issueKey(server, shop.id, { scopes });
  const post = async (path, body) => {
    const answer = await api(server, "POST", path, { key, body });
    assert.ok(answer.status < 300, answer.text);
    return answer.json.data;
  };
  // Nobody listens there, so that the events wait.
  await post("/webhook", { url: "http://127.0.0.1:9/", events: ["message.status"] });
  const sent = await send(server, key, [number, "09121112233"]);
  await whenDone(server, key, sent.json.data.uid);
  const alone = await send(server, key, [number], { message: `call ${number}`, clientRef: number });
  await whenDone(server, key, alone.json.data.uid);
  const later = await send(server, key, [number], { sendAt: new Date(Date.now() + 86_400_000).toISOString() });
  const book = await post("/phonebook", { title: "Customers" });
  await post(`/phonebook/number/${book.id}`, { number, name: "Sara" });
  await post("/blacklist", { numbers: [number] });
  return { id: shop.id, key, later: later.json.data.uid };
}

/** The order has come to its end when the sandbox, which is its last step, has the number no more. */
const whenErased = (shop) =>
  until(
    async () => {
      const handed = await admin(server, "GET", `/admin/accounts/${shop.id}/sandbox`);
      const recipients = handed.json.data.map(({ recipient }) => recipient).sort();
      return recipients.join() === "+989121112233,erased,erased" && recipients;
    },
    { what: "a sandbox without the number" },
  );

async function assertErased(shop, id) {
  const { found, status } = (await api(server, "GET", `/erasures/${id}`, { key: shop.key })).json.data;
  assert.deepEqual([found.recipients, found.canceled, found.phonebookNumbers, found.blacklisted], [3, 1, 1, true]);
  assert.equal(status, "RUNNING");
  const canceled = await api(server, "GET", `/messages/${shop.later}`, { key: shop.key });
  assert.equal(canceled.json.data.status, "CANCELED");
  assert.equal(canceled.json.data.recipients[0].recipient, "erased");
  const refused = await send(server, shop.key, [number]);
  assert.equal(refused.json.code, 3016, refused.text);
}

async function assertNowhere() {
  assert.deepEqual(await rowsWithNumber(), []);
  assert.ok(!server.log().includes(digits));
}

test("after an erasure in an account no table and no log has the number", async () => {
  const shop = await openFilledShop();
  const before = await rowsWithNumber();
  for (const table of ["chunk", "number", "blacklist", "phonebook_number", "handed_chunk", "event"]) {
    assert.ok(
      before.some((row) => row.startsWith(`${table}: `)),
      `${table} never had the number: ${before.join("\n")}`,
    );
  }
  const order = await api(server, "POST", "/erasures", { key: shop.key, body: { number } });
  assert.equal(order.status, 202, order.text);
  await whenErased(shop);
  await assertErased(shop, order.json.data.id);
  await assertNowhere();
});

test("after an operator's erasure none of two accounts has the number", async () => {
  const shops = [await openFilledShop(), await openFilledShop()];
  const order = await admin(server, "POST", "/admin/erasures", { number });
  assert.equal(order.status, 202, order.text);
  const { id } = order.json.data;
  for (const shop of shops) {
    await whenErased(shop);
    await assertErased(shop, id);
  }
  await assertNowhere();
});
