// The official libraries of Twilio, unmodified, against the service: what their users see, and what our own API tells of it.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { effects, reached, watched } from "../support/doors/effects.mjs";
import { openLibrary } from "../support/doors/libraries.mjs";
import { post, shopWithPattern } from "../support/doors/shop.mjs";
import { standFor } from "../support/doors/terminator.mjs";
import { inOneForm, styles } from "../support/doors/twilio.mjs";
import { listen } from "../support/receiver.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { admin, all, assertLedgerAddsUp, issueKey, openShop, walletOf } from "../support/shop.mjs";

const money = 100_000;
const account = "AC0123456789abcdef0123456789abcdef";
const service = "MG0123456789abcdef0123456789abcdef";
const content = "HX0123456789abcdef0123456789abcdef";
const to = "+989121234567";
const libraries = {};
let doors;
const server = sharedServer(async () => {
  doors = await standFor(["api.twilio.com"], () => server.baseUrl);
  for (const name of Object.keys(styles)) libraries[name] = await openLibrary(name, doors.env);
});
after(async () => {
  for (const library of Object.values(libraries)) await library.close();
  await doors?.stop();
});

const clientOf = (key) => ["SK0123456789abcdef0123456789abcdef", key, account];

/** Calls a method as the library's user does, on a record if `sid` names one. */
const outcomeOf = (name, key, method, args, sid) => {
  const library = sid === undefined ? libraries[name] : libraries[name].on(sid);
  return library.call(clientOf(key), method, ...(args === undefined ? [] : [args]));
};

/** What a call returns that must succeed. */
async function value(name, key, method, args, sid) {
  const outcome = await outcomeOf(name, key, method, args, sid);
  assert.equal(outcome.error, undefined, `${method}: ${JSON.stringify(outcome)}`);
  return outcome.value;
}

const callsOf = (name, key) => ({
  call: (method, args) => value(name, key, method, args),
  on: (sid, method, args) => value(name, key, method, args, sid),
});

const posted = (...asked) => post(server, ...asked);
const openShopWithPattern = () => shopWithPattern(server, money, content, "code %_1% for %name%");

/** A shop whose events come to a receiver. */
const watchedShop = async () => watched(server, await openShopWithPattern());

const later = () => new Date(Math.floor(Date.now() / 1_000) * 1_000 + 86_400_000);

/** The members of a record, without the times, the ids and the addresses. */
function told(record) {
  const { sid, uri, subresourceUris, dateCreated, dateUpdated, dateSent, ...rest } = inOneForm(record);
  assert.match(sid, /^SM[0-9a-f]{32}$/);
  assert.equal(uri, `/2010-04-01/Accounts/${account}/Messages/${sid}.json`);
  assert.equal(subresourceUris.media, uri.replace(".json", "/Media.json"));
  for (const time of [dateCreated, dateUpdated]) assert.ok(Math.abs(Date.parse(time) - Date.now()) < 3_600_000, time);
  assert.equal(dateSent, rest.price === null ? null : dateUpdated);
  return rest;
}

const record = (more) => ({
  body: "سلام دنیا",
  numSegments: "1",
  direction: "outbound-api",
  from: server.line,
  to,
  price: null,
  priceUnit: "IRR",
  errorCode: null,
  errorMessage: null,
  accountSid: account,
  numMedia: "0",
  status: "queued",
  messagingServiceSid: null,
  apiVersion: "2010-04-01",
  ...more,
});
const sidsOf = (records) => records.map(({ sid }) => sid);

for (const name of Object.keys(styles)) {
  /** Waits until a message has this status. Returns the record. */
  const reaches = (key, sid, status) =>
    until(
      async () => {
        const found = await value(name, key, "messages.fetch", undefined, sid);
        return found.status === status ? found : null;
      },
      { what: `the status ${status} of ${sid}` },
    );

  test(`${name}: each call that the service has`, async () => {
    const { key } = await openShopWithPattern();
    const { call, on } = callsOf(name, key);
    const balance = async () => {
      const { accountSid, balance, currency } = await call("balance.fetch");
      assert.deepEqual([accountSid, currency], [account, "IRR"]);
      return Number(balance);
    };
    assert.equal(await balance(), money);

    const plain = await call("messages.create", { to, from: `+${server.line}`, body: "سلام دنیا" });
    assert.deepEqual(told(plain), record({}));
    const arrived = await reaches(key, plain.sid, "delivered");
    assert.deepEqual(told(arrived), record({ status: "delivered", price: "-1000" }));

    const filled = await call("messages.create", {
      to,
      messagingServiceSid: service,
      contentSid: content,
      contentVariables: JSON.stringify({ 1: "48213", name: "Ali" }),
    });
    assert.deepEqual(told(filled), record({ body: "", status: "accepted", messagingServiceSid: service }));
    assert.equal((await reaches(key, filled.sid, "delivered")).body, "code 48213 for Ali");

    const bad = [];
    for (const [number, status, code] of [
      ["+989121230901", "failed", 30_004],
      ["+989121230902", "undelivered", 30_008],
      ["+989121230903", "undelivered", 30_003],
    ]) {
      const { sid } = await call("messages.create", { to: number, from: server.line, body: "x" });
      const { errorCode } = await reaches(key, sid, status);
      assert.equal(errorCode, code, number);
      bad.push(sid);
    }

    const at = later();
    const plan = {
      to,
      messagingServiceSid: service,
      body: "later",
      scheduleType: "fixed",
      sendAt: { date: at.toISOString() },
    };
    const planned = await call("messages.create", plan);
    assert.deepEqual(told(planned), record({ body: "later", status: "scheduled", messagingServiceSid: service }));
    const found = await all(server, key, "/messages?status=SCHEDULED");
    assert.deepEqual(
      found.map(({ sendAt, uid }) => [Date.parse(sendAt), `SM${uid.replaceAll("-", "")}`]),
      [[at.getTime(), planned.sid]],
    );
    assert.equal((await walletOf(server, key)).lockedBalance, 1_000);
    const canceled = await on(planned.sid, "messages.update", { status: "canceled" });
    assert.deepEqual(told(canceled), record({ body: "later", status: "canceled" }));
    const dropped = await call("messages.create", plan);
    assert.equal(await on(dropped.sid, "messages.remove"), true);
    assert.equal((await on(dropped.sid, "messages.fetch")).status, "canceled");

    // The list: whole, narrowed, and page by page.
    const sids = [dropped.sid, planned.sid, ...bad.reverse(), filled.sid, plain.sid];
    const listed = await call("messages.list");
    assert.deepEqual(sidsOf(listed), sids);
    assert.deepEqual(inOneForm(listed.at(-1)), inOneForm(await on(plain.sid, "messages.fetch")));
    assert.deepEqual(sidsOf(await call("messages.list", { pageSize: 2 })), sids);
    assert.deepEqual(sidsOf(await call("messages.list", { limit: 3 })), sids.slice(0, 3));
    assert.deepEqual(sidsOf(await call("messages.list", { to: "+989121230901", from: server.line })), [bad[2]]);
    const hour = 3_600_000;
    const time = (ms) => ({ date: new Date(Math.floor((Date.now() + ms) / 1_000) * 1_000).toISOString() });
    const span = { dateSentAfter: time(-hour), dateSentBefore: time(hour) };
    assert.deepEqual(sidsOf(await call("messages.list", span)), sids);
    assert.deepEqual(await call("messages.list", { dateSentAfter: time(hour) }), []);
    const first = await call("messages.page", { to, pageSize: 3 });
    const second = await call("messages.getPage", first.nextPageUrl);
    assert.equal(second.nextPageUrl ?? null, null);
    const ours = sids.filter((sid) => !bad.includes(sid));
    assert.deepEqual([sidsOf(first.instances), sidsOf(second.instances)], [ours.slice(0, 3), ours.slice(3)]);

    // The effects, as our own API tells them.
    const messages = await all(server, key, "/messages");
    assert.deepEqual(
      messages.map(({ uid, type, recipientCount, status }) => [uid, type, recipientCount, status]),
      sids.map((sid, index) => [
        sid.replace(/^SM(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
        sid === filled.sid ? "PATTERN" : "PLAIN",
        1,
        index < 2 ? "CANCELED" : "DONE",
      ]),
    );
    const { available, locked, spent } = await assertLedgerAddsUp(server, key);
    assert.deepEqual({ available, locked, spent }, { available: money - 4_000, locked: 0, spent: 4_000 });
    assert.equal(await balance(), available);
  });

  test(`${name}: each error as its user sees it, and nothing is sent`, async () => {
    const { id, key } = await openShopWithPattern();
    const poor = await openShop(server, 0);
    const slow = await openShop(server, money, { rateLimit: { limit: 1, windowSeconds: 3_600, burst: 1 } });
    const { key: blind } = await issueKey(server, id, { scopes: ["phonebook"] });
    const style = styles[name];
    const good = { to, from: server.line, body: "x" };
    const refused = async (status, code, text, method, args, { by = key, sid, cause } = {}) => {
      const { error } = await outcomeOf(name, by, method, args, sid);
      assert.ok(error, `${method} ${JSON.stringify(args)} is refused`);
      const seen = style.refusal(error);
      const word = method.split(".")[1];
      assert.deepEqual(
        { ...seen, details: seen.details?.code },
        {
          name: style.name,
          status,
          code,
          text: style.textOf(word === "remove" ? "delete" : word, text),
          details: cause,
        },
        `${method} ${JSON.stringify(args)}`,
      );
    };
    const create = (status, code, text, args, more) =>
      refused(status, code, text, "messages.create", { ...good, ...args }, more);
    const none = `SM${"0".repeat(32)}`;
    const missing = `The requested resource /2010-04-01/Accounts/${account}/Messages/${none}.json was not found`;
    const notYours = "is not a valid, SMS-capable inbound phone number or short code for your account.";

    await create(401, 20_003, "Authenticate", {}, { by: "wrong", cause: 401 });
    await create(400, 21_211, "The 'To' number 12 is not a valid phone number.", { to: "12" }, { cause: 422 });
    const abroad =
      "Permission to send an SMS has not been enabled for the region indicated by the 'To' number: +971501234567.";
    await create(400, 21_408, abroad, { to: "+971501234567" }, { cause: 3017 });
    await create(400, 21_606, `The From phone number +99999 ${notYours}`, { from: "+99999" }, { cause: 3012 });
    const sender = "The 'From' number Shop is not a valid phone number, shortcode, or alphanumeric sender ID.";
    await create(400, 21_212, sender, { from: "Shop" });
    await create(400, 21_602, "Message body is required.", { body: "" });
    const long = "The concatenated message body exceeds the character limit.";
    await create(400, 21_617, long, { body: "x".repeat(2_000) }, { cause: 422 });
    await refused(400, 21_603, "A 'From' phone number is required.", "messages.create", { to, body: "x" });
    const url = "https://10.0.0.1/x";
    await create(400, 21_609, `Invalid 'StatusCallback' url: ${url}`, { statusCallback: url }, { cause: 422 });
    await create(400, 21_620, "The service sends no media.", { mediaUrl: [url] });
    const planned = { scheduleType: "fixed", messagingServiceSid: service };
    await create(400, 35_111, "SendAt is required to schedule a message", planned);
    const at = { date: later().toISOString() };
    const noService = "MessagingServiceSid is required to schedule a message";
    await create(400, 35_118, noService, { scheduleType: "fixed", sendAt: at });
    const notInTime = "SendAt is not a time to come within the limits of the service";
    const past = { date: "2020-01-01T00:00:00Z" };
    await create(400, 35_114, notInTime, { ...planned, sendAt: past }, { cause: 422 });
    await create(400, 35_126, "ScheduleType must be 'fixed', and there with SendAt", { sendAt: at });
    const variables = "The ContentVariables Parameter is invalid";
    await create(400, 21_656, variables, { contentSid: content, contentVariables: "{" });
    await refused(404, 20_404, missing, "messages.fetch", undefined, { sid: none });
    await refused(404, 20_404, missing, "messages.remove", undefined, { sid: none });
    await create(403, 20_005, "Account not active", {}, { by: poor.key, cause: 2001 });
    await value(name, slow.key, "balance.fetch");
    await create(429, 20_429, "Too Many Requests", {}, { by: slow.key, cause: 429 });
    const { error } = await outcomeOf(name, blind, "messages.create", good);
    assert.deepEqual([error.class, error.status, error.code], [style.name, 403, 20_403]);

    await posted(key, "/blacklist", { numbers: [to] });
    await create(400, 21_610, "Attempt to send to unsubscribed recipient", {}, { cause: 3016 });
    const change = async (changes) => {
      const changed = await admin(server, "PATCH", `/admin/accounts/${id}`, changes);
      assert.equal(changed.status, 200, changed.text);
    };
    await change({ dailySpend: 500 });
    const daily = "The account has exceeded its daily limit";
    await create(429, 63_038, daily, { to: "+989351234567" }, { cause: 2002 });
    await change({ dailySpend: null, status: "INACTIVE" });
    await create(403, 20_005, "Account not active", {}, { cause: 1003 });
    await change({ status: "ACTIVE" });
    assert.deepEqual(await all(server, key, "/messages"), []);
    const { available, locked, entries } = await assertLedgerAddsUp(server, key);
    assert.deepEqual([available, locked, entries.length], [money, 0, 1]);

    const sent = await value(name, key, "messages.create", { ...good, to: "+989351234567" });
    await reaches(key, sent.sid, "delivered");
    const on = { sid: sent.sid };
    await refused(409, 30_409, "This message cannot be canceled", "messages.update", { status: "canceled" }, on);
    await refused(400, 20_001, "Redaction is not supported", "messages.update", { body: "" }, on);
    const ended = "Messages that have ended are not deleted one by one.";
    await refused(403, 20_403, ended, "messages.remove", undefined, on);
  });

  test(`${name}: its validator takes what the address of a send hears`, async () => {
    const { key } = await openShop(server, money);
    const receiver = await listen(() => 204);
    try {
      const url = receiver.url("/status?order=7");
      const sent = await value(name, key, "messages.create", { to, from: server.line, body: "x", statusCallback: url });
      const statuses = () => receiver.hits.map(({ body }) => new URLSearchParams(String(body)).get("MessageStatus"));
      await until(() => statuses().includes("delivered"), { what: "the callbacks" });
      assert.deepEqual([...new Set(statuses())], ["sent", "delivered"]);
      for (const { headers, body } of receiver.hits) {
        const members = Object.fromEntries(new URLSearchParams(String(body)));
        assert.deepEqual([members.MessageSid, members.AccountSid, members.To], [sent.sid, account, to]);
        const signature = headers["x-twilio-signature"];
        const validate = (token) => libraries[name].call([], "validate", token, signature, url, members);
        assert.deepEqual(await validate(key), { value: true });
        assert.deepEqual(await validate("another key"), { value: false });
      }
    } finally {
      await receiver.close();
    }
  });

  test(`${name}: what it sends is worth the same as by our own API`, async () => {
    const [byDoor, byOwn] = [await watchedShop(), await watchedShop()];
    const { call, on } = callsOf(name, byDoor.key);
    const own = (path, body) => posted(byOwn.key, path, body);
    const both = async (theirs, ours) => {
      await theirs;
      await reached(server, byDoor);
      await ours;
      await reached(server, byOwn);
    };
    for (const number of [to, "+989121230901", "+989121230902", "+989121230903"])
      await both(
        call("messages.create", { to: number, messagingServiceSid: service, body: "سلام" }),
        own("/sms/send", { message: "سلام", recipients: [number] }),
      );
    const variables = { 1: "1", name: "a b" };
    const contentVariables = JSON.stringify(variables);
    await both(
      call("messages.create", { to, from: server.line, contentSid: content, contentVariables }),
      own("/sms/pattern", { pattern: content, recipient: to, variables: { _1: "1", name: "a b" } }),
    );
    const at = later().toISOString();
    const plan = { to, messagingServiceSid: service, body: "x", scheduleType: "fixed", sendAt: { date: at } };
    await on((await call("messages.create", plan)).sid, "messages.update", { status: "canceled" });
    const { uid } = await own("/sms/send", { message: "x", recipients: [to], sendAt: at });
    const dropped = await api(server, "DELETE", `/messages/${uid}`, { key: byOwn.key });
    assert.equal(dropped.status, 200, dropped.text);
    assert.deepEqual(await effects(server, byDoor), await effects(server, byOwn));
  });
}
