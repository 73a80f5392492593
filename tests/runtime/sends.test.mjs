// Every kind of send on the real runtime: in the exact bytes of existing clients, to ten thousand numbers, and with a
// large import.
import assert from "node:assert/strict";
import { test } from "node:test";
import { api, sharedServer, until } from "../support/server.mjs";
import {
  all,
  assertLedgerAddsUp,
  inbox,
  issueKey,
  message,
  openShop,
  soon,
  tomorrow,
  walletOf,
  whenDone,
} from "../support/shop.mjs";

const server = sharedServer();

const post = (key, path, body) => api(server, "POST", path, { key, body });

async function posted(key, path, body, status = 201) {
  const answer = await post(key, path, body);
  assert.equal(answer.status, status, answer.text);
  return answer.json.data;
}

async function activePattern(key, slug, text, variables) {
  await posted(key, "/pattern", { slug, title: slug, text, variables });
  await posted(key, `/pattern/${slug}/versions/1/activate`, undefined, 200);
}

const textsOf = async (shop) => [...(await inbox(server, shop.id)).values()].map(({ message }) => message);

test("requests in the exact bytes that existing clients send", async () => {
  const shop = await openShop(server, 100_000);
  const imported = await issueKey(server, shop.id, { key: "317|0lpRZjK2vXn9cQ7wEyT4uB8sD1fG6hJ3" });
  assert.equal(imported.key, "317|0lpRZjK2vXn9cQ7wEyT4uB8sD1fG6hJ3");
  await activePattern(shop.key, "otp-login", "کد ورود شما: %OTP%");
  await activePattern(shop.key, "welcome", "سلام، خوش آمدید\nhttps://shop.example/a");
  const send = async (path, raw, contentType) => {
    const headers = {
      "Content-Type": contentType,
      Accept: "application/json",
      Authorization: `Bearer ${imported.key}`,
    };
    const answer = await api(server, "POST", path, { raw, headers });
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.json.status, "CREATED");
    assert.ok(answer.json.data.uid && answer.json.data.recipients[0].uid);
    assert.ok(!["REJECTED", "CANCELED", "FAILED", "NO_BALANCE"].includes(answer.json.data.status));
    return answer.json.data;
  };
  // As PHP's json_encode writes it: an empty array for no variables, escaped slashes, \u for all non-ASCII characters.
  await send(
    "/v1/sms/pattern",
    '{"pattern":"welcome","variables":[],"recipient":"+989121234567"}',
    "application/json; charset=utf-8",
  );
  await send(
    "/sms/pattern",
    '{"pattern":"otp-login","variables":{"OTP":48213},"recipient":"09121234567","sourceNumber":null}',
    "application/json",
  );
  await send(
    "/sms/pattern",
    '{"pattern":"otp-login","variables":{"OTP":"48213","shop":"ignored"},"recipient":"989121234567"}',
    "application/json;charset=UTF-8",
  );
  await send(
    "/v1/sms/send",
    `{"message":"\\u0633\\u0644\\u0627\\u0645 https:\\/\\/shop.example\\/o\\/17 \\ud83d\\ude00","recipients":["0912 123 4567","\\u06f0\\u06f9\\u06f3\\u06f5\\u06f1\\u06f2\\u06f3\\u06f4\\u06f5\\u06f6\\u06f7"],"sourceNumber":"${server.line}"}`,
    "application/json; charset=utf-8",
  );
  await until(async () => (await textsOf(shop)).length === 5);
  assert.deepEqual(
    (await textsOf(shop)).sort(),
    [
      "سلام، خوش آمدید\nhttps://shop.example/a",
      "کد ورود شما: 48213",
      "کد ورود شما: 48213",
      "سلام https://shop.example/o/17 😀",
      "سلام https://shop.example/o/17 😀",
    ].sort(),
  );
  for (const path of ["/v1/account/info", "/v1/plan/tariff"]) {
    assert.equal(
      (await api(server, "GET", path, { headers: { authorization: `bearer ${imported.key}` } })).status,
      200,
    );
  }
});

test("a pattern's change shows at once to the account that made it", async () => {
  const shop = await openShop(server, 100_000);
  const send = () =>
    post(shop.key, "/sms/pattern", { pattern: "code", variables: { OTP: 1 }, recipient: "09121234567" });
  await activePattern(shop.key, "code", "one %OTP%");
  for (const [version, text] of [
    [2, "two %OTP%"],
    [3, "three %OTP%"],
  ]) {
    assert.equal((await send()).status, 201);
    await posted(shop.key, "/pattern/code/versions", { text });
    await posted(shop.key, `/pattern/code/versions/${version}/activate`, undefined, 200);
    const { uid } = (await send()).json.data;
    assert.equal(
      (await api(server, "GET", `/messages/${uid}`, { key: shop.key })).json.data.message,
      text.replace("%OTP%", "1"),
    );
  }
  await posted(shop.key, "/pattern/code/deactivate", undefined, 200);
  assert.equal((await send()).json.code, 3002);
});

test("ten thousand numbers: one request, one debit, every one to its end, personally", async () => {
  const shop = await openShop(server, 10_000_000);
  const { id } = await posted(shop.key, "/phonebook", { title: "All" });
  const rows = Array.from(
    { length: 10_000 },
    (_, index) => `0912${String(index).padStart(4, "0")}100,Name ${index},${index % 2 ? "Tehran" : ""}`,
  );
  const csv = `number,name,city\n${rows.join("\n")}\n`;
  const imported = await api(server, "POST", `/phonebook/${id}/import`, {
    key: shop.key,
    raw: csv,
    headers: { "Content-Type": "text/csv" },
  });
  const { columns, ...counts } = imported.json.data;
  assert.deepEqual(columns, { number: "number", name: "name", attributes: ["city"], leftOut: [] });
  assert.deepEqual(counts, { lines: 10_000, added: 10_000, updated: 0, invalidCount: 0, invalid: [] });
  const sent = await posted(shop.key, "/sms/phonebook/send", { phonebook: id, message: "Hi %name% %city%" });
  assert.equal(sent.recipients.length, 10_000);
  assert.equal(sent.cost, 10_000_000);
  const done = await whenDone(server, shop.key, sent.uid);
  assert.deepEqual(done.counts, { DELIVERED: 10_000 });
  const { spent, locked, entries } = await assertLedgerAddsUp(server, shop.key);
  assert.deepEqual([spent, locked], [10_000_000, 0]);
  assert.equal(entries.filter(({ type }) => type === "RESERVE").length, 1);
  const handed = await inbox(server, shop.id);
  assert.equal(handed.size, 10_000);
  for (const { recipient, message, taken } of handed.values()) {
    const index = Number(recipient.slice(6, 10));
    assert.equal(message, `Hi Name ${index} ${index % 2 ? "Tehran" : ""}`);
    assert.equal(taken, 1);
  }
  const exported = await fetch(`${server.baseUrl}/phonebook/${id}/export`, {
    headers: { authorization: `Bearer ${shop.key}`, connection: "close" },
  });
  assert.equal(exported.headers.get("content-type"), "text/csv; charset=utf-8");
  assert.ok(exported.headers.get("x-request-id"));
  const lines = (await exported.text()).trimEnd().split("\n");
  assert.equal(lines.length, 10_001);
  assert.deepEqual(lines.slice(0, 2), ["number,name,city", "+989120000100,Name 0,"]);
});

test("a file of a hundred thousand lines is imported, twice, and a larger one is refused unread", async () => {
  const shop = await openShop(server, 0);
  const { id } = await posted(shop.key, "/phonebook", { title: "Many" });
  const rows = Array.from({ length: 100_000 }, (_, index) =>
    index % 20_000 === 7 ? "nonsense;x" : `۰۹۱۲${String(index).padStart(7, "0")};"نام ${index % 100}"`,
  );
  const csv = `\ufeffشماره;نام\r\n${rows.join("\r\n")}\r\n`;
  assert.ok(Buffer.byteLength(csv) < 5 * 1024 * 1024);
  const send = (raw) =>
    api(server, "POST", `/phonebook/${id}/import`, {
      key: shop.key,
      raw,
      headers: { "Content-Type": "text/csv; charset=utf-8" },
    });
  const first = await send(csv);
  assert.equal(first.status, 201, first.text);
  const { invalid, columns, ...counts } = first.json.data;
  assert.deepEqual([columns.number, columns.name], ["شماره", "نام"]);
  assert.deepEqual(counts, { lines: 100_000, added: 99_995, updated: 0, invalidCount: 5 });
  assert.deepEqual(invalid[1], { line: 20_009, value: "nonsense", detail: "number: is not a valid phone number" });
  const again = await send(csv);
  assert.deepEqual([again.json.data.added, again.json.data.updated], [0, 99_995]);
  assert.equal((await api(server, "GET", `/phonebook/${id}`, { key: shop.key })).json.data.count, 99_995);
  const large = await send(`number\n${"0".repeat(5 * 1024 * 1024)}`);
  assert.deepEqual([large.status, large.json.code], [413, 413]);
  const refused = await post(shop.key, "/sms/phonebook/send", { phonebook: id, message: "x" });
  assert.deepEqual(
    [refused.status, refused.json.extra],
    [422, ["phonebook: has 99995 recipients or more, at most 10000 are allowed"]],
  );
  assert.deepEqual(await all(server, shop.key, "/messages"), []);
});

test("a send that the blacklist or the balance refuses leaves no trace", async () => {
  const shop = await openShop(server, 1_500);
  const { id } = await posted(shop.key, "/phonebook", { title: "Two" });
  await posted(shop.key, `/phonebook/number/${id}`, { numbers: ["09121234567", "09351234567"] });
  await activePattern(shop.key, "any", "x");
  const sends = [
    ["/sms/send", { message: "x", recipients: ["09121234567", "09351234567"] }],
    ["/sms/pattern", { pattern: "any", recipients: ["09121234567", "09351234567"] }],
    ["/sms/phonebook/send", { message: "%name%.", phonebook: id }],
    [
      "/sms/bulk",
      {
        messages: [
          { recipient: "09121234567", message: "a" },
          { recipient: "09351234567", message: "b" },
        ],
      },
    ],
  ];
  const refusals = async () => {
    const codes = [];
    for (const [path, body] of sends) {
      const answer = await api(server, "POST", path, { key: shop.key, body, headers: { "Idempotency-Key": path } });
      codes.push(answer.json.code);
    }
    return codes;
  };
  assert.deepEqual(await refusals(), [2001, 2001, 2001, 2001]);
  await posted(shop.key, "/blacklist", { numbers: ["09351234567"] });
  // The same Idempotency-Keys get another answer than before, because refusals are not remembered.
  assert.deepEqual(await refusals(), [3016, 3016, 3016, 3016]);
  assert.deepEqual(await walletOf(server, shop.key), {
    availableBalance: 1_500,
    lockedBalance: 0,
    totalBalance: 1_500,
    unit: "IRR",
  });
  assert.deepEqual(await all(server, shop.key, "/messages"), []);
  assert.equal((await assertLedgerAddsUp(server, shop.key)).entries.length, 1);
  assert.equal((await inbox(server, shop.id)).size, 0);
  const removed = await api(server, "DELETE", "/blacklist?number=%2B989351234567", { key: shop.key });
  assert.equal(removed.json.data.removed, 1);
});

test("a schedule is taken back with its money, and what is not taken back survives a crash", async () => {
  const shop = await openShop(server, 3_000);
  const schedule = (text, sendAt) =>
    post(shop.key, "/sms/bulk", { messages: [{ recipient: "09121234567", message: text }], sendAt });
  const statusOf = async ({ uid }) => (await message(server, shop.key, uid)).status;
  const [canceled, late] = [await schedule("canceled", tomorrow()), await schedule("late", tomorrow())].map(
    ({ json }) => json.data,
  );
  assert.deepEqual([canceled.status, late.status], ["SCHEDULED", "SCHEDULED"]);
  assert.equal((await walletOf(server, shop.key)).lockedBalance, 2_000);
  const cancel = () => api(server, "DELETE", `/messages/${canceled.uid}`, { key: shop.key });
  const answer = await cancel();
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.json.data.status, "CANCELED");
  assert.deepEqual((await cancel()).json.code, 409);
  assert.equal((await walletOf(server, shop.key)).lockedBalance, 1_000);
  const { sendAt, data: kept } = await soon((sendAt) => schedule("kept", sendAt));
  await server.kill();
  await server.restart();
  const done = await whenDone(server, shop.key, kept.uid);
  assert.equal(done.recipients[0].status, "DELIVERED");
  assert.ok(Date.parse(done.recipients[0].updatedAt) >= Date.parse(sendAt));
  assert.deepEqual(await textsOf(shop), ["kept"]);
  assert.deepEqual([await statusOf(canceled), await statusOf(late)], ["CANCELED", "SCHEDULED"]);
  const { locked, spent } = await assertLedgerAddsUp(server, shop.key);
  assert.deepEqual([locked, spent], [1_000, 1_000]);
});
