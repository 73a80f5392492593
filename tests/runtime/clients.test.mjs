// The client libraries, each in a program of its own language, against the service, sometimes through a network that fails.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as typescript from "../../clients/typescript/src/index.mjs";
import { drive, libraries, versionOf } from "../support/client-libraries.mjs";
import {
  assertOneMessage,
  errorOf,
  kept,
  keysOf,
  number,
  openFullShop,
  post,
  problem,
  proxy,
  server,
  testEach,
  text,
  turnedAway,
  values,
} from "../support/client-tests.mjs";
import { until } from "../support/server.mjs";
import { issueKey, message, openShop, whenDone } from "../support/shop.mjs";

testEach("an address without encryption is refused, but on this machine", async (language) => {
  const exposed = [
    "http://sms.example.com",
    "HTTP://sms.example.com",
    "http://10.0.0.5:8787",
    "http://localhost.example.com",
    "http://127.0.0.1.example.com",
    "http://localhost@sms.example.com",
    "ftp://sms.example.com",
    "//sms.example.com",
  ];
  for (const baseUrl of exposed) {
    const { kind, message } = await errorOf(language, { baseUrl, apiKey: "peyk_live_x" }, ["getBalance"]);
    assert.equal(kind, "argument", baseUrl);
    if (baseUrl.includes(":")) assert.match(message, /https:\/\//, baseUrl);
  }
  for (const baseUrl of ["http://127.0.0.1:9", "http://localhost:9", "http://[::1]:9", "https://127.0.0.1:9"]) {
    const { kind } = await errorOf(language, { baseUrl, apiKey: "peyk_live_x", maxAttempts: 1 }, ["getBalance"]);
    assert.equal(kind, "NetworkError", baseUrl);
  }
});

testEach("a wrong setting is refused with words, before any request", async (language) => {
  const good = { baseUrl: "http://127.0.0.1:9", apiKey: "peyk_live_x" };
  const wrong = [
    [{ apiKey: "" }, /api_?key is missing/i],
    [{ apiKey: "peyk_live_x\n" }, /blank or a line break/],
    [{ apiKey: "peyk live" }, /blank or a line break/],
    [{ apiKey: '"peyk_live_x"' }, /quote/],
    [{ apiKey: "peyk_live_é" }, /character that no key has/],
    [{ baseUrl: "" }, /base_?url is missing/i],
    [{ baseUrl: "sms.example.com" }, /https:\/\//],
    [{ baseUrl: " https://sms.example.com" }, /blank or a line break/],
    [{ baseUrl: "https://" }, /no address/],
    [{ baseUrl: "https://sms.example.com:x" }, /no address/],
    [{ baseUrl: "https://shop:secret@sms.example.com" }, /a name or a password/],
    [{ baseUrl: "https://sms.example.com/?key=x" }, /without a query/],
    [{ baseUrl: "https://sms.example.com#x" }, /without a query/],
    [{ timeout: 0 }, /timeout(Ms)? must be/],
    [{ timeout: -1 }, /timeout(Ms)? must be/],
    [{ timeout: 86_401 }, /timeout(Ms)? must be/],
    [{ timeout: "30" }, /timeout(Ms|\))? must be/],
    [{ maxAttempts: 0 }, /max_?attempts must be a whole number from 1 to 100, not 0/i],
    [{ maxAttempts: 101 }, /max_?attempts must be/i],
    [{ maxAttempts: 1.5 }, /max_?attempts\)? must be/i],
    [{ maxRetryAfter: -1 }, /max_?retry_?after(Ms)? must be/i],
    [{ language: "de" }, /language must be .en. or .fa., not .de./],
    [{ timeOut: 3 }, /time_?out/i],
  ];
  for (const [setting, words] of wrong) {
    const { kind, message } = await errorOf(language, { ...good, ...setting }, ["getBalance"]);
    assert.equal(kind, "argument", `${JSON.stringify(setting)}: ${message}`);
    assert.match(message, words, JSON.stringify(setting));
    assert.ok(!setting.apiKey || !message.includes(setting.apiKey.trim()), message);
  }
  const shop = await openShop(server, 10);
  const slashes = { baseUrl: `${server.baseUrl}/v1//`, apiKey: shop.key };
  const [{ totalBalance }] = await values(language, slashes, [["getBalance"]]);
  assert.equal(totalBalance, 10);
});

testEach("every call returns what the API answers", async (language) => {
  const shop = await openFullShop();
  const client = { baseUrl: server.baseUrl, apiKey: shop.key };
  const pattern = { pattern: "login", variables: { OTP: 48213 }, recipient: number };
  const phonebook = { phonebook: shop.phonebook, message: "سلام %name%", exclude: ["09351234567"] };
  const bulk = {
    messages: [
      { recipient: number, message: "a" },
      { ...pattern, recipient: "09351234567" },
    ],
  };
  const bodies = { send: { ...text, clientRef: "order-7", sourceNumber: server.line }, pattern, phonebook, bulk };
  const estimates = await values(
    language,
    client,
    Object.entries(bodies).map(([kind, body]) => ["estimate", { [kind]: body }]),
  );
  for (const [index, [kind, body]] of Object.entries(bodies).entries())
    assert.deepEqual(estimates[index], await post(shop, "/sms/estimate", { [kind]: body }));
  const [full, ...sent] = await values(language, client, [
    ["getBalance"],
    ["send", bodies.send],
    ["sendPattern", pattern],
    ["sendPhonebook", phonebook],
    ["sendBulk", bulk],
  ]);
  assert.deepEqual(full, { availableBalance: 1e6, lockedBalance: 0, totalBalance: 1e6, unit: "IRR" });
  assert.deepEqual(
    sent.map(({ type, status, cost, recipients }) => [type, status, cost, recipients.length]),
    [
      ["PLAIN", "QUEUED", 1_000, 1],
      ["PATTERN", "QUEUED", 1_000, 1],
      ["PHONEBOOK", "QUEUED", 1_000, 1],
      ["BULK", "QUEUED", 2_000, 2],
    ],
  );
  assert.equal(sent[0].clientRef, "order-7");
  for (const { uid } of sent) await whenDone(server, shop.key, uid);
  const [balance, ...read] = await values(language, client, [
    ["getBalance"],
    ...sent.map(({ uid }) => ["getMessage", uid]),
  ]);
  assert.deepEqual(balance, { availableBalance: 995_000, lockedBalance: 0, totalBalance: 995_000, unit: "IRR" });
  for (const found of read) assert.deepEqual(found, await message(server, shop.key, found.uid));
  assert.deepEqual(
    read.map(({ uid, counts }) => [uid, counts]),
    sent.map(({ uid, recipients }) => [uid, { DELIVERED: recipients.length }]),
  );
});

testEach("all recipients of a message are listed, page by page, and those of one status", async (language) => {
  const shop = await openShop(server, 1_000_000);
  const recipients = Array.from({ length: 401 }, (_, index) => `0912${String(index).padStart(4, "0")}90${index % 3}`);
  const { uid } = await post(shop, "/sms/send", { message: "hello", recipients });
  await until(async () => !((await message(server, shop.key, uid)).counts.QUEUED > 0), { what: "outcomes" });
  const through = await proxy();
  const [everyone, rejected] = await values(language, { baseUrl: through.baseUrl, apiKey: shop.key }, [
    ["listRecipients", uid],
    ["listRecipients", uid, { status: "REJECTED" }],
  ]);
  const refused = everyone.filter(({ status }) => status === "REJECTED");
  assert.equal(new Set(everyone.map((recipient) => recipient.uid)).size, 401);
  assert.equal(refused.length, 134);
  assert.deepEqual(rejected, refused);
  assert.equal(through.requests.length, 4);
});

testEach("a number is erased by an order, whose progress can be read", async (language) => {
  const shop = await openShop(server, 10_000);
  const { key } = await issueKey(server, shop.id, { scopes: ["erasure"] });
  await post(shop, "/blacklist", { numbers: [number] });
  const client = { baseUrl: server.baseUrl, apiKey: key };
  const [order] = await values(language, client, [["startErasure", number]]);
  assert.deepEqual([order.numberEnding, order.orderedBy, order.status], ["67", "ACCOUNT", "RUNNING"]);
  const read = () => values(language, client, [["getErasure", order.id]]);
  const [found] = await until(async () => {
    const orders = await read();
    return orders[0].found.blacklisted && orders;
  });
  assert.deepEqual([found.id, found.doneAt, found.found.recipients], [order.id, null, 0]);
});

testEach("a refusal is an error with its code, faults and request id, and is not tried again", async (language) => {
  const [shop, poor] = [await openFullShop(), await openShop(server, 999)];
  const through = await proxy();
  const refusals = [
    [poor, ["send", text], [400, 2001, "Insufficient balance", []]],
    [shop, ["send", { ...text, sourceNumber: "30001234" }], [406, 3012, "Source number not found", ["/sourceNumber"]]],
    [shop, ["sendPattern", { pattern: "nothing", recipient: number }], [422, 3002, undefined, ["/pattern"]]],
    [
      shop,
      ["send", { message: "", recipients: [number, "x"] }],
      [422, 422, "Validation failed", ["/message", "/recipients/1"]],
    ],
    [shop, ["getMessage", "a/../b"], [404, 404, "Not found", []]],
    [{ key: "peyk_live_nothing" }, ["getBalance"], [401, 401, "Unauthorized", []]],
  ];
  for (const [{ key }, call, [status, code, title, pointers]] of refusals) {
    const error = await errorOf(language, { baseUrl: through.baseUrl, apiKey: key }, call);
    assert.deepEqual([error.kind, error.status, error.code], ["ApiError", status, code], error.message);
    if (title) assert.equal(error.title, title);
    assert.deepEqual(
      error.errors.map(({ pointer }) => pointer),
      pointers,
    );
    assert.equal(error.message, `${error.title} (${code}): ${error.detail}`);
    assert.match(error.requestId, /^[0-9a-f-]{36}$/);
    assert.equal(error.retryAfter, null);
    assert.equal(typeof error.idempotencyKey === "string", call[0].startsWith("send"));
  }
  assert.equal(through.requests.length, refusals.length);
  assert.deepEqual(await kept(shop), []);
  const persian = { baseUrl: server.baseUrl, apiKey: poor.key, language: "fa" };
  assert.match((await errorOf(language, persian, ["send", text])).title, /[\u0600-\u06ff]/);
});

testEach("a send whose answers get lost has one key in all its tries, and is sent and paid once", async (language) => {
  const lost = [
    { answer: "broken" },
    { answer: "cut" },
    { answer: problem(503, { "retry-after": "0" }) },
    { reaches: false, answer: "broken" },
  ];
  for (const faults of [lost.slice(0, 2), lost.slice(2)]) {
    const shop = await openShop(server, 10_000);
    const through = await proxy(faults);
    const [sent] = await values(language, { baseUrl: through.baseUrl, apiKey: shop.key }, [["send", text]]);
    await assertOneMessage(shop, sent.uid);
    const { requests } = through;
    assert.deepEqual(
      requests.map(({ status }) => status),
      [...faults.map(({ reaches = true }) => (reaches ? 201 : null)), 201],
    );
    assert.equal(new Set(keysOf(through)).size, 1);
    assert.equal(new Set(requests.map(({ body }) => body)).size, 1);
  }
});

testEach("every send has a key of its own, or the caller's, and says so to the service", async (language) => {
  const shop = await openShop(server, 10_000);
  const through = await proxy();
  const idempotencyKey = "order-17-paid";
  const sent = await values(language, { baseUrl: through.baseUrl, apiKey: shop.key }, [
    ["send", text],
    ["send", text],
    ["send", text, { idempotencyKey }],
    ["send", text, { idempotencyKey }],
    ["estimate", { send: text }],
  ]);
  const keys = keysOf(through);
  assert.deepEqual(keys.slice(2), [idempotencyKey, idempotencyKey, undefined]);
  assert.equal(new Set(keys.slice(0, 3)).size, 3);
  assert.equal(sent[2].uid, sent[3].uid);
  assert.equal((await kept(shop)).length, 3);
  const version = versionOf(language);
  for (const { headers } of through.requests) assert.equal(headers["user-agent"], `peyk-${language}/${version}`);
  const smuggled = await errorOf(language, { baseUrl: through.baseUrl, apiKey: shop.key }, [
    "send",
    text,
    { idempotencyKey: "a\r\nX-Other: b" },
  ]);
  assert.equal(smuggled.kind, "argument");
  assert.equal(through.requests.length, 5);
});

test("the libraries have one version", () => {
  const versions = Object.keys(libraries).map(versionOf);
  assert.equal(new Set(versions).size, 1, `${versions}`);
  assert.equal(typescript.VERSION, versions[0]);
});

testEach("a 429 is tried again after Retry-After, but not if that is longer than the bound", async (language) => {
  const shop = await openShop(server, 10_000);
  const patient = await proxy([turnedAway(429, { "retry-after": "1" })]);
  const [balance] = await values(language, { baseUrl: patient.baseUrl, apiKey: shop.key }, [["getBalance"]]);
  assert.equal(balance.availableBalance, 10_000);
  const [first, second] = patient.requests;
  // Timers may be early by a millisecond.
  assert.ok(second.at - first.at >= 995, `${second.at - first.at} ms`);
  // The account gets one request a day.
  const slow = await openShop(server, 0, { rateLimit: { limit: 1, windowSeconds: 86_400, burst: 1 } });
  const passing = await proxy();
  const [allowed, refused] = await drive(language, { baseUrl: passing.baseUrl, apiKey: slow.key }, [
    ["getBalance"],
    ["getBalance"],
  ]);
  assert.deepEqual([allowed.value.totalBalance, refused.error.code], [0, 429]);
  assert.ok(refused.error.retryAfter > 30, `${refused.error.retryAfter}`);
  assert.equal(passing.requests.length, 2);
  for (const [retryAfter, bound] of [[31], [2, { maxRetryAfter: 1 }]]) {
    const hasty = await proxy([turnedAway(429, { "retry-after": String(retryAfter) })]);
    const error = await errorOf(language, { baseUrl: hasty.baseUrl, apiKey: shop.key, ...bound }, ["getBalance"]);
    assert.deepEqual([error.kind, error.code, error.retryAfter], ["ApiError", 429, retryAfter]);
    assert.equal(hasty.requests.length, 1);
  }
});

testEach("a limit of a recipient is not tried again, because its end may bring another message", async (language) => {
  const { id } = await openShop(server, 0);
  const { key } = await issueKey(server, id, { mode: "test" });
  const passing = await proxy();
  // To a test key this number rehearses the limit.
  const call = ["send", { ...text, recipients: ["09121193018"] }];
  const error = await errorOf(language, { baseUrl: passing.baseUrl, apiKey: key, maxRetryAfter: 3_600 }, call);
  assert.deepEqual([error.kind, error.code, error.status], ["ApiError", 3018, 429]);
  assert.ok(error.retryAfter <= 3_600, `${error.retryAfter}`);
  assert.equal(passing.requests.length, 1);
});

testEach("a client gives up after its bound, and names the key to repeat the send with", async (language) => {
  const shop = await openShop(server, 10_000);
  const broken = await proxy([{ answer: "broken" }, { answer: "broken" }, { answer: "broken" }]);
  const error = await errorOf(language, { baseUrl: broken.baseUrl, apiKey: shop.key }, ["send", text]);
  assert.equal(error.kind, "NetworkError");
  assert.deepEqual(keysOf(broken), Array(3).fill(error.idempotencyKey));
  const { idempotencyKey } = error;
  const [sent] = await values(language, { baseUrl: server.baseUrl, apiKey: shop.key }, [
    ["send", text, { idempotencyKey }],
  ]);
  await assertOneMessage(shop, sent.uid);

  const overloaded = Array(4).fill(turnedAway(503, { "retry-after": "0" }));
  for (const [bound, tries] of [
    [{}, 3],
    [{ maxAttempts: 1 }, 1],
    [{ maxAttempts: 4 }, 4],
  ]) {
    const through = await proxy(overloaded);
    const { kind, code } = await errorOf(language, { baseUrl: through.baseUrl, apiKey: shop.key, ...bound }, [
      "getBalance",
    ]);
    assert.deepEqual([kind, code, through.requests.length], ["ApiError", 503, tries]);
  }
});

testEach("a server that says nothing is a failure of the network after the timeout", async (language) => {
  const silent = await proxy([{ reaches: false, answer: "silent" }]);
  const client = { baseUrl: silent.baseUrl, apiKey: "k", timeout: 0.2, maxAttempts: 1 };
  assert.equal((await errorOf(language, client, ["getBalance"])).kind, "NetworkError");
});

testEach("what only a machine in between answers is an error, and no redirect is followed", async (language) => {
  const elsewhere = await proxy();
  const answers = [
    [problem(500), [500, "Title", "r"]],
    [{ status: 502, body: "<html>" }, [502, "Unexpected answer", null]],
    [{ status: 403, body: '{"code":"blocked","meta":[]}' }, [403, "Unexpected answer", null]],
    [{ status: 302, headers: { location: `${elsewhere.baseUrl}/` } }, [302, "Unexpected answer", null]],
  ];
  for (const [answer, [code, title, requestId]] of answers) {
    const through = await proxy([{ reaches: false, answer }]);
    const error = await errorOf(language, { baseUrl: through.baseUrl, apiKey: "k" }, ["send", text]);
    assert.deepEqual([error.kind, error.code, error.title, error.requestId], ["ApiError", code, title, requestId]);
    assert.equal(through.requests.length, 1);
  }
  assert.equal(elsewhere.requests.length, 0);
});
