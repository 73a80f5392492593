// Programs of npm and PyPI that send by Twilio and run here as they are, and what their users see. Each gets what those of `unmodified.mjs` get,
// and: a `barred` number of the shop's blacklist, `npm` and `django`, which call the programs, `ask`, which sends a request, and `unchanged`.
import assert from "node:assert/strict";
import { form, json } from "./ask.mjs";
import { notYours, raised, told } from "./outcomes.mjs";
import { account, basic, escaped, made, ofAccount, refused, said, service } from "./twilio-answers.mjs";

const unsubscribed = "Attempt to send to unsubscribed recipient";

/** A connector of Logto's console, with the templates that its form begins with. */
async function logto({ shop, npm, sent, unchanged }) {
  const config = { accountSID: account, authToken: shop.key, fromMessagingServiceSID: service };
  const send = (more, to = shop.to) => {
    const message = { to, type: "Generic", payload: { code: "48213" } };
    return npm("logto", "sendMessage", { ...config, ...more }, message);
  };
  const text = "Your Logto verification code is 48213. The code will remain active for 10 minutes.";
  made(await told(send()), shop);
  // Logto keeps numbers without a plus.
  made(await told(send({ disableRiskCheck: true }, shop.to.slice(1))), shop);
  await sent([shop.to, text], [shop.to, text]);

  // It shows its user the whole body.
  const fails = async (code, status, message, ...about) => {
    const error = await raised(send(...about));
    assert.deepEqual([error.class, error.code], ["ConnectorError", "general"]);
    const body = JSON.parse(error.data.message);
    assert.deepEqual([body.code, body.status, body.message], [code, status, message]);
  };
  await unchanged(async () => {
    await fails(20_003, 401, "Authenticate", { authToken: "none" });
    await fails(21_211, 400, "The 'To' number +12 is not a valid phone number.", {}, "12");
    await fails(21_610, 400, unsubscribed, {}, shop.barred);
  });
}

/** Activepieces: the step of a flow that sends, and the trigger that asks what phones have sent. */
async function activepieces({ shop, listener, npm, ask, sent, unchanged }) {
  const authentication = { username: account, password: shop.key };
  const step = (method, part, values) => npm("activepieces", method, part, { authentication, ...values });
  const lines = await told(step("lines", "new_incoming_sms"));
  assert.deepEqual(lines, { disabled: false, options: [{ value: shop.line, label: shop.line }] });
  const message = { from: shop.line, to: shop.to, body: shop.text };
  const send = (more) => step("run", "send_sms", { ...message, ...more });
  const { status, body } = await told(send());
  made({ http: status, said: body }, shop);
  await sent([shop.to, shop.text]);

  const fails = async (code, status, message, more) => {
    const error = await raised(send(more));
    assert.equal(error.class, "HttpError");
    const { response } = JSON.parse(error.message);
    assert.deepEqual([response.status, response.body.code, response.body.message], [status, code, message]);
  };
  await unchanged(async () => {
    await fails(20_003, 401, "Authenticate", { authentication: { username: account, password: "none" } });
    await fails(21_211, 400, "The 'To' number 12 is not a valid phone number.", { to: "12" });
    await fails(21_606, 400, `The From phone number 99999 ${notYours}`, { from: "99999" });
    await fails(21_610, 400, unsubscribed, { to: shop.barred });
  });
  await activepiecesTrigger(listener, npm);
  await laterActivepieces(shop, ask);
}

/** The trigger runs again and again. It reads pages up to the message that it had first the last time. */
async function activepiecesTrigger({ key, inbox }, npm) {
  const authentication = { username: account, password: key };
  const values = { authentication, phone_number: inbox.number };
  const trigger = (method) => told(npm("activepieces", method, "new_incoming_sms", values));
  const toldTexts = async () => (await trigger("run")).map(({ body }) => body);
  const write = async (count, called) => {
    const texts = Array.from({ length: count }, (_, index) => `${called} ${index}`);
    for (const text of texts) await inbox.says("+989121234567", text);
    return texts.reverse();
  };
  await trigger("onEnable");
  // More than a page of 20.
  const many = await write(21, "first");
  assert.deepEqual(await toldTexts(), many);
  assert.deepEqual(await toldTexts(), []);
  const more = await write(2, "later");
  assert.deepEqual(await toldTexts(), more);
  await trigger("onDisable");
}

/** What versions ask for, too, that are not on npm. */
async function laterActivepieces(shop, ask) {
  const headers = {
    Accept: json,
    "Content-Type": form,
    Authorization: basic(shop),
    "User-Agent": "axios/1.2.4",
    "Accept-Encoding": "gzip, compress, deflate, br",
  };
  const lookup = `https://lookups.twilio.com/v2/PhoneNumbers/${escaped(shop.to)}?Fields=line_type_intelligence`;
  const { valid, line_type_intelligence } = said(await ask("GET", lookup, headers));
  assert.deepEqual([valid, line_type_intelligence.type], [true, "mobile"]);
  refused(
    await ask("POST", `${ofAccount}/Calls.json`, headers, `From=${shop.line}&To=${escaped(shop.to)}`),
    404,
    20_404,
  );
}

/** Novu sends by the version 4 of `twilio`. */
async function novu({ shop, npm, sent, unchanged }) {
  const config = { accountSid: account, authToken: shop.key, from: shop.line };
  const send = (more, to = shop.to) =>
    npm("novu", "sendMessage", { ...config, ...more }, { to, content: "Your code is 48213." });
  const { id, date } = await told(send());
  assert.match(id, /^SM[0-9a-f]{32}$/);
  assert.ok(Date.parse(date) > 0, date);
  await sent([shop.to, "Your code is 48213."]);

  const fails = async (code, status, message, ...about) => {
    const error = await raised(send(...about));
    assert.deepEqual([error.code, error.status, error.message], [code, status, message]);
  };
  await unchanged(async () => {
    await fails(20_003, 401, "Authenticate", { authToken: "none" });
    await fails(21_211, 400, "The 'To' number 12 is not a valid phone number.", {}, "12");
    await fails(21_606, 400, `The From phone number 99999 ${notYours}`, { from: "99999" });
    await fails(21_610, 400, unsubscribed, {}, shop.barred);
  });
}

/** A login by a site in Django. Django makes the code and checks it. */
async function djangoOtp({ shop, django, sent, unchanged }) {
  // A slow machine may need more than the 30 seconds that a code is good for.
  const settings = { OTP_TWILIO_ACCOUNT: account, OTP_TWILIO_AUTH: shop.key, OTP_TWILIO_TOKEN_VALIDITY: 86_400 };
  const byLine = { ...settings, OTP_TWILIO_FROM: shop.line };
  const byService = { ...settings, OTP_TWILIO_API_KEY: "SK0", OTP_TWILIO_MESSAGING_SERVICE_SID: service };
  // Who has typed a wrong code waits, so each way has a number of its own.
  const ways = [
    [byLine, shop.to],
    [byService, shop.also],
  ];
  for (const [way, to] of ways) {
    const { shown, token } = await told(django(way, "send", to));
    assert.equal(shown, "Sent by SMS");
    await sent([to, token]);
    assert.equal(await told(django(way, "verify", to, token)), true);
    assert.equal(await told(django(way, "verify", to, token)), false);
  }
  // It tells its user the status of HTTP alone.
  const fails = async (status, more, to = shop.to) => {
    const error = await raised(django({ ...byLine, ...more }, "send", to));
    assert.equal(error.class, "HTTPError");
    assert.match(error.message, new RegExp(`^${status} `));
  };
  await unchanged(async () => {
    await fails(401, { OTP_TWILIO_AUTH: "none" });
    await fails(400, {}, "12");
    await fails(400, { OTP_TWILIO_FROM: "99999" });
    await fails(400, {}, shop.barred);
  });
}

/** Each by its name in the table of programs. */
export const unmodifiedTwilio = {
  Logto: logto,
  Activepieces: activepieces,
  Novu: novu,
  "django-otp-twilio": djangoOtp,
};
