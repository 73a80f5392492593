// The official libraries of Kavenegar, unmodified, against the service: what their users see, and what our own API tells of it.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { effects, reached, watched } from "../support/doors/effects.mjs";
import { styles } from "../support/doors/kavenegar.mjs";
import { openLibrary } from "../support/doors/libraries.mjs";
import { post, shopWithPattern } from "../support/doors/shop.mjs";
import { standFor } from "../support/doors/terminator.mjs";
import { gatewaySettings, openInbox } from "../support/phones.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { admin, all, assertLedgerAddsUp, issueKey, openShop, tomorrow, walletOf } from "../support/shop.mjs";

const money = 100_000;
const secondLine = "10002";
const libraries = {};
let doors;
const server = sharedServer(async () => {
  const line = { number: secondLine, carrier: "sandbox", operations: ["WEBSERVICE", "PATTERN"], shared: true };
  const made = await admin(server, "POST", "/admin/lines", line);
  assert.equal(made.status, 201, made.text);
  doors = await standFor(["api.kavenegar.com"], () => server.baseUrl);
  for (const name of Object.keys(styles)) libraries[name] = await openLibrary(name, doors.env);
}, gatewaySettings);
after(async () => {
  for (const library of Object.values(libraries)) await library.close();
  await doors?.stop();
});

/** Calls a method as the library's user does. */
const outcomeOf = (name, key, method, ...args) => libraries[name].call(key, styles[name].nameOf(method), ...args);

/** The entries of a call that must succeed. */
async function entries(name, key, method, ...args) {
  const outcome = await outcomeOf(name, key, method, ...args);
  const found = styles[name].entriesOf(outcome);
  assert.ok(found, `${method}: ${JSON.stringify(outcome)}`);
  assert.deepEqual(outcome, styles[name].success(found), method);
  return found;
}

const texts = {
  1: "در صف ارسال",
  2: "زمان بندی شده",
  10: "رسیده به گیرنده",
  11: "نرسیده به گیرنده",
  13: "لغو شده",
  14: "بلاک شده",
  100: "شناسه پیامک نامعتبر است",
};
const state = (messageid, status) => ({ messageid, status, statustext: texts[status] });
const idsOf = (found) => found.map(({ messageid }) => messageid);
const joined = (ids) => ids.join(",");
const seconds = () => Math.floor(Date.now() / 1000);

/** Waits until each of these has this status. */
async function reaches(name, key, ids, status) {
  const wanted = ids.map((id) => state(id, status));
  await until(
    async () => {
      const found = await entries(name, key, "sms/status", { messageid: joined(ids) });
      return JSON.stringify(found.map((entry) => entry.status)) === JSON.stringify(wanted.map((entry) => entry.status));
    },
    { what: `the status ${status} of ${ids}` },
  );
  assert.deepEqual(await entries(name, key, "sms/status", { messageid: joined(ids) }), wanted);
}

const posted = (...asked) => post(server, ...asked);
const openShopWithPattern = () => shopWithPattern(server, money, "login", "code %token% for %token10%");

/** A shop whose events come to a receiver. */
const watchedShop = async () => watched(server, await openShopWithPattern());

/** What an entry tells, without its id and the time, which must be near `now`. */
function told({ messageid, date, ...rest }) {
  assert.ok(Number.isSafeInteger(messageid) && messageid > 0, `${messageid}`);
  assert.ok(Math.abs(date - seconds()) < 3_600, `${date}`);
  return rest;
}

const entry = (receptor, text, status, sender = server.line) => ({
  message: text,
  status,
  statustext: texts[status],
  sender,
  receptor,
  cost: 1_000,
});

for (const name of Object.keys(styles)) {
  test(`${name}: each call that the service has`, async () => {
    const { id, key } = await openShopWithPattern();
    const call = (method, ...args) => entries(name, key, method, ...args);
    const begin = seconds() - 60;

    const info = await call("account/info");
    assert.deepEqual([info.remaincredit, info.type], [money, "master"]);
    assert.ok(info.expiredate > seconds());
    const config = await call("account/config", { apilogs: "justfaults" });
    assert.deepEqual([config.defaultsender, config.apilogs], [server.line, "justfaults"]);

    const pair = await call("sms/send", { receptor: "09121234567,00989351234567", message: "سلام دنیا" });
    const receptors = ["09121234567", "09351234567"];
    assert.deepEqual(
      pair.map(told),
      receptors.map((receptor) => entry(receptor, "سلام دنیا", 1)),
    );
    await reaches(name, key, idsOf(pair), 10);
    const selected = await call("sms/select", { messageid: joined(idsOf(pair)) });
    assert.deepEqual(idsOf(selected), idsOf(pair));
    assert.deepEqual(
      selected.map(told),
      receptors.map((receptor) => entry(receptor, "سلام دنیا", 10)),
    );
    assert.deepEqual(await call("sms/status", { messageid: "7" }), [state(7, 100)]);

    const own = { receptor: "09121234567", message: "once", localid: "order-1" };
    const once = await call("sms/send", own);
    assert.deepEqual(idsOf(await call("sms/send", own)), idsOf(once));
    assert.deepEqual(idsOf(await call("sms/send", { ...own, message: "another text" })), idsOf(once));
    await reaches(name, key, idsOf(once), 10);
    assert.deepEqual(await call("sms/statuslocalmessageid", { localid: "order-1,order-2" }), [
      { ...state(once[0].messageid, 10), localid: "order-1" },
      { ...state(0, 100), localid: "order-2" },
    ]);

    const lines = { receptor: receptors, message: ["a, b", "c"], sender: [server.line, secondLine] };
    const asJson = Object.fromEntries(Object.entries(lines).map(([param, list]) => [param, JSON.stringify(list)]));
    const arrays = [];
    for (const params of [lines, asJson]) {
      const sent = await call("sms/sendarray", params);
      assert.deepEqual(sent.map(told), [entry("09121234567", "a, b", 1), entry("09351234567", "c", 1, secondLine)]);
      arrays.push(...idsOf(sent));
    }
    await reaches(name, key, arrays, 10);

    const code = await call("verify/lookup", {
      receptor: "09121234567",
      template: "login",
      token: "852596",
      token10: "the new shop",
    });
    await reaches(name, key, idsOf(code), 10);
    const [filled] = await call("sms/select", { messageid: joined(idsOf(code)) });
    assert.deepEqual(told(filled), entry("09121234567", "code 852596 for the new shop", 10));

    const span = { startdate: begin, enddate: begin + 36_000 };
    const sums = { ...span, sumpart: 8, sumcount: 8, cost: 8_000 };
    assert.deepEqual(await call("sms/countoutbox", span), [sums]);
    const sent = [...idsOf(pair), ...idsOf(once), ...arrays, ...idsOf(code)].sort((a, b) => a - b);
    const outbox = await call("sms/selectoutbox", span);
    assert.deepEqual(
      idsOf(outbox).sort((a, b) => a - b),
      sent,
    );
    assert.deepEqual(await call("sms/latestoutbox", { pagesize: 1 }), [filled]);
    assert.deepEqual(idsOf(await call("sms/latestoutbox", { sender: secondLine })), [arrays[3], arrays[1]]);

    const later = seconds() + 86_400;
    const planned = await call("sms/send", { receptor: receptors.join(), message: "later", date: later });
    assert.deepEqual(
      planned.map(({ status, date }) => [status, date]),
      [
        [2, later],
        [2, later],
      ],
    );
    const [first, second] = idsOf(planned);
    assert.deepEqual(await call("sms/cancel", { messageid: `${first}` }), [state(first, 2)]);
    assert.equal((await walletOf(server, key)).lockedBalance, 2_000);
    const canceled = [state(first, 13), state(second, 13)];
    assert.deepEqual(await call("sms/cancel", { messageid: `${first},${second}` }), canceled);

    const { number, says } = await openInbox(server, id, `2000${name.length}`);
    for (const text of ["first", "second"]) await says("+989121234567", text);
    await until(async () => (await all(server, key, "/inbound")).length === 2, { what: "the messages of the phone" });
    const unread = await call("sms/receive", { linenumber: number, isread: 0 });
    assert.deepEqual(unread.map(told), [
      { message: "first", sender: "09121234567", receptor: number },
      { message: "second", sender: "09121234567", receptor: number },
    ]);
    assert.deepEqual(await call("sms/receive", { linenumber: number, isread: 0 }), []);
    assert.deepEqual(await call("sms/receive", { linenumber: number, isread: 1 }), unread.toReversed());
    assert.deepEqual(await call("sms/countinbox", span), [{ ...span, sumcount: 2 }]);

    // The effects, as our own API tells them.
    const messages = await all(server, key, "/messages");
    assert.deepEqual(messages.map(({ recipientCount, status }) => `${recipientCount} ${status}`).reverse(), [
      "2 DONE",
      "1 DONE",
      ...Array(4).fill("1 DONE"),
      "1 DONE",
      "2 CANCELED",
    ]);
    assert.equal(messages.filter(({ clientRef }) => clientRef === "kavenegar:order-1").length, 1);
    const { available, locked, spent } = await assertLedgerAddsUp(server, key);
    assert.deepEqual({ available, locked, spent }, { available: money - 8_000, locked: 0, spent: 8_000 });
    assert.equal((await call("account/info")).remaincredit, money - 8_000);
  });

  test(`${name}: each error as its user sees it, and nothing is sent`, async () => {
    const { id, key } = await openShopWithPattern();
    const poor = await openShop(server, 0);
    const slow = await openShop(server, money, { rateLimit: { limit: 1, windowSeconds: 3_600, burst: 1 } });
    const { key: blind } = await issueKey(server, id, { scopes: ["phonebook"] });
    const good = { receptor: "09121234567", message: "x" };
    const code = { receptor: "09121234567", template: "login", token: "1", token10: "a" };
    const arrays = { receptor: ["09121234567"], message: ["a", "b"], sender: [server.line] };
    const refused = async (status, text, method, args, by = key) => {
      const outcome = await outcomeOf(name, by, method, ...[args].flat());
      assert.deepEqual(outcome, styles[name].failure(status, text), `${method} ${JSON.stringify(args)}`);
    };
    const noReceptor = "دریافت کننده نامعتبر است";
    const tooMuch =
      "حجم درخواست بیشتر از حد مجاز است ،ارسال پیامک :هر فراخوانی حداکثر 200 رکورد و کنترل وضعیت :هر فراخوانی 500 رکورد";
    const badTime = "تاریخ ارسال اشتباه است و فرمت آن صحیح نمی باشد.";
    const advanced = "استفاده از این متد نیازمند سرویس پیشرفته می‌باشد";
    await refused(400, "پارامترها ناقص هستند", "sms/send", { message: "x" });
    await refused(400, "پارامترها ناقص هستند", "sms/receive", { isread: 0 });
    await refused(403, "کد شناسائی API-Key معتبر نمی‌باشد", "sms/send", good, "wrong");
    await refused(404, "متد نامشخص است", "request", ["sms", "nothing", good]);
    await refused(406, "پارامترهای اجباری خالی ارسال شده اند", "sms/send", { ...good, message: "" });
    await refused(411, noReceptor, "sms/send", { ...good, receptor: "12" });
    await refused(411, noReceptor, "sms/send", { ...good, receptor: "00971501234567" });
    await refused(412, "ارسال کننده نامعتبر است", "sms/send", { ...good, sender: "99999" });
    const long = "x".repeat(2_000);
    await refused(413, "پیام خالی است و یا طول پیام بیش از حد مجاز می‌باشد", "sms/send", { ...good, message: long });
    await refused(414, tooMuch, "sms/send", { ...good, receptor: Array(201).fill("09121234567").join() });
    await refused(414, tooMuch, "sms/status", { messageid: Array(501).fill(1).join() });
    await refused(416, "IP سرویس مبدا با تنظیمات مطابقت ندارد", "sms/send", good, blind);
    await refused(417, badTime, "sms/send", { ...good, date: "tomorrow" });
    await refused(417, badTime, "sms/selectoutbox", { startdate: 1, enddate: 1_000_000 });
    await refused(418, "اعتبار شما کافی نمی‌باشد", "sms/send", good, poor.key);
    await refused(419, "طول آرایه متن و گیرنده و فرستنده هم اندازه نیست", "sms/sendarray", arrays);
    const unreadable = "داده ها به دلیل وجود کاراکتر نامناسب قابل پردازش نیست";
    await refused(422, unreadable, "sms/status", { messageid: "x" });
    await refused(424, "الگوی مورد نظر پیدا نشد", "verify/lookup", { ...code, template: "none" });
    await refused(426, advanced, "account/config", { resendfailed: "enabled" });
    for (const method of ["sms/countpostalcode", "sms/sendbypostalcode", "call/maketts"])
      await refused(426, advanced, method, good);
    await refused(428, "ارسال کد از طریق تماس تلفنی امکان پذیر نیست", "verify/lookup", { ...code, type: "call" });
    await refused(431, "ساختار کد صحیح نمی‌باشد", "verify/lookup", { ...code, token: "1 2" });
    await entries(name, slow.key, "account/info");
    const tooOften = "فراخوانی بیش از حد در بازه زمانی مشخص IP محدود شده";
    await refused(451, tooOften, "sms/send", good, slow.key);
    await posted(key, "/blacklist", { numbers: ["09121234567"] });
    await refused(411, noReceptor, "sms/send", good);
    const account = async (changes) => {
      const changed = await admin(server, "PATCH", `/admin/accounts/${id}`, changes);
      assert.equal(changed.status, 200, changed.text);
    };
    await account({ sendingEnabled: false });
    await refused(402, "عملیات ناموفق بود", "sms/send", { ...good, receptor: "09351234567" });
    await account({ sendingEnabled: true, status: "INACTIVE" });
    await refused(401, "حساب کاربری غیرفعال شده است", "sms/send", { ...good, receptor: "09351234567" });
    await account({ status: "ACTIVE" });
    assert.deepEqual(await all(server, key, "/messages"), []);
    const { available, locked, entries: ledger } = await assertLedgerAddsUp(server, key);
    assert.deepEqual([available, locked, ledger.length], [money, 0, 1]);
  });

  test(`${name}: what it sends is worth the same as by our own API`, async () => {
    const [byDoor, byOwn] = [await watchedShop(), await watchedShop()];
    const at = new Date(Math.floor(Date.parse(tomorrow()) / 1_000) * 1_000);
    const one = { receptor: "09121234567,09121230901,09121230902,09121230903", message: "سلام", localid: "a-1" };
    const call = (method, params) => entries(name, byDoor.key, method, params);
    const own = (path, body) => posted(byOwn.key, path, body);
    const skip = { blacklisted: "SKIP" };
    const both = async (theirs, ours) => {
      await theirs;
      await reached(server, byDoor);
      await ours;
      await reached(server, byOwn);
    };
    await both(
      call("sms/send", one),
      own("/sms/send", { message: "سلام", recipients: one.receptor.split(","), clientRef: "kavenegar:a-1", ...skip }),
    );
    const endings = await call("sms/statuslocalmessageid", { localid: "a-1" });
    assert.deepEqual(
      endings.map(({ status, statustext }) => [status, statustext]),
      [10, 14, 11, 11].map((status) => [status, texts[status]]),
    );
    await both(
      call("sms/sendarray", { receptor: '["09121234567","09351234567"]', message: '["a","b"]', sender: secondLine }),
      own("/sms/bulk", {
        ...skip,
        sourceNumber: secondLine,
        messages: [
          { recipient: "09121234567", message: "a" },
          { recipient: "09351234567", message: "b" },
        ],
      }),
    );
    await both(
      call("verify/lookup", { receptor: "09121234567", template: "login", token: "1", token10: "a b" }),
      own("/sms/pattern", { pattern: "login", recipient: "09121234567", variables: { token: "1", token10: "a b" } }),
    );
    const [planned] = await call("sms/send", { receptor: "09121234567", message: "x", date: at.getTime() / 1_000 });
    await call("sms/cancel", { messageid: planned.messageid });
    const { uid } = await own("/sms/send", { message: "x", recipients: ["09121234567"], sendAt: at.toISOString() });
    const dropped = await api(server, "DELETE", `/messages/${uid}`, { key: byOwn.key });
    assert.equal(dropped.status, 200, dropped.text);
    assert.deepEqual(await effects(server, byDoor), await effects(server, byOwn));
  });
}
