// The programs of PyPI, npm and Debian that run here as they are, and what their users see. Each gets a `shop` (`key`, `hexKey`, `line`, `pattern`,
// `to`, `also`, `text`), `python`, `apart`, `php` and `smsir`, which call their libraries, and `sent`, which waits for what the shop has sent.
import assert from "node:assert/strict";

const account = "AC0123456789abcdef0123456789abcdef";
const notYours = "is not a valid, SMS-capable inbound phone number or short code for your account.";

/** What a call returns that must not raise. */
async function told(outcome) {
  const { value, error } = await outcome;
  assert.equal(error, undefined, JSON.stringify(error));
  return value;
}

async function apprise({ shop, python, sent }) {
  const notify = (url) => told(python("apprise", "notify", url, shop.text));
  const good = { isAddress: true, isSent: true, log: "" };
  const local = shop.to.replace("+98", "0");

  // Its addresses take no key with `_`.
  assert.deepEqual(await notify(`twilio://${account}:${shop.key}@${shop.line}/${shop.to}`), { isAddress: false });
  assert.deepEqual(await notify(`twilio://${account}:${shop.hexKey}@${shop.line}/${shop.to}/${shop.also}`), good);
  await sent([shop.to, shop.text], [shop.also, shop.text]);
  assert.deepEqual(await notify(`kavenegar://${shop.hexKey}/${local}`), good);
  await sent([shop.to, shop.text]);

  const refused = async (url, says) => assert.match((await notify(url)).log, says);
  const ofTwilio = `twilio://${account}:${shop.hexKey}@`;
  await refused(`${ofTwilio}99999/${shop.to}`, new RegExp(`The From phone number 99999 ${notYours}.* error=21606`));
  await refused(`${ofTwilio}${shop.line}/${shop.to}?method=call`, /Calls\.json was not found, error=20404/);
  await refused(`kavenegar://0123456789abcdef/${local}`, /The API Key is invalid, error=403/);
}

async function notifiers({ shop, python, sent }) {
  const message = { account_sid: account, auth_token: shop.key, to: shop.to, message: shop.text };
  const notify = (more) => told(python("notifiers", "notify", "twilio", { ...message, ...more }));
  assert.deepEqual(await notify({ from: shop.line }), { status: "Success", errors: null });
  await sent([shop.to, shop.text]);
  const errors = [`The From phone number 99999 ${notYours}`];
  assert.deepEqual(await notify({ from: "99999" }), { status: "Failure", errors });
  // It writes `MessagingServiceId`, which Twilio does not know either.
  const service = { messaging_service_id: account.replace("AC", "MG") };
  assert.deepEqual(await notify(service), { status: "Failure", errors: ["A 'From' phone number is required."] });
}

async function symfony({ shop, php, sent }) {
  const send = (line) => php([account, shop.key, line], "send", shop.to, shop.text);
  assert.match(await told(send(shop.line)), /^SM[0-9a-f]{32}$/);
  await sent([shop.to, shop.text]);
  const { error } = await send("99999");
  assert.match(
    error.message,
    new RegExp(`^Unable to send the SMS: The From phone number 99999 ${notYours}.* \\(see http`),
  );
}

async function aioKavenegar({ shop, python, sent }) {
  const call = (method, ...args) => python("aio-kavenegar", method, shop.key, ...args);
  const [receptor, also] = [shop.to, shop.also].map((number) => number.replace("+98", "0"));
  const [one] = await told(call("sms_send", { receptor, message: shop.text, sender: shop.line }));
  assert.deepEqual([one.receptor, one.message, one.sender], [receptor, shop.text, shop.line]);
  const lists = { receptor: [receptor, also], message: [shop.text, "second"], sender: [shop.line, shop.line] };
  assert.equal((await told(call("sms_sendarray", lists))).length, 2);
  await told(call("verify_lookup", { receptor, template: shop.pattern, token: "48213" }));
  await sent([shop.to, shop.text], [shop.to, shop.text], [shop.also, "second"], [shop.to, "code 48213"]);
  const [{ status }] = await told(call("sms_status", { messageid: one.messageid }));
  assert.ok([1, 4, 10].includes(status), status);
  assert.ok((await told(call("account_info"))).remaincredit > 0);
  // It tells its user the status of HTTP alone.
  const refused = async (status, ...args) => {
    const { error } = await call(...args);
    assert.equal(error.class, "HTTPException");
    assert.match(error.message, new RegExp(`'${status} `));
  };
  await refused(411, "sms_send", { receptor: "12", message: "x", sender: shop.line });
  await refused(426, "call_maketts", { receptor, message: "x" });
}

async function myippanel({ shop, python, sent }) {
  const call = (method, ...args) => python("myippanel", method, shop.key, ...args);
  const id = await told(call("send", shop.line, [shop.to, shop.also], shop.text, "summary"));
  await told(call("send_pattern", shop.pattern, shop.line, shop.to, { token: "48213" }));
  await sent([shop.to, shop.text], [shop.also, shop.text], [shop.to, "code 48213"]);
  const { message_id, message, recipient_count } = await told(call("get_message", id));
  assert.deepEqual([message_id, message, recipient_count], [id, shop.text, 2]);
  const [recipients, page] = await told(call("fetch_statuses", id, 0, 10));
  assert.equal(recipients.length, 2);
  assert.match(page, /'total': 2/);
  assert.ok(Array.isArray((await told(call("fetch_inbox", 0, 10)))[0]));
  assert.ok((await told(call("get_credit"))) > 0);
  assert.match(await told(call("create_pattern", "hello %name%", "greeting", { name: "string" })), /^\w+$/);
  const { error } = await call("send", "99999", [shop.to], "x", "summary");
  assert.deepEqual([error.class, error.code], ["Error", 422]);
}

async function persianSmsManager({ shop, python, sent }) {
  const call = (method, ...args) => told(python("persian-sms-manager", method, shop.key, shop.line, shop.to, ...args));
  assert.equal(await call("send_message", shop.text), true);
  await sent([shop.to, shop.text]);
  // Codes that ippanel makes and checks.
  assert.equal(await call("send_auto_otp_code"), false);
  assert.equal(await call("check_auto_otp_code", "48213"), false);
}

async function ippanelSdk({ shop, apart, sent }) {
  const call = (method, ...args) => apart("ippanel-python-sdk", method, shop.key, ...args);
  const { meta, data } = await told(call("send_webservice", shop.text, shop.line, [shop.to, shop.also]));
  assert.deepEqual([meta.status, data.message_outbox_ids.length], [true, 1]);
  await told(call("send_pattern", shop.pattern, shop.line, shop.to, { token: "48213" }));
  await sent([shop.to, shop.text], [shop.also, shop.text], [shop.to, "code 48213"]);
  const { error } = await call("send_votp", 48_213, shop.to);
  assert.match(`${error.class}: ${error.message}`, /^HTTPError: 422 /);
}

/** A tap of Singer. It has no setting for the size of a page, so here it reads one of messages. */
async function tapTwilio({ shop, apart }) {
  const start_date = new Date(Date.now() - 86_400_000).toISOString();
  const config = { account_sid: account, auth_token: shop.key, start_date, user_agent: "tap" };
  const streams = ["accounts", "account_balance", "messages", "message_media"];
  const records = await told(apart("tap-twilio", "sync", config, streams));
  const lengths = [records.accounts.length, records.account_balance.length, records.message_media.length];
  assert.deepEqual(lengths, [1, 1, 0]);
  assert.ok(records.messages.some(({ to, body }) => to === shop.to && body === shop.text));
}

async function smsirJs({ shop, smsir, sent }) {
  const call = (method, ...args) => told(smsir([shop.key, Number(shop.line)], method, ...args));
  const data = async (...args) => {
    const { http, status, data } = await call(...args);
    assert.deepEqual([http, status], [200, 1]);
    return data;
  };
  const mobiles = [shop.to, shop.also].map((number) => number.replace("+98", "0"));
  const bulk = await data("SendBulk", shop.text, mobiles);
  await data("SendLikeToLike", ["first", "second"], mobiles);
  await data("SendVerifyCode", mobiles[0], Number(shop.pattern), [{ name: "token", value: "48213" }]);
  const texts = [shop.text, shop.text, "first", "second", "code 48213"];
  await sent(...texts.map((text, index) => [index % 2 === 0 ? shop.to : shop.also, text]));
  const [id] = bulk.messageIds;
  assert.equal((await data("ReportMessage", id)).messageId, id);
  assert.deepEqual(
    (await data("ReportPack", bulk.packId)).map(({ messageId }) => messageId),
    bulk.messageIds,
  );
  const lists = [
    "ReportToday",
    "ReportArchived",
    "ReportLatestReceived",
    "ReportTodayReceived",
    "ReportArchivedReceived",
  ];
  for (const list of lists) assert.ok(Array.isArray(await data(list)), list);
  assert.ok((await data("getCredit")) > 0);
  assert.deepEqual(await data("getLineNumbers"), [Number(shop.line)]);
  const { packId } = await data("SendBulk", "later", [mobiles[0]], Math.floor(Date.now() / 1_000) + 86_400);
  assert.equal((await data("deleteScheduled", packId)).smsCount, 1);
  const { http, status } = await call("SendBulk", "x", [mobiles[0]], null, 99_999);
  assert.deepEqual([http, status], [400, 101]);
}

/** Each by its name in the table of programs. */
export const unmodified = {
  apprise,
  notifiers,
  "Symfony Notifier (Debian)": symfony,
  "aio-kavenegar": aioKavenegar,
  myippanel,
  "persian-sms-manager": persianSmsManager,
  "smsir-js": smsirJs,
  "ippanel-python-sdk": ippanelSdk,
  "tap-twilio": tapTwilio,
};
