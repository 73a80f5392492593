// Every error of the contract, provoked on the running worker: its document, its headers, and that it changed nothing.
import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { wrangler } from "../../scripts/lib/base/command.mjs";
import { withChecksum } from "../../scripts/lib/base/keys.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { admin, all, assertLedgerAddsUp, issueKey, openShop, send, walletOf } from "../support/shop.mjs";

const server = sharedServer();

const titles = {
  BadRequest: "Bad request",
  Unauthorized: "Unauthorized",
  Forbidden: "Forbidden",
  NotFound: "Not found",
  MethodNotAllowed: "Method not allowed",
  Conflict: "Conflict",
  PayloadTooLarge: "Payload too large",
  UnsupportedMediaType: "Unsupported media type",
  ErrorTypeValidation: "Validation failed",
  TooManyRequests: "Too many requests",
  InternalServerError: "Internal server error",
  UserInactive: "Account is not active",
  InsufficientBalance: "Insufficient balance",
  SmsSendNotAllowed: "Sending is switched off",
  SmsHeadNumberNotFound: "Source number not found",
};

/** Holds an answer against its row of the contract's table. `faults` are the `extra` texts, each with its pointer. */
function assertProblem(answer, [status, code, name], { instance = "/sms/send", faults = [], limited = true } = {}) {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers.get("content-type"), "application/problem+json");
  const {
    type,
    title,
    status: inBody,
    statusCode,
    code: codeInBody,
    name: nameInBody,
    detail,
    instance: where,
    extra,
    errors,
    meta,
  } = answer.json;
  assert.deepEqual([inBody, statusCode, codeInBody, nameInBody, where], [status, status, code, name, instance]);
  assert.ok(type.startsWith(`${server.baseUrl}/docs/problems/`), type);
  assert.match(type, /\/[a-z-]+$/);
  assert.equal(title, titles[name]);
  assert.ok(detail.length > 10);
  assert.deepEqual(
    extra,
    faults.map(([text]) => text),
  );
  assert.deepEqual(
    errors,
    faults.map(([text, pointer]) => ({ pointer, detail: text.slice(text.indexOf(": ") + 2) })),
  );
  assert.equal(meta.requestId, answer.headers.get("x-request-id"));
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
  for (const header of ["ratelimit", "ratelimit-policy"])
    assert.equal(answer.headers.has(header), limited, `${header} on ${status}/${code}`);
}

/** Runs `provoke` with an account of its own and asserts that it cost nothing and left nothing. */
async function withUntouchedShop(money, provoke, changes) {
  const shop = await openShop(server, money, changes);
  await provoke(shop);
  await admin(server, "PATCH", `/admin/accounts/${shop.id}`, {
    rateLimit: { limit: 1_000_000, windowSeconds: 1, burst: 1_000 },
  });
  const { key } = await issueKey(server, shop.id, {});
  assert.deepEqual(await walletOf(server, key), {
    availableBalance: money,
    lockedBalance: 0,
    totalBalance: money,
    unit: "IRR",
  });
  assert.deepEqual(await all(server, key, "/messages"), []);
  assert.equal((await assertLedgerAddsUp(server, key)).entries.length, money > 0 ? 1 : 0);
}

const post = (key, raw, headers = { "Content-Type": "application/json" }) =>
  api(server, "POST", "/sms/send", { key, raw, headers });
const bad = [400, 400, "BadRequest"];
const unauthorized = [401, 401, "Unauthorized"];
const validation = [422, 422, "ErrorTypeValidation"];
const notFound = [404, 404, "NotFound"];

test("400/400: malformed JSON, a wrong root, a body nested too deep, bytes that are no text", () =>
  withUntouchedShop(5_000, async ({ key }) => {
    for (const raw of [
      '{"message": ',
      "",
      "[]",
      '"text"',
      "null",
      `{"a":${"[".repeat(16)}${"]".repeat(16)}}`,
      "[".repeat(100_000),
      Buffer.from([0x7b, 0xff, 0x7d]),
    ]) {
      assertProblem(await post(key, raw), bad);
    }
    const malformed = await post(key, '{"message": "x",\n "recipients": [}');
    assert.match(malformed.json.detail, /line 2, column 17/);
  }));

test("401/401: no key, or one that is malformed, mistyped, unknown, expired or revoked", () =>
  withUntouchedShop(5_000, async (shop) => {
    const body = { message: "x", recipients: ["09121234567"] };
    const ask = (authorization) =>
      api(server, "POST", "/sms/send", { body, headers: authorization ? { authorization } : {} });
    for (const none of [undefined, "", "Basic abc"]) {
      const answer = await ask(none);
      assertProblem(answer, unauthorized, { limited: false });
      assert.equal(answer.headers.get("www-authenticate"), "Bearer");
    }
    const expired = await issueKey(server, shop.id, {});
    const rotate = `/admin/accounts/${shop.id}/keys/${expired.keyId}/rotate`;
    assert.equal((await admin(server, "POST", rotate, { graceSeconds: 0 })).status, 201);
    const revoked = await issueKey(server, shop.id, {});
    assert.equal((await api(server, "GET", "/lines", { key: revoked.key })).status, 200);
    assert.equal((await admin(server, "DELETE", `/admin/accounts/${shop.id}/keys/${revoked.keyId}`)).status, 204);
    const mistyped = `${shop.key.slice(0, -1)}${shop.key.endsWith("a") ? "b" : "a"}`;
    const unknown = withChecksum(`peyk_live_${"A".repeat(32)}`);
    for (const key of ["x y", "kéy", mistyped, unknown, "17|someone-elses-key", expired.key, revoked.key]) {
      const answer = await ask(`Bearer ${Buffer.from(key).toString("latin1")}`);
      assertProblem(answer, unauthorized, { limited: false });
      assert.equal(answer.headers.get("www-authenticate"), 'Bearer error="invalid_token"');
    }
    assert.equal(
      (await api(server, "GET", "/lines", { headers: { authorization: `bEaReR   ${shop.key}` } })).status,
      200,
    );
  }));

test("403/403: a key without the scope", () =>
  withUntouchedShop(5_000, async (shop) => {
    const { key } = await issueKey(server, shop.id, { scopes: ["sms:read"] });
    const answer = await send(server, key, ["09121234567"]);
    assertProblem(answer, [403, 403, "Forbidden"]);
    assert.equal(answer.headers.get("www-authenticate"), 'Bearer error="insufficient_scope", scope="sms:send"');
    const operators = await api(server, "GET", "/admin/accounts", { key: shop.key });
    assertProblem(operators, [403, 403, "Forbidden"], { instance: "/admin/accounts" });
  }));

test("404/404: no such path, no such message, and another account's message, indistinguishably", async () => {
  assertProblem(await api(server, "GET", "/nothing"), notFound, { instance: "/nothing", limited: false });
  const [owner, other] = [await openShop(server, 5_000), await openShop(server, 0)];
  const { uid } = (await send(server, owner.key, ["09121234567"])).json.data;
  const missing = randomUUID();
  for (const tail of ["", "/recipients"]) {
    const answers = [];
    for (const id of [uid, missing]) {
      const answer = await api(server, "GET", `/messages/${id}${tail}`, {
        key: other.key,
        headers: { "X-Request-Id": "same" },
      });
      assertProblem(answer, notFound, { instance: `/messages/${id}${tail}` });
      answers.push(answer.text.replace(id, ""));
    }
    assert.equal(answers[0], answers[1]);
  }
  assertProblem(await admin(server, "GET", `/admin/accounts/${missing}`), notFound, {
    instance: `/admin/accounts/${missing}`,
  });
});

test("405/405: a path that exists, with the methods it has in Allow", async () => {
  for (const [method, path, allow] of [
    ["GET", "/sms/send", "POST"],
    ["DELETE", "/v1/messages", "GET"],
    ["PUT", "/admin/lines/1", "GET, PATCH, DELETE"],
  ]) {
    const answer = await api(server, method, path);
    assertProblem(answer, [405, 405, "MethodNotAllowed"], { instance: path, limited: false });
    assert.equal(answer.headers.get("allow"), allow);
  }
});

test("409/409: what is there already", async () => {
  const conflict = [409, 409, "Conflict"];
  const username = `twice-${randomUUID()}`;
  const account = { username, fullName: "x" };
  assert.equal((await admin(server, "POST", "/admin/accounts", account)).status, 201);
  assertProblem(await admin(server, "POST", "/admin/accounts", account), conflict, { instance: "/admin/accounts" });
  const line = { number: server.line, carrier: "sandbox", operations: ["WEBSERVICE"] };
  assertProblem(await admin(server, "POST", "/admin/lines", line), conflict, { instance: "/admin/lines" });
  assertProblem(await admin(server, "DELETE", `/admin/lines/${server.line}`), conflict, {
    instance: `/admin/lines/${server.line}`,
  });
  const plan = { slug: "demo", title: "x", tariff: { slug: "x", title: "x", price: 1 } };
  assertProblem(await admin(server, "POST", "/admin/plans", plan), conflict, { instance: "/admin/plans" });
  const shop = await openShop(server, 0);
  const keys = `/admin/accounts/${shop.id}/keys`;
  const imported = { title: "x", key: `imported|${randomUUID()}` };
  assert.equal((await admin(server, "POST", keys, imported)).status, 201);
  assertProblem(await admin(server, "POST", keys, imported), conflict, { instance: keys });
  assert.equal(
    (await api(server, "POST", "/pattern", { key: shop.key, body: { slug: "any", title: "x", text: "y" } })).status,
    201,
  );
  const approve = `/admin/accounts/${shop.id}/patterns/any/versions/1/activate`;
  assert.equal((await admin(server, "POST", approve)).status, 200);
  assertProblem(await admin(server, "POST", approve), conflict, { instance: approve });
  const credit = `/admin/accounts/${shop.id}/credit`;
  assertProblem(await admin(server, "POST", credit, { amount: -1 }), [400, 2001, "InsufficientBalance"], {
    instance: credit,
  });
});

test("413/413: a body over 256 KiB, declared or not", () =>
  withUntouchedShop(5_000, async ({ key }) => {
    const large = JSON.stringify({ message: "x".repeat(256 * 1024), recipients: ["09121234567"] });
    assertProblem(await post(key, large), [413, 413, "PayloadTooLarge"]);
    const pieces = new ReadableStream({
      start(controller) {
        for (let at = 0; at < large.length; at += 16_384)
          controller.enqueue(new TextEncoder().encode(large.slice(at, at + 16_384)));
        controller.close();
      },
    });
    const response = await fetch(`${server.baseUrl}/sms/send`, {
      method: "POST",
      duplex: "half",
      body: pieces,
      headers: { authorization: `Bearer ${key}`, connection: "close", "content-type": "application/json" },
    });
    const text = await response.text();
    assertProblem({ status: response.status, headers: response.headers, text, json: JSON.parse(text) }, [
      413,
      413,
      "PayloadTooLarge",
    ]);
  }));

test("415/415: a body that is not declared JSON", () =>
  withUntouchedShop(5_000, async ({ key }) => {
    const body = JSON.stringify({ message: "x", recipients: ["09121234567"] });
    for (const type of ["text/plain", "application/x-www-form-urlencoded"]) {
      assertProblem(await post(key, body, { "Content-Type": type }), [415, 415, "UnsupportedMediaType"]);
    }
  }));

test("422/422: all faults of a body at once, in English and in Persian", () =>
  withUntouchedShop(5_000, async ({ key }) => {
    const answer = await api(server, "POST", "/sms/send", {
      key,
      headers: { "Idempotency-Key": '"' },
      body: {
        message: 5,
        recipients: ["09121234567", "x", null],
        sourceNumber: [],
        sendAt: "soon",
        clientRef: "x".repeat(65),
      },
    });
    assertProblem(answer, validation, {
      faults: [
        ["message: must be a string", "/message"],
        ["recipients[1]: is not a valid phone number", "/recipients/1"],
        ["recipients[2]: must be a string", "/recipients/2"],
        ["sourceNumber: must be a string", "/sourceNumber"],
        ["sendAt: must be an RFC 3339 time, like 2030-01-31T12:00:00Z", "/sendAt"],
        ["clientRef: must have at most 64 characters", "/clientRef"],
        [
          "Idempotency-Key: must be of the form 1 to 255 visible ASCII characters, or such a quoted string",
          "/Idempotency-Key",
        ],
      ],
    });
    assertProblem(await post(key, "{}"), validation, {
      faults: [
        ["message: is required", "/message"],
        ["recipients: is required", "/recipients"],
      ],
    });
    const many = Array.from({ length: 1_001 }, (_, index) => `0912${String(index).padStart(7, "0")}`);
    assertProblem(await send(server, key, many), validation, {
      faults: [["recipients: must have at most 1000 items", "/recipients"]],
    });
    assertProblem(await send(server, key, ["09121234567"], { message: "ی".repeat(671) }), validation, {
      faults: [["message: takes 11 parts, at most 10 are allowed", "/message"]],
    });
    const persian = await api(server, "POST", "/sms/send", {
      key,
      body: { message: "", recipients: [] },
      headers: { "Accept-Language": "fa-IR, en;q=0.5" },
    });
    assert.deepEqual(persian.json.extra, ["message: نباید خالی باشد", "recipients: نباید خالی باشد"]);
    assert.equal(persian.json.title, "داده‌های نامعتبر");
    assert.equal(persian.headers.get("content-language"), "fa");
  }));

test("429/429: out of tokens, with a Retry-After; it stands before the body's faults, and 403 before it", () =>
  withUntouchedShop(
    5_000,
    async ({ key }) => {
      assert.equal((await api(server, "GET", "/account/info", { key })).status, 200);
      const answer = await post(key, "{", { "Content-Type": "text/plain" });
      assertProblem(answer, [429, 429, "TooManyRequests"]);
      assert.ok(Number(answer.headers.get("retry-after")) >= 1);
      assertProblem(await send(server, key, ["09121234567"]), [429, 429, "TooManyRequests"]);
      assertProblem(await api(server, "GET", "/admin/accounts", { key }), [403, 403, "Forbidden"], {
        instance: "/admin/accounts",
      });
    },
    { rateLimit: { limit: 1, windowSeconds: 3_600, burst: 1 } },
  ));

test("412/1003: the account is not active", () =>
  withUntouchedShop(
    5_000,
    async ({ key }) => assertProblem(await send(server, key, ["09121234567"]), [412, 1003, "UserInactive"]),
    { status: "INACTIVE" },
  ));

test("400/2001: the money is short, if only by one", async () => {
  await withUntouchedShop(999, async ({ key }) => {
    assertProblem(await send(server, key, ["09121234567"]), [400, 2001, "InsufficientBalance"]);
  });
  await withUntouchedShop(1_999, async ({ key }) => {
    assertProblem(await send(server, key, ["09121234567", "09121234568"]), [400, 2001, "InsufficientBalance"]);
  });
});

test("412/3011: sending is switched off for the account, or for all", async () => {
  const off = [412, 3011, "SmsSendNotAllowed"];
  await withUntouchedShop(5_000, async ({ key }) => assertProblem(await send(server, key, ["09121234567"]), off), {
    sendingEnabled: false,
  });
  await withUntouchedShop(5_000, async ({ key }) => {
    assert.equal((await admin(server, "PUT", "/admin/sending", { enabled: false, reason: "a test" })).status, 200);
    const answer = await send(server, key, ["09121234567"]);
    assert.equal((await admin(server, "PUT", "/admin/sending", { enabled: true, reason: "a test" })).status, 200);
    assertProblem(answer, off);
  });
});

test("406/3012: a source number that is not the account's, or none at all", async () => {
  const refused = [406, 3012, "SmsHeadNumberNotFound"];
  const other = await openShop(server, 0);
  const number = String(30_000 + Math.floor(Math.random() * 9_000));
  const line = { number, carrier: "sandbox", operations: ["WEBSERVICE"], accounts: [other.id] };
  assert.equal((await admin(server, "POST", "/admin/lines", line)).status, 201);
  await withUntouchedShop(5_000, async ({ key }) => {
    for (const sourceNumber of ["99999", number]) {
      const why = "it is not yours, it is out of service, or it does not send this way";
      const detail = `You can't send from the number ${sourceNumber}: ${why}. "GET /lines" lists the numbers that you have.`;
      assertProblem(await send(server, key, ["09121234567"], { sourceNumber }), refused, {
        faults: [[`sourceNumber: ${detail}`, "/sourceNumber"]],
      });
    }
  });
  await withUntouchedShop(
    5_000,
    async ({ key }) => {
      const detail =
        'The account has no default line that can send this way; name one of "GET /lines" in "sourceNumber".';
      assertProblem(await send(server, key, ["09121234567"]), refused, {
        faults: [[`sourceNumber: ${detail}`, "/sourceNumber"]],
      });
    },
    { defaultLine: null },
  );
});

test("when several apply, the first of the contract is answered", async () => {
  const shop = await openShop(server, 0, { status: "INACTIVE", sendingEnabled: false });
  const path = `/admin/accounts/${shop.id}`;
  const codes = [];
  const ask = async (more) => codes.push((await send(server, shop.key, ["09121234567"], more)).json.code);
  await ask({ message: "", sourceNumber: "99999" });
  await ask({ sourceNumber: "99999" });
  await ask();
  await admin(server, "PATCH", path, { status: "ACTIVE" });
  await ask();
  await admin(server, "PATCH", path, { sendingEnabled: true });
  await ask();
  assert.deepEqual(codes, [422, 3012, 1003, 3011, 2001]);
});

test("a test key rehearses each error of the docs' table with POST /verify, too", async () => {
  const { id } = await openShop(server, 0);
  const { key } = await issueKey(server, id, { mode: "test" });
  const page = readFileSync(inRoot("docs", "api.md"), "utf8");
  const rows = [...page.matchAll(/^\| `(9\d{4})` \| (\d{3})\/(\d+) \w+ \|$/gm)];
  assert.ok(rows.length > 5);
  for (const [, end, status, code] of rows) {
    const answer = await api(server, "POST", "/verify", { key, body: { recipient: `091212${end}` } });
    assert.deepEqual([answer.status, answer.json.code], [Number(status), Number(code)], answer.text);
  }
});

test("500/500: what is our fault tells nothing but its request id; the log has the cause, and no key and no text", async () => {
  // A record that can't be read, as an operator's slip in KV would make it.
  const key = "imported|whose-record-is-broken";
  const digest = createHash("sha256").update(key).digest("hex");
  await server.kill();
  await wrangler([
    "kv",
    "key",
    "put",
    "--binding",
    "KEYS",
    digest,
    "not a record",
    "--local",
    "--persist-to",
    server.stateDir,
  ]);
  await server.restart();
  const answer = await api(server, "POST", "/sms/send", {
    key,
    body: { message: "a secret text", recipients: ["09121234567"] },
  });
  assertProblem(answer, [500, 500, "InternalServerError"], { limited: false });
  assert.doesNotMatch(answer.text, /record|digest|serde|expected/);
  const requestId = answer.headers.get("x-request-id");
  const lines = await until(() => {
    // The last line may still be half written.
    const whole = server.log().split("\n").slice(0, -1);
    const found = whole.filter((line) => line.includes(requestId) && line.startsWith("{"));
    return found.length === 2 ? found.map((line) => JSON.parse(line)) : null;
  });
  const cause = lines.find(({ event }) => event === "internal");
  assert.match(cause.cause, /record of key/);
  assert.deepEqual(lines.find(({ event }) => event === "request").status, 500);
  assert.doesNotMatch(server.log(), /whose-record-is-broken|a secret text/);
});
