// The official libraries of sms.ir, unmodified, against the service: what their users see, and what our own API tells of it.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { effects, reached, watched } from "../support/doors/effects.mjs";
import { openLibrary } from "../support/doors/libraries.mjs";
import { post, shopWithPattern } from "../support/doors/shop.mjs";
import { styles } from "../support/doors/smsir.mjs";
import { standFor } from "../support/doors/terminator.mjs";
import { gatewaySettings, openInbox } from "../support/phones.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { admin, all, assertLedgerAddsUp, issueKey, openShop, tomorrow, walletOf } from "../support/shop.mjs";

const money = 100_000;
const libraries = {};
let doors;
const server = sharedServer(async () => {
  doors = await standFor(["api.sms.ir"], () => server.baseUrl);
  for (const name of Object.keys(styles)) libraries[name] = await openLibrary(name, doors.env);
}, gatewaySettings);
after(async () => {
  for (const library of Object.values(libraries)) await library.close();
  await doors?.stop();
});

/** Makes a call as the library's user does. */
const outcomeOf = (name, key, call, ...args) =>
  libraries[name].call([key, Number(server.line)], ...styles[name].calls[call](...args));

/** The data of a call that must succeed. */
async function data(name, key, call, ...args) {
  const outcome = await outcomeOf(name, key, call, ...args);
  const found = styles[name].dataOf(outcome);
  assert.notEqual(found, undefined, `${call}: ${JSON.stringify(outcome)}`);
  return found;
}

const seconds = () => Math.floor(Date.now() / 1000);
/** When the day began in Tehran. */
const today = () => Math.floor((seconds() + 12_600) / 86_400) * 86_400 - 12_600;

/** A day that ends on the way moves what was sent from one list to another. Then it is done again, within the new day. */
async function withinADay(scenario) {
  const day = today();
  try {
    await scenario();
  } catch (error) {
    if (today() === day) throw error;
    await scenario();
  }
}

let inboxes = 0;

const posted = (...asked) => post(server, ...asked);
const openShopWithPattern = () => shopWithPattern(server, money, "100000", "code %CODE% of %name%");

/** What a report tells, without its id and times, which must be near `now`. */
function told({ messageId, sendDateTime, deliveryDateTime, ...rest }) {
  assert.ok(Number.isSafeInteger(messageId) && messageId > 0, `${messageId}`);
  assert.ok(Math.abs(sendDateTime - seconds()) < 3_600, `${sendDateTime}`);
  assert.equal(deliveryDateTime === null, rest.deliveryState === null, `${deliveryDateTime}`);
  return rest;
}

const report = (mobile, messageText, deliveryState) => ({
  mobile,
  messageText,
  lineNumber: Number(server.line),
  cost: 1_000,
  deliveryState,
});

/** Waits until each report of a pack has its `deliveryState`. */
async function reaches(name, key, pack, states) {
  const statesNow = async () => (await data(name, key, "pack", pack)).map(({ deliveryState }) => deliveryState);
  await until(async () => JSON.stringify(await statesNow()) === JSON.stringify(states), { what: `states of ${pack}` });
}

const mobiles = ["09121234567", "+989351234567"];
const parameters = [
  { name: "Code", value: "852596" },
  { name: "NAME", value: "the new shop" },
];

for (const name of Object.keys(styles)) {
  const has = (call) => call in styles[name].calls;

  const eachCall = async () => {
    const { id, key } = await openShopWithPattern();
    const call = (method, ...args) => data(name, key, method, ...args);

    assert.equal(await call("credit"), money);
    const lines = await all(server, key, "/lines");
    assert.deepEqual(
      await call("lines"),
      lines.map(({ number }) => Number(number)),
    );

    const pair = await call("bulk", { text: "سلام دنیا", mobiles });
    assert.deepEqual([pair.cost, pair.messageIds.length], [2_000, 2]);
    await reaches(name, key, pair.packId, [1, 1]);
    const both = [report(9121234567, "سلام دنیا", 1), report(9351234567, "سلام دنیا", 1)];
    const reports = await call("pack", pair.packId);
    assert.deepEqual(reports.map(told), both);
    assert.deepEqual(
      reports.map(({ messageId }) => messageId),
      pair.messageIds,
    );
    assert.deepEqual(await call("report", pair.messageIds[1]), reports[1]);

    const texts = await call("likeToLike", { texts: ["a", "b"], mobiles, line: Number(server.line) });
    await reaches(name, key, texts.packId, [1, 1]);
    assert.deepEqual((await call("pack", texts.packId)).map(told), [
      report(9121234567, "a", 1),
      report(9351234567, "b", 1),
    ]);

    const code = await call("verify", { mobile: "09121234567", template: 100000, parameters });
    assert.equal(code.cost, 1_000);
    const ended = await until(
      async () => {
        const found = await call("report", code.messageId);
        return found.deliveryState === 1 ? found : null;
      },
      { what: "the end of the code" },
    );
    assert.deepEqual(told(ended), report(9121234567, "code 852596 of the new shop", 1));

    let spent = 5_000;
    let counts = [2, 2, 1];
    if (has("byUrl")) {
      const one = await call("byUrl", { mobile: "09121234567", text: "a b+c" });
      await until(async () => (await call("report", one.messageId)).deliveryState === 1, { what: "the end of one" });
      assert.deepEqual(told(await call("report", one.messageId)), report(9121234567, "a b+c", 1));
      spent += 1_000;
      counts = [...counts, 1];
    }

    const at = seconds() + 86_400;
    const planned = await call("likeToLike", { texts: ["c", "d"], mobiles, at });
    assert.deepEqual(
      (await call("pack", planned.packId)).map(({ sendDateTime, deliveryState }) => [sendDateTime, deliveryState]),
      [
        [at, null],
        [at, null],
      ],
    );
    assert.equal((await walletOf(server, key)).lockedBalance, 2_000);
    assert.deepEqual(await call("cancel", planned.packId), { returnedCreditCount: 2_000, smsCount: 2 });
    await reaches(name, key, planned.packId, [6, 6]);
    counts = [...counts, 2];

    const live = await call("today", 1, 100);
    assert.deepEqual(
      live.length,
      counts.reduce((sum, count) => sum + count),
    );
    assert.deepEqual(live.slice(0, 2), reports);
    assert.deepEqual(await call("today", 2, 1), [reports[1]]);
    assert.deepEqual(await call("archive", today() - 86_400, today() - 1, 1, 10), []);
    if (has("packs")) {
      const packs = await call("packs", 1, 100);
      assert.deepEqual(
        packs.map(({ recipientCount }) => recipientCount),
        counts,
      );
      assert.equal(packs[0].packId, pair.packId);
      assert.ok(Math.abs(packs[0].creationDateTime - seconds()) < 3_600);
    }

    const { number, says } = await openInbox(server, id, `3000${++inboxes}`);
    for (const text of ["first", "second"]) await says("+989121234567", text);
    await until(async () => (await all(server, key, "/inbound")).length === 2, { what: "the messages of the phone" });
    const received = await call("received", 1, 10);
    assert.deepEqual(
      received.map(({ messageText, number: line, mobile }) => [messageText, line, mobile]),
      [
        ["first", Number(number), 9121234567],
        ["second", Number(number), 9121234567],
      ],
    );
    assert.ok(received.every(({ receivedDateTime }) => Math.abs(receivedDateTime - seconds()) < 3_600));
    if (name === "smsir-node") assert.deepEqual(await call("received", 1, 10, true), received.toReversed());
    assert.deepEqual(await call("latest", 1), [received[0]]);
    assert.deepEqual(await call("latest", 100), [received[1]]);
    assert.deepEqual(await call("latest", 100), []);
    assert.deepEqual(await call("receivedBefore", today() - 86_400, today() - 1, 1, 10), []);

    // The effects, as our own API tells them.
    const messages = await all(server, key, "/messages");
    assert.deepEqual(
      messages.map(({ recipientCount, status }) => `${recipientCount} ${status}`).reverse(),
      counts.map((count, index) => `${count} ${index === counts.length - 1 ? "CANCELED" : "DONE"}`),
    );
    const { available, locked, spent: paid } = await assertLedgerAddsUp(server, key);
    assert.deepEqual({ available, locked, paid }, { available: money - spent, locked: 0, paid: spent });
    assert.equal(await call("credit"), money - spent);
  };

  test(`${name}: each call that the service has`, () => withinADay(eachCall));

  test(`${name}: each error as its user sees it, and nothing is sent`, async () => {
    const { id, key } = await openShopWithPattern();
    const poor = await openShop(server, 0);
    const slow = await openShop(server, money, { rateLimit: { limit: 1, windowSeconds: 3_600, burst: 1 } });
    const { key: blind } = await issueKey(server, id, { scopes: ["phonebook"] });
    const { key: elsewhere } = await issueKey(server, id, { ips: ["192.0.2.7"] });
    const { key: rehearsing } = await issueKey(server, id, { mode: "test" });
    const good = { text: "x", mobiles: ["09121234567"] };
    const refused = async (http, status, text, call, args, by = key) => {
      const outcome = await outcomeOf(name, by, call, ...[args].flat());
      const seen = styles[name].refusal(outcome);
      assert.deepEqual(seen, styles[name].expected(http, status, text), `${call} ${JSON.stringify(args)}`);
    };
    const badMobile = "درخواست شما دارای موبایل (های) نادرست است";
    const upgrade = "به منظور استفاده از وب سرویس پلن خود را ارتقا دهید";
    const badValue = "مقدار ارسالی پارامتر نادرست می‌باشد";
    const tooOften = "تعداد درخواست بیشتر از حد مجاز است";
    await refused(401, 10, "کلید وب سرویس نامعتبر است", "bulk", good, "wrong");
    await refused(401, 12, "کلید وب سرویس محدود به آی‌پی‌های تعریف شده می‌باشد.", "bulk", good, elsewhere);
    await refused(403, 15, upgrade, "bulk", good, blind);
    await refused(400, 16, badValue, "today", [1, 101]);
    await refused(400, 101, "شماره خط نامعتبر می‌باشد", "bulk", { ...good, line: 999 });
    await refused(400, 102, "اعتبار کافی نمی‌باشد", "bulk", good, poor.key);
    await refused(400, 103, "درخواست شما دارای متن (های) خالی است", "bulk", { ...good, text: "" });
    await refused(400, 104, badMobile, "bulk", { ...good, mobiles: ["12"] });
    await refused(400, 104, badMobile, "likeToLike", { texts: ["a", "b"], mobiles: ["09121234567", "9121234567"] });
    const many = Array(101).fill("09121234567");
    const tooMany = "تعداد موبایل‌ها بیشتر از حد مجاز (100 عدد) می‌باشد";
    await refused(400, 105, tooMany, "bulk", { ...good, mobiles: many });
    await refused(400, 107, "لیست موبایل‌ها خالی می‌باشد", "bulk", { ...good, mobiles: [] });
    await refused(400, 108, "لیست متن‌ها خالی می‌باشد", "likeToLike", { texts: [], mobiles: ["09121234567"] });
    const past = { texts: ["a"], mobiles: ["09121234567"], at: 1 };
    await refused(400, 109, "زمان ارسال نامعتبر می‌باشد", "likeToLike", past);
    const uneven = { texts: ["a"], mobiles };
    await refused(400, 110, "تعداد شماره موبایل‌ها و تعداد متن‌ها برابر نیستند", "likeToLike", uneven);
    await refused(400, 111, "با این شناسه ارسالی ثبت نشده است", "report", 7);
    const nothing = "رکوردی برای حذف یافت نشد";
    await refused(400, 112, nothing, "cancel", "019b7992-9c10-7582-8e00-000000000001");
    const code = { mobile: "09121234567", template: 100000, parameters };
    await refused(400, 113, "قالب یافت نشد", "verify", { ...code, template: 999999 });
    const noName = "نام یک یا چند پارامتر مقداردهی نشده‌است. لطفا به بخش مستندات ارسال وریفای مراجعه فرمایید";
    await refused(400, 116, noName, "verify", { ...code, parameters: [] });
    const tooLong = "طول رشته مقدار پارامتر، بیش از حد مجاز (25 کاراکتر) می‌باشد";
    const long = [{ name: "code", value: "1".repeat(101) }, parameters[1]];
    await refused(400, 114, tooLong, "verify", { ...code, parameters: long });
    await data(name, slow.key, "credit");
    await refused(429, 20, tooOften, "bulk", good, slow.key);
    const rehearse = (ending) => ({ ...good, mobiles: [`091212${ending}`] });
    await refused(503, 0, "درخواست شما با خطا مواجه شده‌است.", "bulk", rehearse(90503), rehearsing);
    await posted(key, "/blacklist", { numbers: ["09351234567"] });
    const blocked = { ...good, mobiles: ["09351234567"] };
    await refused(400, 115, "شماره موبایل(ها) در لیست سیاه سامانه می‌باشند", "bulk", blocked);
    const account = async (changes) => {
      const changed = await admin(server, "PATCH", `/admin/accounts/${id}`, changes);
      assert.equal(changed.status, 200, changed.text);
    };
    await account({ sendingEnabled: false });
    await refused(401, 14, "حساب کاربری در حالت تعلیق قرار دارد", "bulk", good);
    await account({ sendingEnabled: true, status: "INACTIVE" });
    await refused(401, 13, "حساب کاربری غیرفعال است", "bulk", good);
    await account({ status: "ACTIVE" });
    assert.deepEqual(await all(server, key, "/messages"), []);
    const { available, locked, entries: ledger } = await assertLedgerAddsUp(server, key);
    assert.deepEqual([available, locked, ledger.length], [money, 0, 1]);
  });

  test(`${name}: what it sends is worth the same as by our own API`, async () => {
    const watchedShop = async () => watched(server, await openShopWithPattern());
    const [byDoor, byOwn] = [await watchedShop(), await watchedShop()];
    const at = new Date(Math.floor(Date.parse(tomorrow()) / 1_000) * 1_000);
    const call = (method, ...args) => data(name, byDoor.key, method, ...args);
    const own = (path, body) => posted(byOwn.key, path, { sourceNumber: server.line, ...body });
    const skip = { blacklisted: "SKIP" };
    const both = async (theirs, ours) => {
      const sent = await theirs;
      await reached(server, byDoor);
      await ours;
      await reached(server, byOwn);
      return sent;
    };
    const endings = ["09121234567", "09121230901", "09121230902", "09121230903"];
    const one = await both(
      call("bulk", { text: "سلام", mobiles: endings }),
      own("/sms/send", { message: "سلام", recipients: endings, ...skip }),
    );
    await reaches(name, byDoor.key, one.packId, [1, 7, 2, 2]);
    await both(
      call("likeToLike", { texts: ["a", "b"], mobiles }),
      own("/sms/bulk", { messages: mobiles.map((recipient, index) => ({ recipient, message: "ab"[index] })), ...skip }),
    );
    const values = { Code: "852596", CODE: "852596", NAME: "the new shop", name: "the new shop" };
    await both(
      call("verify", { mobile: "09121234567", template: 100000, parameters }),
      own("/sms/pattern", { pattern: "100000", recipient: "09121234567", variables: values }),
    );
    const planned = await call("likeToLike", { texts: ["x"], mobiles: ["09121234567"], at: at.getTime() / 1_000 });
    await call("cancel", planned.packId);
    const messages = [{ recipient: "09121234567", message: "x" }];
    const { uid } = await own("/sms/bulk", { messages, sendAt: at.toISOString() });
    const dropped = await api(server, "DELETE", `/messages/${uid}`, { key: byOwn.key });
    assert.equal(dropped.status, 200, dropped.text);
    assert.deepEqual(await effects(server, byDoor), await effects(server, byOwn));
  });
}
