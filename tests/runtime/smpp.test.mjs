// SMPP on the real runtime, against an SMSC that stands on the npm package `smpp`: many messages, and every fault that
// needs a real connection. The SMSC's own count says what it was sent.
import assert from "node:assert/strict";
import { changeCarrier, healthOf, numbers, sendTexts, settled, statusesOf, tally } from "../support/carriers.mjs";
import { unusualForms } from "../support/peers/receipts.mjs";
import { smppTests } from "../support/peers/smsc-tests.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { admin, assertLedgerAddsUp } from "../support/shop.mjs";

const server = sharedServer();

const { smppTest, texts, sendAndSettle, assertAllDelivered } = smppTests(server);

const persian = (index) =>
  `${index} پیک پیام شما را می‌رساند 😀 `
    .repeat(20)
    .slice(0, 5 * 67 - 10)
    .toWellFormed();

/** One text of each kind, and the parts that it has. */
function mixed(index) {
  if (index % 50 === 0) return [persian(index), 5];
  return index % 2 ? [`code {${index}} [€]`, 1] : [`کد ورود شما: ${index}`, 1];
}

smppTest(
  "ten thousand messages arrive once each, as they were written, and are delivered",
  {},
  async ({ smsc, shop }) => {
    const count = 10_000;
    const wanted = numbers(count).map((number, index) => [number, ...mixed(index)]);
    // A hundred answers open the window.
    await smsc.set({ rules: [{ skip: 100, times: 50, answer: "hold" }] });
    const uids = await sendTexts(
      server,
      shop,
      wanted.map(([number, text]) => [number, text]),
    );
    // The window is used, and not more than that. It is filled again when a quarter of it is free.
    await until(async () => (await smsc.stats()).held >= 38, { what: "a full window" });
    assert.ok((await smsc.stats()).submits <= 150);
    await smsc.set({ rules: [] });
    await smsc.release();
    const statuses = await settled(server, shop, uids);
    assert.deepEqual(tally(statuses), { DELIVERED: count });
    const { mostUnanswered, unfinished, submits, taken } = await smsc.stats();
    assert.ok(mostUnanswered >= 38 && mostUnanswered <= 50, `${mostUnanswered}`);
    assert.deepEqual(unfinished, []);
    const parts = wanted.reduce((sum, [, , parts]) => sum + parts, 0);
    assert.deepEqual([submits, taken], [parts, parts]);
    const arrived = new Map((await smsc.messages()).map((message) => [`+${message.to}`, message]));
    assert.equal(arrived.size, count);
    for (const [number, text, parts] of wanted) {
      const message = arrived.get(number);
      assert.deepEqual([message.text, message.parts, message.from], [text, parts, shop.line]);
    }
    const { spent, locked } = await assertLedgerAddsUp(server, shop.key);
    assert.deepEqual([spent, locked], [parts * 1_000, 0]);
  },
);

for (const [longMessages, how] of [
  ["SAR", "SAR"],
  ["PAYLOAD", "PAYLOAD"],
])
  smppTest(`long messages travel by ${longMessages}`, { carrier: { longMessages } }, async ({ smsc, shop }) => {
    const [number] = numbers(1);
    const text = persian(7);
    const uids = await sendTexts(server, shop, [[number, text]]);
    assert.deepEqual(tally(await settled(server, shop, uids)), { DELIVERED: 1 });
    const [message] = await smsc.messages();
    assert.deepEqual([message.text, message.how], [text, how]);
  });

smppTest(
  "an account on hold in the middle of its campaign: nothing more leaves, and what is canceled then never does",
  { carrier: { throughputPerSecond: 40 } },
  async ({ smsc, shop }) => {
    const count = 400;
    const hold = async (on) => {
      const answer = await admin(server, "PATCH", `/admin/accounts/${shop.id}`, { hold: on });
      assert.deepEqual([answer.status, answer.json.data.hold], [200, on], answer.text);
    };
    const uids = await sendTexts(
      server,
      shop,
      numbers(count).map((number) => [number, "campaign"]),
    );
    await until(async () => (await smsc.stats()).taken >= 20, { what: "the beginning of the campaign" });
    await hold(true);
    // What the SMSC has been sent is answered and reported; all others wait.
    const isAtRest = async () => {
      const { DELIVERED = 0, QUEUED = 0 } = tally(await statusesOf(server, shop, uids));
      return DELIVERED + QUEUED === count && DELIVERED === (await smsc.stats()).taken;
    };
    await until(isAtRest, { what: "the end of what has left" });
    const { taken } = await smsc.stats();
    assert.ok(taken >= 20 && taken < count, `${taken}`);
    const [late] = await sendTexts(server, shop, [[numbers(1, 5_000)[0], "during the hold"]]);
    const canceled = await admin(server, "POST", `/admin/accounts/${shop.id}/cancel`);
    assert.equal(canceled.status, 200, canceled.text);
    assert.deepEqual(canceled.json.data, { canceled: count - taken + 1, withCarriers: 0, complete: true });
    await hold(false);
    const [next] = await sendTexts(server, shop, [[numbers(1, 6_000)[0], "after the hold"]]);
    assert.deepEqual(tally(await settled(server, shop, [next])), { DELIVERED: 1 });
    assert.equal((await smsc.stats()).taken, taken + 1);
    const statuses = await statusesOf(server, shop, [...uids, late]);
    assert.deepEqual(tally(statuses), { DELIVERED: taken, CANCELED: count - taken + 1 });
    const { spent, locked } = await assertLedgerAddsUp(server, shop.key);
    assert.deepEqual([spent, locked], [(taken + 1) * 1_000, 0]);
  },
);

smppTest("a long message whose one part is not delivered is not delivered", {}, async ({ smsc, shop }) => {
  await smsc.set({ rules: [{ skip: 2, times: 1, receipts: { state: "UNDELIV" } }] });
  const uids = await sendTexts(server, shop, [[numbers(1)[0], persian(1)]]);
  assert.deepEqual(tally(await settled(server, shop, uids)), { UNDELIVERED: 1 });
});

for (const status of ["ESME_RBINDFAIL", "ESME_RALYBND"])
  smppTest(
    `binds that are refused with ${status} cost time and nothing else`,
    { smsc: { binds: { status, times: 2 } } },
    async (peers) => {
      await assertAllDelivered(peers, 30);
      assert.equal((await peers.smsc.stats()).bindsRefused, 2);
    },
  );

smppTest(
  "with a wrong password nothing leaves, and with the right one everything",
  { carrier: { password: "wrong" } },
  async (peers) => {
    await assertAllDelivered(peers, 30, async () => {
      await until(async () => (await peers.smsc.stats()).bindsRefused > 0, { what: "a refused bind" });
      await until(async () => (await healthOf(server, peers.carrier)).lastError !== null, { what: "the error" });
      assert.equal((await peers.smsc.stats()).submits, 0);
      await changeCarrier(server, peers.carrier, { smpp: { password: "secret" } });
    });
  },
);

smppTest("a peer that closes mid-window: what it may have is UNKNOWN, the rest is sent", {}, async (peers) => {
  await peers.smsc.set({
    rules: [
      // The window is open by then.
      { skip: 139, times: 1, answer: "drop", next: "close" },
      { skip: 100, times: 39, answer: "hold" },
    ],
  });
  const statuses = await sendAndSettle(peers, 300);
  const submits = await peers.smsc.submits();
  const held = submits.slice(100, 139).map(({ to }) => `+${to}`);
  for (const number of held) assert.equal(statuses.get(number), "UNKNOWN", number);
  // The answer of the one with which it closed is lost, its report is not.
  assert.equal(statuses.get(`+${submits[139].to}`), "DELIVERED");
  const { UNKNOWN = 0, DELIVERED = 0 } = tally(statuses);
  assert.equal(DELIVERED, 300 - UNKNOWN);
  // The window has room for this many that were written and not read.
  const unread = 10;
  assert.ok(UNKNOWN <= held.length + unread, `${UNKNOWN} are UNKNOWN`);
  assert.ok(submits.length >= 300 - unread);
});

for (const status of ["ESME_RTHROTTLED", "ESME_RMSGQFUL"])
  smppTest(`${status} is a reason to wait, not an ending`, {}, async (peers) => {
    await peers.smsc.set({ rules: [{ times: 20, status }] });
    await assertAllDelivered(peers, 100);
    assert.ok((await peers.smsc.stats()).submits > 100);
  });

smppTest("what a carrier refuses for good is REJECTED and not sent again", {}, async (peers) => {
  await peers.smsc.set({ rules: [{ to: "7$", status: "ESME_RINVDSTADR" }] });
  assert.deepEqual(tally(await sendAndSettle(peers, 50)), { DELIVERED: 45, REJECTED: 5 });
  assert.equal((await peers.smsc.stats()).submits, 50);
});

smppTest("a lost answer makes its recipient UNKNOWN, and no other", {}, async (peers) => {
  await peers.smsc.set({ rules: [{ to: "7$", answer: "drop", receipts: null }] });
  const statuses = await sendAndSettle(peers, 50);
  for (const [number, status] of statuses) assert.equal(status, number.endsWith("7") ? "UNKNOWN" : "DELIVERED", number);
});

smppTest("a recipient whose answer is lost ends as its receipt says", {}, async (peers) => {
  await peers.smsc.set({ rules: [{ to: "7$", answer: "drop", receipts: { state: "UNDELIV" } }] });
  const statuses = await sendAndSettle(peers, 50);
  for (const [number, status] of statuses)
    assert.equal(status, number.endsWith("7") ? "UNDELIVERED" : "DELIVERED", number);
});

smppTest("late answers, and answers in reverse order, belong to their submits", {}, async (peers) => {
  const states = { 3: "UNDELIV", 5: "EXPIRED" };
  const held = Object.entries(states).map(([digit, state]) => ({
    to: `${digit}$`,
    skip: 10,
    answer: "hold",
    receipts: { state },
  }));
  // A hundred answers open the window. It is filled again when a quarter of it is free: 38 may be all.
  await peers.smsc.set({ rules: [...held, { skip: 100, answer: "hold" }] });
  const statuses = await sendAndSettle(peers, 138, async () => {
    await until(async () => (await peers.smsc.stats()).held === 38, { what: "a full window" });
    await peers.smsc.release("reversed");
  });
  const expected = { 3: "UNDELIVERED", 5: "EXPIRED" };
  const isHeld = (number) => Number(number.slice(-7)) >= 100;
  for (const [number, status] of statuses)
    assert.equal(status, (isHeld(number) && expected[number.at(-1)]) || "DELIVERED", number);
});

smppTest("an unknown command is refused, and the session goes on", {}, async (peers) => {
  await assertAllDelivered(peers, 10, async () => {
    await until(async () => (await peers.smsc.stats()).bound === 1, { what: "the bind" });
    await peers.smsc.raw("000000100000fade0000000000000001");
    await until(async () => (await peers.smsc.stats()).nacks === 1, { what: "a generic_nack" });
  });
  assert.equal((await peers.smsc.stats()).binds, 1);
});

for (const [what, octets] of [
  ["a length that is too large", "7fffffff000000150000000000000001"],
  ["a length that is too small", "00000003"],
  ["garbage", "deadbeefdeadbeefdeadbeefdeadbeef"],
])
  smppTest(`after ${what} Peyk binds anew`, {}, async (peers) => {
    await assertAllDelivered(peers, 5);
    await peers.smsc.raw(octets);
    const uids = await sendTexts(server, peers.shop, texts(5, 1_000));
    assert.deepEqual(tally(await settled(server, peers.shop, uids)), { DELIVERED: 5 });
    await until(async () => (await peers.smsc.stats()).binds === 2, { what: "a second bind" });
  });

smppTest("a peer that is silent on enquire_link is left, and bound to anew", {}, async (peers) => {
  await assertAllDelivered(peers, 5);
  await peers.smsc.set({ silentLinks: true });
  await until(async () => (await peers.smsc.stats()).binds === 2, { interval: 1_000, what: "a second bind" });
  assert.ok((await peers.smsc.stats()).enquiries >= 1);
});

smppTest("Peyk answers enquire_link", {}, async (peers) => {
  await assertAllDelivered(peers, 5);
  await peers.smsc.enquire();
  await peers.smsc.enquire();
  const uids = await sendTexts(server, peers.shop, texts(5, 1_000));
  assert.deepEqual(tally(await settled(server, peers.shop, uids)), { DELIVERED: 5 });
  assert.equal((await peers.smsc.stats()).binds, 1);
});

smppTest("a peer that unbinds is bound to anew", {}, async (peers) => {
  await peers.smsc.set({ rules: [{ skip: 9, times: 1, next: "unbind" }] });
  const statuses = await sendAndSettle(peers, 200);
  const { UNKNOWN = 0, DELIVERED = 0 } = tally(statuses);
  assert.equal(DELIVERED + UNKNOWN, 200);
  assert.ok(UNKNOWN <= 50);
  assert.ok((await peers.smsc.stats()).binds >= 2);
});

smppTest("reports before the answers, twice, and for unknown ids change nothing twice", {}, async (peers) => {
  await peers.smsc.set({ receipts: { when: "before", times: 2, state: "DELIVRD", where: "both" } });
  await assertAllDelivered(peers, 100, async () => {
    await peers.smsc.receipt({ id: "no-such-id", from: peers.shop.line, to: "989129999999", state: "UNDELIV" });
  });
  await until(async () => (await peers.smsc.stats()).deliveries.acknowledged === 201, { what: "all acknowledgements" });
});

for (const [ids, receiptIds, reportIds] of [
  ["decimal", "hex", "HEX"],
  ["hex", "decimal", "HEX"],
  ["zeros", "zeros", "AS_IS"],
  ["zeros", "decimal", "DECIMAL"],
  ["hex", "smallHex", "AS_IS"],
])
  smppTest(
    `reports find their recipients: ids are ${ids} in answers, ${receiptIds} in reports`,
    { smsc: { ids, receiptIds, firstId: 0xbeef }, carrier: { reportIds } },
    (peers) => assertAllDelivered(peers, 20),
  );

for (const where of ["text", "tlv"])
  smppTest(`a report is read that has its facts only in the ${where}`, {}, async (peers) => {
    await peers.smsc.set({
      receipts: { where, state: "DELIVRD" },
      rules: [{ to: "7$", receipts: { state: "UNDELIV" } }],
    });
    assert.deepEqual(tally(await sendAndSettle(peers, 20)), { DELIVERED: 18, UNDELIVERED: 2 });
  });

smppTest("a report is read however it is written, and none is a message from a phone", {}, async ({ smsc, shop }) => {
  const tied = await admin(server, "PUT", `/admin/lines/${shop.line}/inbound`, { account: shop.id });
  assert.equal(tied.status, 200, tied.text);
  for (const [index, [name, form]] of Object.entries(unusualForms).entries()) {
    await smsc.set({ receipts: { ...form, state: "DELIVRD" }, rules: [{ to: "7$", receipts: { state: "UNDELIV" } }] });
    const uids = await sendTexts(server, shop, texts(10, 100 * index));
    assert.deepEqual(tally(await settled(server, shop, uids)), { DELIVERED: 9, UNDELIVERED: 1 }, name);
  }
  await until(async () => (await smsc.stats()).owed === 0, { what: "all acknowledgements" });
  await smsc.inbound({ from: "989121234567", to: shop.line, text: "id: a number that I forgot, stat: none" });
  const list = async () => (await api(server, "GET", "/inbound", { key: shop.key })).json.data;
  await until(async () => (await list()).length > 0, { what: "the message" });
  assert.deepEqual(
    (await list()).map(({ text }) => text),
    ["id: a number that I forgot, stat: none"],
  );
});

for (const [parts, partReports] of [
  ["first", "FIRST"],
  ["last", "LAST"],
  ["last", "ANY"],
])
  smppTest(
    `a long message of which the ${parts} part has a report ends with it (${partReports})`,
    { carrier: { partReports } },
    async ({ smsc, carrier, shop }) => {
      const receipts = { where: "both", parts };
      await smsc.set({
        receipts: { ...receipts, state: "DELIVRD" },
        rules: [{ to: "7$", receipts: { state: "UNDELIV" } }],
      });
      const wanted = numbers(10).map((number) => [number, persian(1)]);
      const uids = await sendTexts(server, shop, wanted);
      assert.deepEqual(tally(await settled(server, shop, uids)), { DELIVERED: 9, UNDELIVERED: 1 });
      assert.equal((await healthOf(server, carrier)).partReports, partReports);
    },
  );

smppTest("messages from phones are acknowledged and listed, long ones as one", {}, async ({ smsc, shop }) => {
  const tied = await admin(server, "PUT", `/admin/lines/${shop.line}/inbound`, { account: shop.id });
  assert.equal(tied.status, 200, tied.text);
  await sendTexts(server, shop, texts(1));
  await until(async () => (await smsc.stats()).bound === 1, { what: "the bind" });
  const sent = ["Hello", "سلام 😀", persian(3)];
  for (const [reference, text] of sent.entries())
    await smsc.inbound({ from: "989121234567", to: shop.line, text, reference });
  // A reference may have one octet, though the protocol has two.
  const pieces = ["in two ", "parts"];
  for (const [index, text] of pieces.entries())
    await smsc.deliver({
      ...{ source_addr: "989121234567", destination_addr: shop.line, short_message: Buffer.from(text).toString("hex") },
      ...{ sar_msg_ref_octet: 9, sar_total_segments: pieces.length, sar_segment_seqnum: index + 1 },
    });
  sent.push(pieces.join(""));
  // A short page has whole texts.
  const list = async () => (await api(server, "GET", "/inbound?limit=20", { key: shop.key })).json.data;
  await until(async () => (await list()).length === sent.length, { what: "the messages" });
  const listed = await list();
  assert.deepEqual(listed.map(({ text }) => text).toSorted(), sent.toSorted());
  for (const { from, line } of listed) assert.deepEqual([from, line], ["+989121234567", shop.line]);
});

smppTest(
  "a carrier has as many sessions as it is told to, also after a change",
  { carrier: { binds: 3 } },
  async (peers) => {
    const hasSessions = (count) =>
      until(async () => (await peers.smsc.stats()).bound === count, { what: `${count} sessions` });
    await assertAllDelivered(peers, 500);
    await hasSessions(3);
    assert.equal((await peers.smsc.stats()).binds, 3);
    await changeCarrier(server, peers.carrier, { smpp: { binds: 1 } });
    await hasSessions(1);
  },
);
