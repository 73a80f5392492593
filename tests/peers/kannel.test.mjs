// Kannel's SMPP client, which carries real traffic, against our SMSC: what Kannel sends is read right, and Kannel
// understands what our SMSC answers, reports and brings from phones.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, afterEach, before, test } from "node:test";
import { startKannel } from "../support/peers/kannel.mjs";
import { startSmscProcess } from "../support/peers/smsc-process.mjs";
import { until } from "../support/server.mjs";

const heard = [];
const listener = createServer((request, response) => {
  heard.push(new URL(request.url, "http://localhost"));
  response.end();
});
let smsc;
let kannel;

before(async () => {
  await new Promise((resolve) => listener.listen(0, "127.0.0.1", resolve));
  smsc = await startSmscProcess({ ids: "zeros" });
  kannel = await startKannel({
    smsc: { port: smsc.port },
    inboundUrl: `${address()}/inbound?from=%p&to=%P&text=%b&charset=%C`,
  });
});

afterEach(({ name, passed }) => {
  if (!passed) console.log(`The end of Kannel's log after "${name}":\n${kannel?.log().slice(-8_000)}`);
});

after(async () => {
  await kannel?.stop();
  await smsc?.stop();
  listener.close();
  listener.closeAllConnections();
});

const address = () => `http://127.0.0.1:${listener.address().port}`;
const heardOf = (path) => heard.filter(({ pathname }) => pathname === path).map(({ searchParams }) => searchParams);

async function send(to, text, coding) {
  const answer = await kannel.send({
    ...{ from: "10001", to: `+${to}`, text, coding, charset: "UTF-8" },
    ...{ "dlr-mask": 31, "dlr-url": `${address()}/dlr/${to}?status=%d&reply=%A` },
  });
  assert.deepEqual(answer, { status: 202, text: "0: Accepted for delivery" });
}

async function arrived(to) {
  const found = () => smsc.messages().then((messages) => messages.find((message) => message.to === to));
  const { n, ...message } = await until(found, { what: `a message to ${to}` });
  return message;
}

const statusesOf = (to) => heardOf(`/dlr/${to}`).map((parameters) => Number(parameters.get("status")));

const persian = "پیک پیام شما را می‌رساند 😀 ".repeat(11);
const texts = {
  "GSM-7": { to: "989120000001", text: "Hello @ £ _ Δ {[~]} \\ | ^ € ñ", coding: 0, parts: 1, how: "PLAIN" },
  "UCS-2": { to: "989120000002", text: "سلام، کد شما ۴۸۲۱۳ است", coding: 2, parts: 1, how: "PLAIN" },
  "long GSM-7": { to: "989120000003", text: "0123456789".repeat(40), coding: 0, parts: 3, how: "UDH" },
  "long Persian": { to: "989120000004", text: persian, coding: 2, parts: 5, how: "UDH" },
};

for (const [name, { to, text, coding, parts, how }] of Object.entries(texts))
  test(`a ${name} text from Kannel is read right, and its receipt comes to Kannel's dlr-url`, async () => {
    await send(to, text, coding);
    assert.deepEqual(await arrived(to), { from: "10001", to, text, parts, how, dataCoding: coding === 2 ? 8 : 0 });
    // 8 is Kannel's "accepted by the SMSC", 1 is "delivered".
    await until(() => statusesOf(to).includes(1) && statusesOf(to).includes(8), { what: "the receipt" });
  });

test("Kannel reads receipts in the text or in TLVs, of every ending", async () => {
  const endings = [
    ["text", "DELIVRD", 1],
    ["both", "UNDELIV", 2],
    // Kannel adds 32 to 2, "not delivered", when the message has expired.
    ["both", "EXPIRED", 34],
    ["text", "REJECTD", 2],
    ["both", "DELIVRD", 1],
  ];
  for (const [index, [where, state, status]] of endings.entries()) {
    const to = `98913000000${index}`;
    await smsc.set({ receipts: { state, where, error: "012", when: "after" } });
    await send(to, "hi", 0);
    await until(() => statusesOf(to).some((other) => other !== 8), { what: `the receipt of ${state}` });
    assert.deepEqual(statusesOf(to).at(-1), status, `${where} ${state}`);
  }
});

test("Kannel does not send again what our SMSC has taken, and sends again what it throttles", async () => {
  await smsc.set({ rules: [{ to: "^989140000001$", times: 1, status: "ESME_RTHROTTLED" }] });
  await send("989140000001", "hi", 0);
  await arrived("989140000001");
  assert.deepEqual((await smsc.counts())["989140000001"], { tried: 2, taken: 1 });
  for (const { to, parts } of Object.values(texts))
    assert.deepEqual((await smsc.counts())[to], { tried: parts, taken: parts });
  const { faults, unfinished, errors } = await smsc.stats();
  assert.deepEqual([faults, unfinished, errors], [[], [], []]);
});

test("Kannel understands inbound messages, and puts the parts of a long one together", async () => {
  const sent = ["STOP", "لغو۱۱", "سلام 😀 ".repeat(20)];
  for (const [index, text] of sent.entries())
    await smsc.inbound({ from: `98915000000${index}`, to: "10001", text, reference: index });
  const came = () => heard.filter(({ pathname }) => pathname === "/inbound");
  await until(() => came().length === sent.length, { what: "the inbound messages" });
  const { deliveries } = await smsc.stats();
  assert.deepEqual([deliveries.waiting, deliveries.refused], [0, 0]);
  assert.deepEqual(
    came().map(inboundOf).toSorted(),
    sent.map((text, index) => [`+98915000000${index}`, text]),
  );
});

/** Kannel hands a text over in the octets of its character set, so the query is not UTF-8 as a whole. */
function inboundOf({ search }) {
  const fields = new Map(
    search
      .slice(1)
      .split("&")
      .map((pair) => pair.split("=")),
  );
  const octets = (name) => Buffer.from(unescape(fields.get(name).replaceAll("+", " ")), "latin1");
  const text = new TextDecoder(fields.get("charset"), { fatal: true }).decode(octets("text"));
  return [octets("from").toString(), text];
}
