// The official library of ippanel, unmodified, against the service: what its users see, and what our own API tells of it. Its
// newer protocol and its oldest have no library here: plain programs call them.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openLibrary } from "../support/doors/libraries.mjs";
import { post, shopWithPattern } from "../support/doors/shop.mjs";
import { standFor } from "../support/doors/terminator.mjs";
import { sharedServer, until } from "../support/server.mjs";
import { all, assertLedgerAddsUp, issueKey, openShop, tomorrow, walletOf } from "../support/shop.mjs";

const money = 100_000;
const phone = "09121234567";
const pair = [phone, "989351234567"];
const blocked = "09121230901";
let doors;
let library;
const server = sharedServer(async () => {
  doors = await standFor(["api2.ippanel.com"], () => server.baseUrl);
  library = await openLibrary("ippanel-python", doors.env);
});
after(async () => {
  await library?.close();
  await doors?.stop();
});

/** What a call of the library returns that must succeed. */
async function value(key, call, ...args) {
  const outcome = await library.call([key], call, ...args);
  assert.equal(outcome.error, undefined, `${call}: ${JSON.stringify(outcome)}`);
  return outcome.value;
}

const posted = (...asked) => post(server, ...asked);
const openShopWithPattern = () => shopWithPattern(server, money, "login-code", "code %code%");

/** Waits until the recipients of a message have these statuses. */
const reaches = (read, wanted) =>
  until(async () => JSON.stringify(await read()) === JSON.stringify(wanted), { what: `the statuses ${wanted}` });

/** The statuses of a message, as the library tells them. */
const statusesOf = (key, id) => async () =>
  (await value(key, "fetch_statuses", id, 0, 10))[0].map(({ status }) => status);

/** What our own API tells of the messages of an account, the oldest first. */
async function told(key) {
  const messages = await all(server, key, "/messages");
  return messages.map(({ message, type, recipientCount, status }) => [message, type, recipientCount, status]).reverse();
}

test("each call of the library", async () => {
  const { key } = await openShopWithPattern();
  assert.equal(await value(key, "get_credit"), money);

  const id = await value(key, "send", `+98${server.line}`, [...pair, blocked], "سلام دنیا", "سفارش ۷");
  assert.ok(Number.isSafeInteger(id) && id > 0, `${id}`);
  await reaches(statusesOf(key, id), [2, 2, 4]);
  const [recipients, paging] = await value(key, "fetch_statuses", id, 0, 2);
  assert.deepEqual(recipients, [
    { recipient: "+989121234567", status: 2 },
    { recipient: "+989351234567", status: 2 },
  ]);
  assert.deepEqual(paging, { total: 3, limit: 2, page: 1, pages: 2, prev: null, next: null });
  const [rest] = await value(key, "fetch_statuses", id, 2, 2);
  assert.deepEqual(rest, [{ recipient: "+989121230901", status: 4 }]);

  const { time, time_send, ...message } = await value(key, "get_message", id);
  assert.deepEqual(message, {
    message_id: id,
    number: `+98${server.line}`,
    message: "سلام دنیا",
    state: "finish",
    type: "webservice",
    valid: "approve",
    recipient_count: 3,
    exit_count: 3,
    part: 1,
    cost: 3_000,
    // The blocked number got nothing, and what it cost has come back.
    return_cost: 1_000,
    summary: "",
  });
  assert.ok(Math.abs(Date.parse(time) - Date.now()) < 3_600_000 && time === time_send, time);

  const code = await value(key, "send_pattern", "login-code", server.line, phone, { code: "852596" });
  await reaches(statusesOf(key, code), [2]);
  assert.equal((await value(key, "get_message", code)).message, "code 852596");
  const made = await value(key, "create_pattern", "%name% سلام", "welcome", { name: "string" });
  const greeting = await value(key, "send_pattern", made, server.line, phone, { name: "سارا" });
  await reaches(statusesOf(key, greeting), [2]);

  const [inbox, none] = await value(key, "fetch_inbox");
  assert.deepEqual([inbox, none.total], [[], 0]);

  // The effects, as our own API tells them.
  assert.deepEqual(await told(key), [
    ["سلام دنیا", "PLAIN", 3, "DONE"],
    ["code 852596", "PATTERN", 1, "DONE"],
    ["سارا سلام", "PATTERN", 1, "DONE"],
  ]);
  const { available, locked } = await assertLedgerAddsUp(server, key);
  assert.equal(locked, 0);
  assert.equal(await value(key, "get_credit"), available);
});

test("the library takes the service's own address", async () => {
  const { key } = await openShop(server, money);
  const client = [key, `${server.baseUrl}/api/v1/`];
  assert.deepEqual(await library.call(client, "get_credit"), { value: money });
  assert.deepEqual((await library.call(client, "fetch_inbox")).value[0], []);
});

test("each error as the library's user sees it, and nothing is sent", async () => {
  const { id, key } = await openShopWithPattern();
  const poor = await openShop(server, 0);
  const slow = await openShop(server, money, { rateLimit: { limit: 1, windowSeconds: 3_600, burst: 1 } });
  const { key: blind } = await issueKey(server, id, { scopes: ["phonebook"] });
  const { key: rehearsing } = await issueKey(server, id, { mode: "test" });
  const { line } = server;
  const refused = async (code, text, call, args, by = key) => {
    const { error } = await library.call([by], call, ...args);
    assert.deepEqual([error?.class, error?.code], ["Error", code], `${call}: ${JSON.stringify(error)}`);
    assert.ok(error.message.startsWith(text), error.message);
  };
  const broken = async (status, call, args, by) => {
    const { error } = await library.call([by], call, ...args);
    assert.equal(error?.class, "HTTPError", JSON.stringify(error));
    assert.match(error.message, new RegExp(`^${status} `));
  };
  const send = (to, text = "x", sender = line) => [sender, [to], text, ""];
  const noRecipient = "دریافت کننده نامعتبر می باشد.";
  const noVariable = "پارامتر های ارسالی برای پترن نامعتبر است. variable.code: ";
  const noAccount = "کاربر محدود گردیده است.";
  await refused(401, "کلید وب سرویس معتبر نیست", "send", send(phone), "wrong-wrong-wrong-wrong");
  await refused(403, "دسترسی نامعتبر می باشد.", "send", send(phone), blind);
  await refused(422, "تکمیل گزینه پیام الزامی است", "send", send(phone, ""));
  await refused(422, "recipient: ", "send", send("12"));
  await refused(422, "message: ", "send", send(phone, "x".repeat(2_000)));
  await refused(422, "خط به شما تعلق ندارد.", "send", send(phone, "x", "99999"));
  await refused(422, noRecipient, "send", send("00971501234567"));
  await refused(400, "اعتبار کافی نیست.", "send", send(phone), poor.key);
  await refused(404, "پترن در دسترس نیست.", "send_pattern", ["none", line, phone, { code: "1" }]);
  await refused(422, noVariable, "send_pattern", ["login-code", line, phone, {}]);
  const long = { code: "1".repeat(101) };
  await refused(422, "Invalid variable value", "send_pattern", ["login-code", line, phone, long]);
  await refused(422, "گزینه انتخاب شده delimiter", "create_pattern", ["#a#", "x", {}, "#"]);
  await refused(404, "کد بالک ارسالی نامعتبر است.", "fetch_statuses", [77]);
  const nothing = await library.call([key], "get_message", 77);
  assert.deepEqual(nothing.error, { class: "ValueError", message: "returned response not valid" });
  await posted(key, "/blacklist", { numbers: [phone] });
  await refused(422, noRecipient, "send", send(phone));
  await refused(403, noAccount, "send", send("09121291003"), rehearsing);
  await refused(403, noAccount, "send", send("09121293011"), rehearsing);
  await broken(429, "send", send("09121290429"), rehearsing);
  await broken(503, "send", send("09121290503"), rehearsing);
  await value(slow.key, "get_credit");
  await broken(429, "send", send(phone), slow.key);
  assert.deepEqual(await all(server, key, "/messages"), []);
  assert.equal((await walletOf(server, key)).availableBalance, money);
});

/** Calls a path of the service as plain programs do. */
async function plain(authorization, method, path, body) {
  const answer = await fetch(`${server.baseUrl}${path}`, {
    method,
    headers: { Authorization: authorization, "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

test("a program for Edge sends, cancels and reads", async () => {
  const { key } = await openShopWithPattern();
  const call = async (method, path, body) => {
    const { status, body: answer } = await plain(key, method, `/v1/api${path}`, body);
    assert.deepEqual([status, answer.meta.status, answer.meta.message_code], [200, true, "200-1"], answer.meta.message);
    return answer.data;
  };
  const send = async (body) =>
    (await call("POST", "/send", { from_number: `+98${server.line}`, ...body })).message_outbox_ids;
  const text = { sending_type: "webservice", message: "سلام", params: { recipients: [...pair, blocked] } };
  const [id] = await send(text);
  const [code] = await send({
    sending_type: "pattern",
    code: "login-code",
    recipients: [phone],
    params: { code: "48213" },
  });
  const items = [
    { recipients: [phone], message: "a" },
    { recipients: [pair[1]], message: "b" },
  ];
  const ids = await send({ sending_type: "peer_to_peer", params: items });
  const book = await posted(key, "/phonebook", { title: "customers" });
  await posted(key, `/phonebook/number/${book.id}`, { number: phone });
  const books = [{ phonebook_ids: [book.id], type: "all" }];
  const [booked] = await send({ sending_type: "phonebook", message: "hi", params: books });
  const statuses = (of) => async () =>
    (await call("GET", `/report/recipients?bulk_id=${of}`)).map(({ message_status }) => message_status);
  await reaches(statuses(id), ["2", "2", "4"]);
  for (const one of [code, ...ids, booked]) await reaches(statuses(one), ["2"]);
  const [second] = await call("GET", `/report/recipients?bulk_id=${ids[1]}`);
  assert.deepEqual([second.recipient, second.message, second.msg_parts], ["+989351234567", "b", "1"]);
  const outbox = await call("GET", `/report/by_bulk?messages_outbox_id=${id}`);
  assert.deepEqual([outbox.state, outbox.status, outbox.rcpts_count], ["finish", "پایان یافته", "3"]);

  const time = tomorrow().slice(0, 19).replace("T", " ");
  const [later] = await send({ ...text, send_time: time });
  assert.deepEqual(await statuses(later)(), ["0", "0", "0"]);
  assert.equal(await call("POST", "/send/cancel", { message_outbox_id: later }), null);
  const list = await call("POST", "/report/new_list", { page: 1, limit: 10, filters: { state_id: 7 } });
  assert.deepEqual(
    list.map(({ messages_outbox_id }) => messages_outbox_id),
    [`${later}`],
  );
  const { credit } = await call("GET", "/payment/credit/mine");
  assert.equal(credit, (await walletOf(server, key)).availableBalance);
  assert.deepEqual(
    (await told(key)).map(([, type, count, status]) => `${type} ${count} ${status}`),
    ["PLAIN 3 DONE", "PATTERN 1 DONE", "BULK 2 DONE", "PHONEBOOK 1 DONE", "PLAIN 3 CANCELED"],
  );
  const { status, body } = await plain("wrong-wrong-wrong-wrong", "POST", "/v1/api/send", text);
  assert.deepEqual(
    [status, body],
    [
      401,
      {
        data: null,
        meta: {
          status: false,
          message: "اطلاعات وارد شده صحیح نمی باشد",
          message_parameters: [],
          message_code: "400-1",
          errors: {},
        },
      },
    ],
  );
});

test("a program for the oldest protocol sends and reads, and our own paths stay ours", async () => {
  const { key } = await openShopWithPattern();
  const call = async (method, path, body) => {
    const { status, body: answer } = await plain(`AccessKey ${key}`, method, `/v1${path}`, body);
    assert.deepEqual([status, answer.status, answer.code], [200, "OK", "OK"], JSON.stringify(answer));
    return answer.data;
  };
  const { bulk_id: id } = await call("POST", "/messages", {
    originator: server.line,
    recipients: [...pair, blocked],
    message: "سلام",
  });
  const values = { code: "1" };
  const body = { pattern_code: "login-code", originator: server.line, recipient: phone, values };
  const { bulk_id: code } = await call("POST", "/messages/patterns/send", body);
  const statuses = (of) => async () =>
    (await call("GET", `/messages/${of}/recipients?page=0&limit=10`)).recipients.map(({ status }) => status);
  await reaches(statuses(id), ["delivered", "delivered", "discarded"]);
  await reaches(statuses(code), ["delivered"]);
  const { message } = await call("GET", `/messages/${id}`);
  assert.deepEqual([message.bulk_id, message.status, message.recipients_count], [id, "finish", 3]);
  assert.equal((await call("GET", "/credit")).credit, (await walletOf(server, key)).availableBalance);
  const { status, body: own } = await plain(`Bearer ${key}`, "GET", "/v1/messages");
  assert.deepEqual([status, own.data.length], [200, 2]);
});
