// Messages by HTTP through Debian's Kannel, with an SMSC behind it, and back as reports; and what a gateway can do that
// Kannel can't be told to.
import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import {
  assertOnceAndPaid,
  changeCarrier,
  healthOf,
  httpCarrier,
  numbers,
  sendTexts,
  settled,
  shopThrough,
  statusesOf,
  tally,
} from "../support/carriers.mjs";
import { openDoor } from "../support/peers/door.mjs";
import { startGateway } from "../support/peers/gateway.mjs";
import { startKannel } from "../support/peers/kannel.mjs";
import { startSmscProcess } from "../support/peers/smsc-process.mjs";
import { api, sharedServer, until } from "../support/server.mjs";

let door;
let smsc;
let kannel;
const server = sharedServer(
  async () => {
    smsc = await startSmscProcess();
    kannel = await startKannel({ smsc: { port: smsc.port } });
  },
  async (server) => {
    door = await openDoor(server);
    return { PUBLIC_URL: door.url };
  },
);

afterEach(({ name, passed }) => {
  if (!passed) console.log(`The end of Kannel's log after "${name}":\n${kannel?.log().slice(-8_000)}`);
});

after(async () => {
  await kannel?.stop();
  await smsc?.stop();
  door?.close();
});

const texts = (count, first = 0) => numbers(count, first).map((number) => [number, `to ${number}`]);
const persian = "پیک پیام شما را می‌رساند 😀 ".repeat(11).trim();

test("texts of every kind arrive through Kannel as they were written, and are delivered", async () => {
  const shop = await shopThrough(server, { carrier: await httpCarrier(server, kannel) });
  const kinds = [
    ["Hello {1} [€] & 100%", 1],
    ["سلام، کد شما: ۴۸۲۱", 1],
    [persian, 5],
    ["0123456789".repeat(20), 2],
  ];
  const wanted = numbers(200).map((number, index) => [number, ...kinds[index % kinds.length]]);
  const uids = await sendTexts(
    server,
    shop,
    wanted.map(([number, text]) => [number, text]),
  );
  assert.deepEqual(tally(await settled(server, shop, uids)), { DELIVERED: 200 });
  const arrived = new Map((await smsc.messages()).map((message) => [`+${message.to}`, message]));
  for (const [number, text, parts] of wanted) {
    const message = arrived.get(number);
    assert.deepEqual([message.text, message.parts, message.from], [text, parts, shop.line]);
  }
  const counts = await smsc.counts();
  for (const [number, , parts] of wanted) assert.equal(counts[number.slice(1)].taken, parts, number);
});

test("every ending that Kannel reports reaches its recipient", async () => {
  const states = { 3: "UNDELIV", 5: "EXPIRED" };
  await smsc.set({ rules: Object.entries(states).map(([digit, state]) => ({ to: `${digit}$`, receipts: { state } })) });
  const shop = await shopThrough(server, { carrier: await httpCarrier(server, kannel) });
  const uids = await sendTexts(server, shop, texts(20, 1_000));
  const statuses = await settled(server, shop, uids);
  await smsc.set({ rules: [] });
  const expected = { 3: "UNDELIVERED", 5: "EXPIRED" };
  for (const [number, status] of statuses) assert.equal(status, expected[number.at(-1)] ?? "DELIVERED", number);
  await assertOnceAndPaid(server, shop, statuses, await smsc.counts());
});

test("with a wrong password nothing leaves, and with the right one everything", async () => {
  const carrier = await httpCarrier(server, { ...kannel, url: kannel.url, password: "wrong" });
  const shop = await shopThrough(server, { carrier });
  const uids = await sendTexts(server, shop, texts(10, 2_000));
  await until(async () => (await healthOf(server, carrier)).lastError !== null, { what: "the error" });
  assert.deepEqual(tally(await statusesOf(server, shop, uids)), { QUEUED: 10 });
  await changeCarrier(server, carrier, { http: { password: kannel.password } });
  const statuses = await settled(server, shop, uids);
  assert.deepEqual(tally(statuses), { DELIVERED: 10 });
  await assertOnceAndPaid(server, shop, statuses, await smsc.counts());
});

/** A test with a gateway whose answers it decides. */
function gatewayTest(name, work) {
  test(name, async () => {
    const gateway = await startGateway();
    try {
      const carrier = await httpCarrier(server, gateway);
      await work({ gateway, carrier, shop: await shopThrough(server, { carrier }) });
    } finally {
      gateway.stop();
    }
  });
}

const report = (address, status) => fetch(address.replace("%d", status).replaceAll(/%[A-Za-z]/g, ""));

gatewayTest("a gateway that reads and never answers: UNKNOWN, and no second request", async ({ gateway, shop }) => {
  const accept = gateway.answer;
  gateway.answer = (request) => (request.to.endsWith("7") ? null : accept(request));
  const uids = await sendTexts(server, shop, texts(20, 3_000));
  const isHanded = (status) => ["SUBMITTED", "UNKNOWN"].includes(status);
  await until(async () => [...(await statusesOf(server, shop, uids)).values()].every(isHanded), {
    what: "the handover",
  });
  for (const [number, status] of await statusesOf(server, shop, uids))
    assert.equal(status, number.endsWith("7") ? "UNKNOWN" : "SUBMITTED", number);
  assert.ok(Object.values(gateway.counts()).every((count) => count === 1));
  // A report tells what became of it after all.
  for (const { "dlr-url": address } of gateway.requests) assert.equal((await report(address, "1")).status, 200);
  assert.deepEqual(tally(await settled(server, shop, uids)), { DELIVERED: 20 });
});

gatewayTest("answers that say later, and answers that say never", async ({ gateway, shop }) => {
  const accept = gateway.answer;
  gateway.answer = (request) => {
    if (request.to.endsWith("7")) return { status: 400, text: "Not allowed receiver" };
    if (gateway.counts()[request.to] === 1) return { status: 503, text: "Temporal failure, try again later." };
    return accept(request);
  };
  const uids = await sendTexts(server, shop, texts(10, 4_000));
  const isHanded = (status) => ["SUBMITTED", "REJECTED"].includes(status);
  await until(async () => [...(await statusesOf(server, shop, uids)).values()].every(isHanded), {
    what: "the handover",
  });
  for (const [number, status] of await statusesOf(server, shop, uids))
    assert.equal(status, number.endsWith("7") ? "REJECTED" : "SUBMITTED", number);
  for (const [number, count] of Object.entries(gateway.counts()))
    assert.equal(count, number.endsWith("7") ? 1 : 2, number);
});

gatewayTest(
  "a report address that is altered, or another carrier's, is refused; a repeated one changes nothing",
  async ({ gateway, carrier, shop }) => {
    const other = await httpCarrier(server, gateway);
    const uids = await sendTexts(server, shop, texts(2, 5_000));
    await until(() => gateway.requests.length === 2, { what: "both requests" });
    const [{ "dlr-url": address, to }, { "dlr-url": second }] = gateway.requests;
    const token = [...new URL(address).searchParams.values()].sort((a, b) => b.length - a.length)[0];
    const altered = token.slice(0, -10) + (token.at(-10) === "A" ? "B" : "A") + token.slice(-9);
    for (const forged of [
      address.replace(token, altered),
      address.replace(token, ""),
      address.replace(token, "x".repeat(5_000)),
      address.replace(carrier, other),
    ]) {
      const { status } = await report(forged, "1");
      assert.ok(status >= 400 && status < 500, `${status} for ${forged}`);
    }
    const handed = () => statusesOf(server, shop, uids);
    await until(async () => [...(await handed()).values()].every((status) => status === "SUBMITTED"));
    assert.equal((await report(address, "1")).status, 200);
    // Later and repeated reports come too late.
    for (const status of ["2", "1", "16"]) assert.equal((await report(address, status)).status, 200);
    assert.equal((await report(second, "2")).status, 200);
    const statuses = await settled(server, shop, uids);
    for (const [number, status] of statuses)
      assert.equal(status, number.endsWith(to.slice(-9)) ? "DELIVERED" : "UNDELIVERED");
    const { json } = await api(server, "GET", `/messages/${uids[0]}`, { key: shop.key });
    assert.deepEqual(json.data.counts, { DELIVERED: 1, UNDELIVERED: 1 });
  },
);
