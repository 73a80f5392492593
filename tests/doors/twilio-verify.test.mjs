// The official libraries of Twilio, unmodified: Verify, Lookup, and what programs look at before they send.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openLibrary } from "../support/doors/libraries.mjs";
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
