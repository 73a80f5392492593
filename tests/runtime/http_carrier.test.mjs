// Messages by HTTP through Debian's Kannel, with an SMSC behind it, and back as reports; and what a gateway can do that
// Kannel can't be told to.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, afterEach, test } from "node:test";
import { secretKey } from "../../scripts/lib/start/state.mjs";
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
import { nameRecipient, readToken, signed, tagOf } from "../support/report-token.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { admin, all, send } from "../support/shop.mjs";

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

test("messages from phones come through a Kannel that says their charset and recodes none", async () => {
  const carrier = await httpCarrier(server, kannel);
  const shop = await shopThrough(server, { carrier });
  const tied = await admin(server, "PUT", `/admin/lines/${shop.line}/inbound`, { account: shop.id });
  assert.equal(tied.status, 200, tied.text);
  const { inboundUrl } = (await admin(server, "GET", `/admin/carriers/${carrier}`)).json.data;
  const phones = await startSmscProcess();
  const other = await startKannel({
    smsc: { port: phones.port },
    inboundUrl: `${inboundUrl}&from=%p&to=%P&text=%b&charset=%C&id=%I`,
  });
  try {
    const sent = ["Hello [€]", "سلام، لغو نمی‌خواهم ۱۱", persian];
    for (const [reference, text] of sent.entries())
      await phones.inbound({ from: `98912300000${reference}`, to: shop.line, text, reference });
    const list = async () => (await api(server, "GET", "/inbound?limit=20", { key: shop.key })).json.data;
    await until(async () => (await list()).length === sent.length, { what: "the messages" });
    assert.deepEqual((await list()).map(({ text }) => text).toSorted(), sent.toSorted());
  } finally {
    await other.stop();
    await phones.stop();
  }
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

/** What the runtime has logged of refused addresses since `begin`. */
const refusals = (begin) =>
  [
    ...server
      .log()
      .slice(begin)
      .matchAll(/^.*?(\{.*"event":"callback".*\}).*$/gm),
  ]
    .map(([, line]) => JSON.parse(line))
    .filter(({ cause }) => cause !== undefined);

/** The kinds of these lines, each once: level, carrier and cause. The log has one of each kind in a minute at least. */
const kindsOf = (begin) => {
  const kinds = refusals(begin).map(({ level, carrier, cause }) => JSON.stringify([level, carrier, cause]));
  return [...new Set(kinds)].map((kind) => JSON.parse(kind));
};

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

gatewayTest(
  "a gateway that closes connections that were used before: UNKNOWN, and no second request",
  async ({ gateway, shop }) => {
    const accept = gateway.answer;
    const whole =
      "HTTP/1.1 202 Accepted\r\nContent-Type: text/plain\r\nContent-Length: 24\r\n\r\n0: Accepted for delivery";
    // At each point: before the answer, in its first line, in its head, before its body, in its body.
    const points = ["", whole.slice(0, 12), whole.slice(0, 40), whole.slice(0, -24), whole.slice(0, -9)];
    const broken = new Map();
    let reused = 0;
    gateway.answer = (request, isUsed) => {
      if (!isUsed || reused++ % 2 === 0) return accept(request);
      const octets = points[broken.size % points.length];
      broken.set(request.to, octets);
      return { octets };
    };
    const uids = await sendTexts(server, shop, texts(60, 7_000));
    const isHanded = (status) => ["SUBMITTED", "UNKNOWN"].includes(status);
    await until(async () => [...(await statusesOf(server, shop, uids)).values()].every(isHanded), {
      what: "the handover",
    });
    assert.ok(broken.size >= points.length, `${broken.size} connections were closed`);
    assert.deepEqual(Object.values(gateway.counts()), Array(60).fill(1));
    for (const [number, status] of await statusesOf(server, shop, uids))
      assert.equal(status, broken.has(number) ? "UNKNOWN" : "SUBMITTED", `${number} ${broken.get(number)}`);
  },
);

gatewayTest(
  "what waits for a stopped carrier leaves when it goes on, through all of its objects",
  async ({ gateway, carrier }) => {
    const { url, username, password } = gateway;
    await changeCarrier(server, carrier, { http: { url, username, password, objects: 3, window: 2 } });
    const stops = [
      [{ paused: true }, { paused: false }],
      [{ active: false }, { active: true }],
    ];
    for (const [round, [stop, goOn]] of stops.entries()) {
      await changeCarrier(server, carrier, stop);
      const shops = await Promise.all([0, 1, 2].map(() => shopThrough(server, { carrier })));
      const first = 8_000 + round * 100;
      const sent = shops.map((shop, index) => sendTexts(server, shop, texts(10, first + index * 10)));
      const uids = await Promise.all(sent);
      const before = gateway.requests.length;
      await changeCarrier(server, carrier, goOn);
      await until(() => gateway.requests.length >= before + 30, { what: "the waiting messages" });
      for (const [index, shop] of shops.entries()) {
        const handed = async () => tally(await statusesOf(server, shop, uids[index]));
        await until(async () => (await handed()).SUBMITTED === 10, { what: "the handover" });
      }
      assert.equal(before, round * 30, "nothing leaves through a carrier that is stopped");
    }
    assert.deepEqual(Object.values(gateway.counts()), Array(60).fill(1));
  },
);

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
  "an opt-out that comes by the gateway is confirmed by it once, and paid",
  async ({ gateway, carrier, shop }) => {
    const [phone] = numbers(1, 6_000);
    const confirmation = "لغو شد. برای دریافت دوباره ۱۲ را بفرستید.";
    const line = await admin(server, "PATCH", `/admin/lines/${shop.line}`, { shared: false, accounts: [shop.id] });
    assert.equal(line.status, 200, line.text);
    const replies = await admin(server, "PUT", `/admin/lines/${shop.line}/inbound`, { optOutReply: confirmation });
    assert.equal(replies.status, 200, replies.text);
    const { inboundUrl } = (await admin(server, "GET", `/admin/carriers/${carrier}`)).json.data;
    const says = async (text, id) => {
      const about = new URLSearchParams({ from: phone, to: shop.line, text, id });
      const answer = await fetch(`${inboundUrl}&${about}`);
      assert.deepEqual([answer.status, await answer.text()], [200, ""]);
    };
    await says("لغو ۱۱", "1");
    await until(() => gateway.requests.length === 1, { what: "the confirmation" });
    const [{ from, to, text, "dlr-url": address }] = gateway.requests;
    assert.deepEqual([from, to, text], [shop.line, phone, confirmation]);
    // The gateway hands it over again, and the phone says it again.
    await says("لغو ۱۱", "1");
    await says("STOP", "2");
    const messages = await all(server, shop.key, "/messages");
    assert.deepEqual(
      messages.map(({ type, message, cost }) => [type, message, cost]),
      [["PLAIN", confirmation, 1_000]],
    );
    const refused = await send(server, shop.key, [phone]);
    assert.deepEqual([refused.status, refused.json.code], [422, 3016], refused.text);
    const handed = () => statusesOf(server, shop, [messages[0].uid]);
    await until(async () => (await handed()).get(phone) === "SUBMITTED", { what: "the handover" });
    assert.equal((await report(address, "1")).status, 200);
    const statuses = await settled(server, shop, [messages[0].uid]);
    assert.deepEqual(tally(statuses), { DELIVERED: 1 });
    await assertOnceAndPaid(server, shop, statuses, { [phone.slice(1)]: { taken: gateway.requests.length } });
  },
);

gatewayTest(
  "a report address that is forged, altered, expired or another carrier's is refused and logged; a replayed one changes nothing and is logged",
  async ({ gateway, carrier, shop }) => {
    const other = await httpCarrier(server, gateway);
    const text = "a secret text";
    const uids = await sendTexts(
      server,
      shop,
      numbers(2, 5_000).map((number) => [number, text]),
    );
    await until(() => gateway.requests.length === 2, { what: "both requests" });
    const handed = () => statusesOf(server, shop, uids);
    await until(async () => [...(await handed()).values()].every((status) => status === "SUBMITTED"));
    const [{ "dlr-url": address, to }, { "dlr-url": second }] = gateway.requests;
    const token = new URL(address).searchParams.get("t");
    const secret = secretKey(server.stateDir);
    const { named, account, addresses, message, index, endsS } = readToken(token);
    assert.equal(signed(secret, carrier, named), token, "the test makes the tokens that Peyk makes");
    assert.equal(account, shop.id);
    const week = 7 * 24 * 60 * 60;
    assert.ok(Math.abs(endsS - week - Date.now() / 1_000) < week / 2, "it ends after a week");
    const namedUntil = (seconds) => nameRecipient({ account, addresses, message, index, endsS: seconds });
    const nowS = Math.floor(Date.now() / 1_000);
    const flipped = Buffer.from(named);
    flipped[flipped.length - 8] ^= 1;
    const forged = "the address of a report is not one that was given out";
    const tooOld = "the address of a report is too old";
    const bad = [
      ["altered", carrier, Buffer.concat([flipped, tagOf(token)]).toString("base64url"), forged],
      [
        "with a longer life",
        carrier,
        Buffer.concat([namedUntil(endsS + 1), tagOf(token)]).toString("base64url"),
        forged,
      ],
      ["with no tag", carrier, named.toString("base64url"), forged],
      ["of another key", carrier, signed(randomBytes(32).toString("base64"), carrier, named), forged],
      ["for another purpose", carrier, signed(secret, carrier, named, "peyk inbound address"), forged],
      ["of another carrier", other, token, forged],
      ["empty", carrier, "", forged],
      ["much too long", carrier, "x".repeat(5_000), forged],
      ["expired", carrier, signed(secret, carrier, namedUntil(nowS - 1)), tooOld],
      ["expired long ago", carrier, signed(secret, carrier, namedUntil(1)), tooOld],
    ];
    const begin = server.log().length;
    for (const [what, name, wrong] of bad) {
      const answer = await report(address.replace(carrier, name).replace(token, wrong), "1");
      assert.equal(answer.status, 403, what);
    }
    const kinds = [
      ["warning", carrier, forged],
      ["warning", other, forged],
      ["warning", carrier, tooOld],
    ];
    await until(() => kindsOf(begin).length === kinds.length, { what: "the lines of the log" });
    assert.deepEqual(kindsOf(begin), kinds);
    const said = server.log().slice(begin);
    const secrets = [to, text, secret, token, ...bad.map(([, , wrong]) => wrong)].filter((word) => word !== "");
    for (const word of secrets) assert.ok(!said.includes(word), `the log has ${word}`);
    assert.deepEqual(tally(await handed()), { SUBMITTED: 2 }, "nothing has changed");
    // A token that the test has signed for later is as good as Peyk's own.
    assert.equal(
      (await report(address.replace(token, signed(secret, carrier, namedUntil(nowS + week))), "1")).status,
      200,
    );
    // Later and repeated reports come too late. The gateway gets its 200, or it would repeat them again.
    const replays = ["2", "1", "16"];
    for (const status of replays) assert.equal((await report(address, status)).status, 200);
    const isRepeat = ([, , cause]) => cause.startsWith("the report is a repeat");
    await until(() => kindsOf(begin).some(isRepeat), { what: "a line about the repeats" });
    assert.equal((await report(second, "2")).status, 200);
    const statuses = await settled(server, shop, uids);
    for (const [number, status] of statuses)
      assert.equal(status, number.endsWith(to.slice(-9)) ? "DELIVERED" : "UNDELIVERED");
    const { json } = await api(server, "GET", `/messages/${uids[0]}`, { key: shop.key });
    assert.deepEqual(json.data.counts, { DELIVERED: 1, UNDELIVERED: 1 });
    const others = kindsOf(begin).filter((kind) => !isRepeat(kind));
    assert.deepEqual(others, kinds, "a report that counts is no refusal");
  },
);
