// The programs of PyPI, npm and Debian that run here as they are, and what their users see. Each gets a `shop` (`key`, `hexKey`, `line`, `pattern`,
// `to`, `also`, `text`), a `listener` (`key`, `inbox`) to whose line phones write, `python`, `apart`, `php` and `smsir`, which call their libraries, and `sent`, which waits for what the shop has sent.
import assert from "node:assert/strict";
import { notYours, told } from "./outcomes.mjs";
import { account } from "./twilio-answers.mjs";

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

/** It speaks sms.ir's API before `v1`, and its user gets the response of `requests`. */
async function smsirOlder({ shop, listener, python, sent }) {
  const call = (module, method, ...args) => told(python("smsir", method, module, ...args));
  const said = async (status, ...args) => {
    const { http, said } = await call(...args);
    assert.deepEqual([http, said.IsSuccessful], [status, status < 300], JSON.stringify(said));
    return said;
  };
  const [to, also] = [shop.to, shop.also].map((number) => number.replace("+98", "0"));
  // It takes the token of an answer with 201 alone.
  const token = await call("token", "get_token", shop.key, "it66)%#teBC!@*&");
  assert.equal(token, shop.key);
  assert.equal(await call("token", "get_token", "none", "x"), null);
  const one = await said(201, "sms", "send_by_mobile_number", shop.text, to, shop.line, "", token);
  const template = [{ Parameter: "token", ParameterValue: "48213" }];
  const fast = await said(201, "sms", "UltraFastSend", template, also, shop.pattern, token);
  await sent([shop.to, shop.text], [shop.also, "code 48213"]);
  assert.equal(typeof fast.VerificationCodeId, "number");
  const [{ ID }] = one.Ids;
  // These three functions have a first parameter that they do not use.
  const byId = await said(200, "sms", "get_report_by_id", null, ID, token);
  assert.deepEqual([byId.Messages.ID, byId.Messages.SMSMessageBody], [ID, shop.text]);
  const byBatch = await said(200, "sms", "get_report_by_BatchKey", null, 1, one.BatchKey, token);
  assert.equal(byBatch.CountOfAll, 1);
  const persian = new Intl.DateTimeFormat("en-u-ca-persian", { timeZone: "Asia/Tehran", dateStyle: "short" });
  const parts = Object.fromEntries(persian.formatToParts().map(({ type, value }) => [type, value]));
  const day = `${parts.year}/${parts.month}/${parts.day}`;
  const ofDay = await said(200, "sms", "get_report_by_date", day, day, 100, 1, token);
  assert.ok(ofDay.Messages.some((message) => message.ID === ID));
  assert.deepEqual((await said(200, "sms", "get_sms_line", token)).SMSLines, [
    { ID: 1, LineNumber: Number(shop.line) },
  ]);
  assert.ok((await said(200, "token", "get_credit", token)).Credit > 0);
  await listener.inbox.says("+989351234567", "for sms.ir");
  const behind = await said(200, "sms", "get_receive_message_by_last_id", 0, listener.key);
  const { CountOfAll: count } = behind;
  assert.equal((await said(200, "sms", "get_receive_message_by_last_id", count, listener.key)).CountOfAll, 0);
  const received = await said(200, "sms", "get_receive_message_by_date", day, day, 500, 1, listener.key);
  assert.equal(received.Messages.at(-1).SMSMessageBody, "for sms.ir");
  // A shop has to make the pattern first.
  const noPattern = await said(400, "sms", "VerificationCode", "12345", to, token);
  assert.match(noPattern.Message, /VerificationCode/);
  await said(400, "sms", "send_by_mobile_number", "x", to, "99999", "", token);
  for (const refused of [
    ["sms", "MessageReport", "1", "null", "", "", token],
    ["customerclub", "send_customer_club", ["x"], [to], "", "true", token],
    ["customerclub", "get_allcontacts_By_pageid", 1, token],
  ])
    assert.ok([400, 405].includes((await call(...refused)).http), refused[1]);
}

/** It speaks sms.ir's API before `v1`, too. Its user gets the members of an answer, or what it raises with the answer's `Message`. */
async function pyPersianSms({ shop, python, sent }) {
  const call = (method, line, ...args) => python("py-persian-sms", method, shop.key, line, ...args);
  const [to, also] = [shop.to, shop.also].map((number) => number.replace("+98", "0"));
  const one = await told(call("send", shop.line, { recipient: to, text: shop.text }));
  assert.deepEqual([one.is_successful, one.ids.length], [true, 1]);
  const params = { token: "48213" };
  const fast = await told(call("send", shop.line, { recipient: also, template: shop.pattern, params }));
  assert.equal(typeof fast.verification_code_id, "number");
  const bulk = await told(call("send_bulk_sms", shop.line, { recipients: [to, also], texts: ["first", "second"] }));
  assert.equal(bulk.ids.length, 2);
  await sent([shop.to, shop.text], [shop.also, "code 48213"], [shop.to, "first"], [shop.also, "second"]);
  const { error } = await call("send", "99999", { recipient: to, text: "x" });
  assert.deepEqual([error.class, error.message.length > 0], ["Exception", true]);
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
  "smsir (PyPI)": smsirOlder,
  "py-persian-sms": pyPersianSms,
  "ippanel-python-sdk": ippanelSdk,
  "tap-twilio": tapTwilio,
};
