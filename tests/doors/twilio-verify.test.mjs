// The official libraries of Twilio, unmodified: Verify, Lookup, and what programs look at before they send.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openLibrary } from "../support/doors/libraries.mjs";
import { asker, form } from "../support/doors/programs/ask.mjs";
import { standFor } from "../support/doors/terminator.mjs";
import { inOneForm, styles } from "../support/doors/twilio.mjs";
import { api, sharedServer } from "../support/server.mjs";
import { issueKey, openShop } from "../support/shop.mjs";

const hosts = ["api", "verify", "lookups", "messaging"].map((name) => `${name}.twilio.com`);
const money = 100_000;
const account = "AC0123456789abcdef0123456789abcdef";
const service = "VA0123456789abcdef0123456789abcdef";
const messages = "MG0123456789abcdef0123456789abcdef";
const to = "+989121234567";
/** The code of a test key: the last digits of the number. */
const code = "234567";
const libraries = {};
let doors;
const server = sharedServer(async () => {
  doors = await standFor(hosts, () => server.baseUrl);
  for (const name of Object.keys(styles)) libraries[name] = await openLibrary(name, doors.env);
});
after(async () => {
  for (const library of Object.values(libraries)) await library.close();
  await doors?.stop();
});

const ofVerify = [["verify"], ["v2"]];
const ofService = [...ofVerify, ["services", service]];

/** What a library's user calls with a key: on a list, or on a record if `sid` names one. */
const callsOf = (name, key) => {
  const outcome = (within, method, args, sid) =>
    libraries[name].on(sid, within).call([account, key, account], method, ...(args === undefined ? [] : [args]));
  const call = async (...asked) => {
    const { error, value } = await outcome(...asked);
    assert.equal(error, undefined, `${asked[1]}: ${JSON.stringify(error)}`);
    return value;
  };
  const refused = async (status, number, text, ...asked) => {
    const { error } = await outcome(...asked);
    assert.ok(error, `${asked[1]} is refused`);
    const { details, ...seen } = styles[name].refusal(error);
    const word = asked[1].split(".")[1];
    const said = { name: styles[name].name, status, code: number, text: styles[name].textOf(word, text) };
    assert.deepEqual(seen, said, asked[1]);
  };
  return { call, refused };
};

/** A test key: it reaches nobody, and the test knows its codes. */
async function testKey(scopes) {
  const { id } = await openShop(server, money);
  return (await issueKey(server, id, { mode: "test", scopes })).key;
}

for (const name of Object.keys(styles)) {
  test(`${name}: a code is sent, checked once, and taken back`, async () => {
    const key = await testKey(["verify"]);
    const { call, refused } = callsOf(name, key);
    const start = (number = to) => call(ofService, "verifications.create", { to: number, channel: "sms" });
    const check = (typed, number = to) => call(ofService, "verificationChecks.create", { to: number, code: typed });
    const missing = `The requested resource /Services/${service}/VerificationCheck was not found`;

    const started = inOneForm(await start());
    assert.match(started.sid, /^VE[0-9a-f]{32}$/);
    assert.deepEqual(
      [started.serviceSid, started.accountSid, started.to, started.channel, started.status, started.valid],
      [service, account, to, "sms", "pending", false],
    );
    assert.ok(Math.abs(Date.parse(started.dateCreated) - Date.now()) < 3_600_000, started.dateCreated);
    const own = await api(server, "GET", `/verify?recipient=${encodeURIComponent(to)}`, { key });
    const [{ id, purpose }] = own.json.data.verifications;
    assert.deepEqual([`VE${id.replaceAll("-", "")}`, purpose], [started.sid, service.slice(2)]);
    for (const sid of [started.sid, to])
      assert.equal((await call(ofService, "verifications.fetch", undefined, sid)).sid, started.sid);

    const wrong = await check("111111");
    assert.deepEqual([wrong.status, wrong.valid], ["pending", false]);
    const right = await check(code);
    assert.deepEqual([right.sid, right.status, right.valid], [started.sid, "approved", true]);
    await refused(404, 20_404, missing, ofService, "verificationChecks.create", { to, code });
    assert.equal((await call(ofService, "verifications.fetch", undefined, started.sid)).status, "approved");

    const other = "+989351234567";
    const { sid } = await start(other);
    const unserved = "Service does not support this feature";
    await refused(403, 60_204, unserved, ofService, "verifications.update", { status: "approved" }, sid);
    const canceled = await call(ofService, "verifications.update", { status: "canceled" }, sid);
    assert.deepEqual([canceled.sid, canceled.status], [sid, "canceled"]);
    await refused(404, 20_404, missing, ofService, "verificationChecks.create", { to: other, code });

    const last = "+989191234567";
    await start(last);
    for (let wrongs = 0; wrongs < 5; wrongs += 1) assert.equal((await check("111111", last)).status, "pending");
    const most = "Max check attempts reached";
    await refused(429, 60_202, most, ofService, "verificationChecks.create", { to: last, code });
  });

  test(`${name}: each error of Verify as its user sees it`, async () => {
    const { call, refused } = callsOf(name, await testKey(["verify"]));
    const create = (status, number, text, args) =>
      refused(status, number, text, ofService, "verifications.create", { to, channel: "sms", ...args });
    await create(400, 60_200, "Invalid parameter `To`: 12", { to: "12" });
    await create(403, 60_223, "Delivery channel disabled: CALL", { channel: "call" });
    await create(403, 60_204, "Service does not support this feature", { customCode: "123456" });
    await call(ofService, "verifications.create", { to, channel: "sms" });
    await create(429, 60_212, "Too many concurrent requests for phone number");
    const short = "Invalid parameter `Code`: 12";
    await refused(400, 60_200, short, ofService, "verificationChecks.create", { to, code: "12" });
  });

  test(`${name}: what a program looks at before it sends`, async () => {
    const { call } = callsOf(name, await testKey(["account:read"]));
    const accounts = await call([["api"], ["v2010"]], "accounts.list");
    assert.deepEqual(
      accounts.map(({ sid, status }) => [sid, status]),
      [[account, "active"]],
    );
    const lines = await call([], "incomingPhoneNumbers.list", { phoneNumber: server.line });
    assert.deepEqual(
      lines.map(({ phoneNumber, capabilities }) => [phoneNumber, capabilities.sms]),
      [[server.line, true]],
    );
    const found = await call([], "incomingPhoneNumbers.fetch", undefined, lines[0].sid);
    assert.deepEqual(inOneForm(found), inOneForm(lines[0]));
    const services = await call([["messaging"], ["v1"]], "services.list");
    assert.equal(services.length, 1);
    const named = await call([["messaging"], ["v1"]], "services.fetch", undefined, messages);
    assert.deepEqual([named.sid, named.friendlyName], [messages, services[0].friendlyName]);
    assert.equal((await call(ofVerify, "services.fetch", undefined, service)).sid, service);
    const looked = await call([["lookups"], ["v2"]], "phoneNumbers.fetch", undefined, to);
    assert.deepEqual(
      [looked.valid, looked.phoneNumber, looked.nationalFormat, looked.countryCode],
      [true, to, "0912 123 4567", "IR"],
    );
    const none = await call([["lookups"], ["v2"]], "phoneNumbers.fetch", undefined, "12");
    assert.deepEqual([none.valid, none.validationErrors], [false, ["TOO_SHORT"]]);
  });
}

test("a program that names its service in From, and the channel, sends", async () => {
  const { key } = await openShop(server, money);
  const answer = await fetch(`${server.baseUrl}/2010-04-01/Accounts/${account}/Messages.json`, {
    method: "POST",
    headers: { Authorization: `Basic ${btoa(`${account}:${key}`)}` },
    body: new URLSearchParams({ To: to, Channel: "sms", From: messages, Body: "Your code is 123456" }),
  });
  const said = await answer.json();
  assert.equal(answer.status, 201, JSON.stringify(said));
  assert.deepEqual([said.messaging_service_sid, said.status, said.from], [messages, "accepted", server.line]);
});

const basic = (key) => `Basic ${btoa(`${account}:${key}`)}`;
/** The libraries of other languages, which no registry here has: the headers and the forms that their sources write. */
const written = {
  // `CurlClient` writes the options of a call in the order of its list.
  "twilio-php": {
    headers: (key) => ({
      Authorization: basic(key),
      "User-Agent": "twilio-php/8.12.0 (Linux x86_64) PHP/8.2.20",
      "Accept-Charset": "utf-8",
      "Content-Type": form,
      Accept: "application/json",
    }),
    start: (to) => `To=${to}&Channel=sms`,
    check: (to, typed) => `Code=${typed}&To=${to}`,
  },
  // Faraday's `FlatParamsEncoder` sorts them.
  "twilio-ruby": {
    headers: (key) => ({
      "User-Agent": "twilio-ruby/7.11.1 (linux-gnu x86_64) Ruby/3.3.0",
      "Accept-Charset": "utf-8",
      "Content-Type": form,
      Accept: "application/json",
      Authorization: basic(key),
    }),
    start: (to) => `Channel=sms&To=${to}`,
    check: (to, typed) => `Code=${typed}&To=${to}`,
  },
  // So does `url.Values.Encode`.
  "twilio-go": {
    headers: (key) => ({
      "User-Agent": "twilio-go/1.28.0 (linux amd64) go/go1.22.5",
      Authorization: basic(key),
      "Content-Type": form,
      "Accept-Encoding": "gzip",
    }),
    start: (to) => `Channel=sms&To=${to}`,
    check: (to, typed) => `Code=${typed}&To=${to}`,
  },
  // A `HashMap` has them in the order of its buckets.
  "twilio-java": {
    headers: (key) => ({
      "X-Twilio-Client": "java-10.6.4",
      "User-Agent": "twilio-java/10.6.4 (Linux amd64) java/17.0.15",
      Accept: "application/json",
      "Accept-Encoding": "utf-8",
      Authorization: basic(key),
      "Content-Type": form,
    }),
    start: (to) => `Channel=sms&To=${to}`,
    check: (to, typed) => `To=${to}&Code=${typed}`,
  },
};
/** The times that all of them read: `Time.iso8601` of Ruby, `time.Time` of Go, `ZonedDateTime` of Java and `DateTime` of PHP. */
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
/** What their classes of errors read. */
const errorOf = ({ code, message, more_info: page, status }) => {
  assert.equal(page, `https://www.twilio.com/docs/errors/${code}`);
  assert.ok(message.length > 0);
  return [status, code];
};

for (const [name, { headers, start, check }] of Object.entries(written)) {
  test(`${name}, by the requests that its source writes: a code is sent, checked, and taken back`, async () => {
    const key = await testKey(["verify"]);
    const ask = asker(doors.env);
    const verify = `https://verify.twilio.com/v2/Services/${service}`;
    const call = (method, path, body) => {
      const { "Content-Type": type, ...others } = headers(key);
      return ask(method, `${verify}${path}`, method === "POST" ? { ...others, "Content-Type": type } : others, body);
    };
    const number = (text) => encodeURIComponent(text);

    const { http, said: made } = await call("POST", "/Verifications", start(number(to)));
    assert.equal(http, 201, JSON.stringify(made));
    assert.deepEqual(
      [made.service_sid, made.account_sid, made.to, made.channel, made.status, made.valid],
      [service, account, to, "sms", "pending", false],
    );
    for (const at of [made.date_created, made.date_updated]) assert.match(at, time);
    for (const path of [made.sid, number(to)]) {
      const found = await call("GET", `/Verifications/${path}`);
      assert.deepEqual([found.http, found.said.sid], [200, made.sid]);
    }

    const wrong = await call("POST", "/VerificationCheck", check(number(to), "111111"));
    assert.deepEqual([wrong.http, wrong.said.status, wrong.said.valid], [201, "pending", false]);
    const right = await call("POST", "/VerificationCheck", check(number(to), code));
    assert.deepEqual([right.http, right.said.sid, right.said.status], [201, made.sid, "approved"]);
    assert.deepEqual([right.said.valid, right.said.to], [true, to]);
    for (const at of [right.said.date_created, right.said.date_updated]) assert.match(at, time);
    const again = await call("POST", "/VerificationCheck", check(number(to), code));
    assert.deepEqual([again.http, ...errorOf(again.said)], [404, 404, 20_404]);

    const other = await call("POST", "/Verifications", start(number("+989351234567")));
    const canceled = await call("POST", `/Verifications/${other.said.sid}`, "Status=canceled");
    assert.deepEqual([canceled.http, canceled.said.status], [200, "canceled"]);
    const bad = await call("POST", "/Verifications", start(number("+12")));
    assert.deepEqual([bad.http, ...errorOf(bad.said)], [400, 400, 60_200]);
  });
}
