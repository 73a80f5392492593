// The client libraries, each in a program of its own language, against the service, sometimes through a network that fails.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Miniflare } from "miniflare";
import * as typescript from "../../clients/typescript/src/index.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { ensureLanguages } from "../../scripts/lib/test/install.mjs";
import {
  drive,
  libraries,
  readFileOf,
  runProgram,
  runReadme,
  versionOf,
  withProgram,
  withReceiver,
} from "../support/client-libraries.mjs";
import { startFaultyProxy } from "../support/faulty-proxy.mjs";
import { listen } from "../support/receiver.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { all, assertLedgerAddsUp, issueKey, message, openShop, whenDone } from "../support/shop.mjs";

const server = sharedServer();
const number = "09121234567";
const text = { message: "سلام", recipients: [number] };
const toClose = [];

before(ensureLanguages);
after(() => Promise.all(toClose.map((closable) => closable.close())));

/** A test of each library. */
function testEach(name, run) {
  for (const language of Object.keys(libraries)) test(`${language}: ${name}`, () => run(language));
}

async function proxy(faults) {
  toClose.push(await startFaultyProxy(server.baseUrl, faults));
  return toClose.at(-1);
}

async function post(shop, path, body) {
  const answer = await api(server, "POST", path, { key: shop.key, body });
  assert.ok([200, 201].includes(answer.status), answer.text);
  return answer.json.data;
}

/** An account with the pattern `login` and a phonebook of two numbers. */
async function openFullShop() {
  const shop = await openShop(server, 1_000_000);
  const variables = [{ name: "OTP", type: "NUMBER" }];
  await post(shop, "/pattern", { slug: "login", title: "Login", text: "کد ورود: %OTP%", variables });
  await post(shop, "/pattern/login/versions/1/activate");
  const { id } = await post(shop, "/phonebook", { title: "Customers" });
  await post(shop, `/phonebook/number/${id}`, {
    numbers: [
      { number, name: "علی" },
      { number: "09351234567", name: "Sara" },
    ],
  });
  return { ...shop, phonebook: id };
}

/** What calls have returned, or what the first one that failed has thrown. */
async function values(language, client, calls) {
  const outcomes = await drive(language, client, calls);
  return outcomes.map(({ value, error }) => {
    assert.equal(error, undefined, `${language}: ${JSON.stringify(error)}`);
    return value;
  });
}

/** The error of the only call. */
async function errorOf(language, client, call) {
  const [{ value, error }] = await drive(language, client, [call]);
  assert.ok(error, `${language} returned ${JSON.stringify(value)}`);
  return error;
}

const kept = (shop) => all(server, shop.key, "/messages");

/** Exactly one message exists, and it was paid once. */
async function assertOneMessage(shop, uid) {
  const messages = await kept(shop);
  assert.deepEqual(
    messages.map((found) => found.uid),
    [uid],
  );
  const { entries } = await assertLedgerAddsUp(server, shop.key);
  assert.equal(entries.filter(({ type }) => type === "RESERVE").length, 1);
}

/** A problem document that only the proxy gives. */
const problem = (status, headers = {}) => ({
  status,
  headers: { "content-type": "application/problem+json", ...headers },
  body: JSON.stringify({
    title: "Title",
    status,
    code: status,
    detail: "Detail.",
    errors: [],
    meta: { requestId: "r" },
  }),
});
const turnedAway = (status, headers) => ({ reaches: false, answer: problem(status, headers) });
const keysOf = ({ requests }) => requests.map(({ headers }) => headers["idempotency-key"]);

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

/** The published vectors of Standard Webhooks, as calls of the drivers. */
const vectors = JSON.parse(readFileSync(inRoot("tests", "vectors", "webhooks.json"), "utf8")).vectors.map(
  ({ secret, id, timestamp, body, signature }) => ({
    body: Buffer.from(body).toString("base64"),
    headers: { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signature },
    secrets: secret,
    now: timestamp,
  }),
);

testEach("a webhook is verified as the published vectors say, and nothing else is", async (language) => {
  const [good, other] = vectors;
  const secret = good.secrets;
  const withHeaders = (headers) => ({ ...good, headers: { ...good.headers, ...headers } });
  const without = (name) => {
    const { [name]: _, ...headers } = good.headers;
    return { ...good, headers };
  };
  const signature = good.headers["webhook-signature"];
  const isTrue = [
    ...vectors,
    { ...good, secrets: secret.slice("whsec_".length) },
    { ...good, secrets: [other.secrets, secret] },
    { ...good, now: good.now + 300 },
    { ...good, now: good.now - 300 },
    { ...good, now: good.now + 900, tolerance: 900 },
    { ...good, headers: Object.fromEntries(Object.entries(good.headers).map(([k, v]) => [k.toUpperCase(), v])) },
    withHeaders({ "webhook-signature": `v1,AAAA v2,x ${signature}` }),
  ];
  const isRefused = [
    { ...good, body: other.body },
    { ...good, secrets: other.secrets },
    { ...good, now: good.now + 301 },
    { ...good, now: good.now - 301 },
    { ...good, now: undefined },
    withHeaders({ "webhook-id": other.headers["webhook-id"] }),
    withHeaders({ "webhook-timestamp": String(good.now + 1) }),
    withHeaders({ "webhook-timestamp": `${good.now}.0` }),
    withHeaders({ "webhook-timestamp": "" }),
    withHeaders({ "webhook-signature": "" }),
    withHeaders({ "webhook-signature": "v1," }),
    withHeaders({ "webhook-signature": "v1,é*" }),
    withHeaders({ "webhook-signature": signature.replace("v1,", "v2,") }),
    withHeaders({ "webhook-signature": signature.slice("v1,".length) }),
    ...Object.keys(good.headers).map(without),
  ];
  const isAMistake = ["", "whsec_", "whsec_*", [], [secret, ""]].map((secrets) => ({ ...good, secrets }));
  const cases = [
    ...isTrue.map((given) => [given, { value: true }]),
    ...isRefused.map((given) => [given, "SignatureError"]),
    ...isAMistake.map((given) => [given, "argument"]),
  ];
  const calls = cases.map(([given]) => ["verifyWebhook", given]);
  const outcomes = await drive(language, { baseUrl: "http://127.0.0.1", apiKey: "k" }, calls);
  for (const [index, [given, expected]] of cases.entries()) {
    const { value, error } = outcomes[index];
    assert.deepEqual(error ? error.kind : { value }, expected, JSON.stringify(given));
  }
});

/** An event as Peyk sends it now, for a program that uses the machine's clock. */
function eventOf(secret) {
  const body = JSON.stringify({ id: "evt_1", type: "webhook.test", createdAt: "…", data: { endpoint: "e" } });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const mac = createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"));
  const signature = `v1,${mac.update(`evt_1.${timestamp}.${body}`).digest("base64")}`;
  return { body, headers: { "webhook-id": "evt_1", "webhook-timestamp": timestamp, "webhook-signature": signature } };
}

test("all languages verify an event of the service, with the old secret and the new one", async () => {
  const shop = await openShop(server, 0);
  const receiver = await listen();
  toClose.push(receiver);
  const { id, secret } = await post(shop, "/webhook", { url: receiver.url(), events: ["message.status"] });
  const rotated = await post(shop, `/webhook/${id}/rotate`);
  await post(shop, `/webhook/${id}/test`);
  const [{ headers, body }] = await until(() => receiver.hits.length > 0 && receiver.hits, { what: "the event" });
  const calls = [secret, rotated.secret].map((secrets) => [
    "verifyWebhook",
    { body: body.toString("base64"), headers, secrets },
  ]);
  for (const language of Object.keys(libraries))
    assert.deepEqual(await values(language, { baseUrl: server.baseUrl, apiKey: "k" }, calls), [true, true]);
});

testEach("the code of the README sends, asks and fails as it says", async (language) => {
  const shop = await openFullShop();
  const env = { PEYK_API_KEY: shop.key, PEYK_URL: server.baseUrl };
  const output = await runReadme(language, env, { "01a1fbea-28d3-76e2-b118-9e403e3ade62": shop.phonebook });
  const messages = await kept(shop);
  assert.deepEqual(
    messages.map(({ type }) => type),
    ["BULK", "PHONEBOOK", "PATTERN", "PLAIN"],
  );
  const lines = output.trim().split("\n");
  assert.equal(lines[0], `${messages.at(-1).uid} QUEUED 1000 IRR`);
  assert.ok(
    lines.some((line) => /^\+989121234567 (QUEUED|SUBMITTED|DELIVERED)$/.test(line)),
    output,
  );
  assert.match(lines.at(-1), /^3012 .+ [0-9a-f-]{36}$/);
});

testEach("the receiver of the README takes a webhook, and refuses one that is altered", async (language) => {
  const [{ secrets: secret }] = vectors;
  await withReceiver(language, secret, async (receive) => {
    const event = eventOf(secret);
    assert.equal(await receive(event), 204);
    assert.equal(await receive({ ...event, body: event.body.replace("test", "best") }), 401);
  });
});

test("php: the plugin for WooCommerce texts the customer once for each status, and notes what fails", async () => {
  const shop = await openShop(server, 10_000);
  const run = (baseUrl) =>
    withProgram("php", readFileOf("php", join("examples", "woocommerce.php")), async (plugin) => {
      const job = {
        apiKey: shop.key,
        baseUrl,
        orders: [
          [17, "0912 123 4567"],
          [18, "12"],
          [19, ""],
        ],
        changes: [
          [17, "pending", "processing"],
          [17, "processing", "on-hold"],
          [17, "on-hold", "processing"],
          [18, "pending", "processing"],
          [19, "pending", "processing"],
        ],
      };
      const stand = inRoot("clients", "php", "tests", "woocommerce.php");
      return JSON.parse(await runProgram("php", [stand, plugin, JSON.stringify(job)]));
    });
  const notes = await run(server.baseUrl);
  assert.deepEqual([notes[17], notes[19]], [[], []]);
  assert.match(notes[18][0], /^پیامک به 12 فرستاده نشد: recipients\[0\]: /);
  const [sent, ...others] = await kept(shop);
  assert.deepEqual(others, []);
  assert.deepEqual([sent.message, sent.clientRef], ["سارا عزیز، سفارش 17 ثبت شد و در حال آماده‌سازی است.", "order-17"]);
  const broken = await proxy(Array(9).fill({ answer: "broken" }));
  assert.match((await run(broken.baseUrl))[17][0], /^پیامک به 0912 123 4567 شاید فرستاده نشده باشد/);
  await assertOneMessage(shop, sent.uid);
});

test("typescript: runs in a worker", async () => {
  const shop = await openShop(server, 10_000);
  const part = (name, contents = readFileOf("typescript", join("src", name))) => ({
    type: "ESModule",
    path: name,
    contents,
  });
  const worker = new Miniflare({
    compatibilityDate: "2025-01-01",
    bindings: { apiKey: shop.key, baseUrl: server.baseUrl, vectors },
    modules: [
      part("worker.mjs", workerCode),
      ...["index", "client", "operations", "transport", "pause", "errors", "webhook"].map((name) =>
        part(`${name}.mjs`),
      ),
    ],
  });
  try {
    const answer = await (await worker.dispatchFetch("http://worker.example/")).json();
    assert.deepEqual([answer.code, answer.verified], [3012, [true, true]]);
    await assertOneMessage(shop, answer.uid);
  } finally {
    await worker.dispose();
  }
});
const workerCode = `
  import { Client, verifyWebhook } from "./index.mjs";
  const verified = ({ body, headers, secrets, now }) =>
    verifyWebhook(atob(body), new Headers(headers), secrets, { now });
  export default {
    async fetch(request, { apiKey, baseUrl, vectors }) {
      const client = new Client({ apiKey, baseUrl });
      const text = { message: "hello", recipients: ["${number}"] };
      const { uid } = await client.send(text);
      const { code } = await client.send({ ...text, sourceNumber: "30001234" }).catch((error) => error);
      return Response.json({ uid, code, verified: await Promise.all(vectors.map(verified)) });
    },
  };`;

test("typescript: a caller's signal ends a call and its waits", { timeout: 15 * 60_000 }, async () => {
  const waiting = await proxy([turnedAway(503, { "retry-after": "86400" })]);
  const silent = await proxy([{ reaches: false, answer: "silent" }]);
  for (const through of [waiting, silent]) {
    const client = new typescript.Client({
      apiKey: "k",
      baseUrl: through.baseUrl,
      timeoutMs: 1e9,
      maxRetryAfterMs: 1e9,
    });
    const controller = new AbortController();
    const call = assert.rejects(client.getBalance({ signal: controller.signal }), /^Error: enough$/);
    await until(() => through.requests.length === 1, { interval: 10, what: "the request" });
    // Another request takes as long as the first answer needs to come.
    await fetch(`${through.baseUrl}/health`);
    controller.abort(new Error("enough"));
    await call;
    assert.equal(through.requests.length, 2);
  }
});

test("typescript: the declarations name what the modules have", () => {
  const declarationsOf = (module) => readFileOf("typescript", join("src", `${module}.d.mts`));
  const declared = (pattern, text) => [...text.matchAll(pattern)].map(([, name]) => name).sort();
  const methodsOf = (prototype) => Object.getOwnPropertyNames(prototype).filter((name) => name !== "constructor");
  assert.deepEqual(
    declared(/^export declare (?:class|const|function) (\w+)/gm, declarationsOf("index")),
    Object.keys(typescript).sort(),
  );
  let { prototype } = typescript.Client;
  for (const [module, name] of Object.entries({ index: "Client", operations: "Operations", transport: "Transport" })) {
    const [, members] = new RegExp(`^export declare class ${name} .*\\{\n([\\s\\S]*?)^\\}`, "m").exec(
      declarationsOf(module),
    );
    const names = declared(/^ {2}(\w+)[<(]/gm, members).filter((name) => name !== "constructor");
    assert.deepEqual(names, methodsOf(prototype).sort(), name);
    prototype = Object.getPrototypeOf(prototype);
  }
});
