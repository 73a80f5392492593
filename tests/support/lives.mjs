// The service's main functions, each from start to end, on any server of the real runtime.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { api, until } from "./server.mjs";
import {
  admin,
  assertLedgerAddsUp,
  credit,
  inbox,
  issueKey,
  openShop,
  send,
  soon,
  walletOf,
  whenDone,
} from "./shop.mjs";

const endings = {
  901: { status: "REJECTED", spent: 0, held: 0 },
  902: { status: "UNDELIVERED", spent: 1, held: 0 },
  903: { status: "EXPIRED", spent: 1, held: 0 },
  904: { status: "UNKNOWN", spent: 0, held: 1 },
  905: { status: "DELIVERED", spent: 1, held: 0 },
  100: { status: "DELIVERED", spent: 1, held: 0 },
};

/**
 * Registers a test of each of these functions. `server` has its demo data: `baseUrl`, `adminKey`, `apiKey` and `line`. Nobody has used
 * its key before.
 */
export function testLives(server) {
  test("the health of the service is public", async () => {
    const answer = await api(server, "GET", "/health");
    assert.equal(answer.status, 200);
    assert.equal(answer.json.data.status, "UP");
    assert.equal(answer.json.data.version, JSON.parse(readFileSync(inRoot("package.json"), "utf8")).version);
  });

  test("a first message with the demo key is accepted, delivered and paid, in the exact shape of the contract", async () => {
    const body = { message: "سلام از پیک", recipients: ["09121234567"], sourceNumber: server.line };
    const sent = await api(server, "POST", "/v1/sms/send", {
      key: server.apiKey,
      body,
      headers: { "X-Request-Id": "first-1" },
    });
    assert.equal(sent.status, 201, sent.text);
    const { uid } = sent.json.data;
    assert.match(uid, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual(sent.json, {
      status: "CREATED",
      data: {
        uid,
        status: "QUEUED",
        type: "PLAIN",
        sourceNumber: server.line,
        encoding: "UCS2",
        parts: 1,
        cost: 1000,
        unit: "IRR",
        clientRef: null,
        sendAt: null,
        recipients: [{ uid: `${uid}.0`, recipient: "+989121234567", status: "QUEUED", cost: 1000 }],
      },
      meta: { requestId: "first-1" },
    });
    assert.equal(sent.headers.get("content-type"), "application/json");
    assert.equal(sent.headers.get("x-request-id"), "first-1");
    assert.equal(sent.headers.get("x-content-type-options"), "nosniff");
    assert.equal(sent.headers.get("cache-control"), "no-store");
    assert.equal(sent.headers.get("ratelimit-policy"), '"default";q=1200;w=60');
    assert.match(sent.headers.get("ratelimit"), /^"default";r=\d+;t=\d+$/);
    const done = await whenDone(server, server.apiKey, uid);
    assert.equal(done.recipients[0].status, "DELIVERED");
    assert.deepEqual(await walletOf(server, server.apiKey), {
      availableBalance: 999_000,
      lockedBalance: 0,
      totalBalance: 999_000,
      unit: "IRR",
    });
  });

  test("each ending of the sandbox comes, its money settled or released; the ledger and the mirror agree", async () => {
    const shop = await openShop(server, 50_000);
    const sent = await send(
      server,
      shop.key,
      Object.keys(endings).map((ending) => `0912123${ending.padStart(4, "0")}`),
    );
    const recipients = sent.json.data.recipients;
    const done = await whenDone(server, shop.key, sent.json.data.uid);
    for (const { recipient } of recipients) {
      const { status } = endings[Number(recipient.slice(-3))];
      assert.equal(done.recipients.find((other) => other.recipient === recipient).status, status, recipient);
    }
    const count = (what) => Object.values(endings).reduce((sum, ending) => sum + ending[what], 0) * 1000;
    const { spent, locked, available } = await assertLedgerAddsUp(server, shop.key);
    assert.deepEqual(
      [spent, locked, available],
      [count("spent"), count("held"), 50_000 - count("spent") - count("held")],
    );
    const handed = [...(await inbox(server, shop.id)).values()].map((item) => [
      Number(item.recipient.slice(-3)),
      item.taken,
      item.refused,
    ]);
    assert.deepEqual(handed.sort(), [
      [100, 1, 0],
      [901, 0, 1],
      [902, 1, 0],
      [903, 1, 0],
      [904, 1, 0],
      [905, 1, 2],
    ]);
    await assertMirrorAgrees(server, shop.id);
  });

  test("the mirror shows a change of status", async () => {
    const shop = await openShop(server, 1_000);
    await admin(server, "PATCH", `/admin/accounts/${shop.id}`, { status: "INACTIVE", sendingEnabled: false });
    await assertMirrorAgrees(server, shop.id);
  });

  test("a scheduled message is sent at its time, not before", async () => {
    const shop = await openShop(server, 1_000);
    const { sendAt, data } = await soon((sendAt) => send(server, shop.key, ["09121234567"], { sendAt }));
    assert.equal(data.status, "SCHEDULED");
    assert.equal(data.sendAt, sendAt);
    const done = await whenDone(server, shop.key, data.uid);
    assert.equal(done.recipients[0].status, "DELIVERED");
    assert.ok(Date.parse(done.recipients[0].updatedAt) >= Date.parse(sendAt));
  });

  test("a test key costs nothing and reaches no carrier", async () => {
    const shop = await openShop(server, 0);
    const { key } = await issueKey(server, shop.id, { mode: "test" });
    const sent = await send(server, key, ["09121234567", "09121234902"]);
    assert.equal(sent.status, 201, sent.text);
    assert.equal(sent.json.data.cost, 0);
    const done = await whenDone(server, key, sent.json.data.uid);
    assert.deepEqual(done.counts, { DELIVERED: 1, UNDELIVERED: 1 });
    assert.equal((await inbox(server, shop.id)).size, 0);
    assert.deepEqual((await api(server, "GET", "/account/transactions", { key })).json.data, []);
  });

  test("integers up to 2^53 - 1 and NULL come through D1 and the object unharmed", async () => {
    const shop = await openShop(server, 0);
    await credit(server, shop.id, Number.MAX_SAFE_INTEGER);
    const full = await admin(server, "POST", `/admin/accounts/${shop.id}/credit`, { amount: 1 });
    assert.deepEqual([full.status, full.json.code], [409, 409]);
    const beyond = await api(server, "POST", `/admin/accounts/${shop.id}/credit`, {
      key: server.adminKey,
      raw: '{"amount":9007199254740992}',
      headers: { "Content-Type": "application/json" },
    });
    assert.deepEqual([beyond.status, beyond.json.code], [422, 422]);
    assert.equal((await walletOf(server, shop.key)).availableBalance, Number.MAX_SAFE_INTEGER);
    await until(async () => {
      const { json } = await admin(server, "GET", "/admin/accounts?limit=200");
      return json.data.find((account) => account.id === shop.id).wallet.availableBalance === Number.MAX_SAFE_INTEGER;
    });
    const cleared = await admin(server, "PATCH", `/admin/accounts/${shop.id}`, { defaultLine: null });
    assert.equal(cleared.json.data.defaultLine, null);
  });

  test("lines, tariff, plans and keys are told as they were set", async () => {
    const shop = await openShop(server, 0);
    const tariff = await api(server, "GET", "/plan/tariff", { key: shop.key });
    assert.deepEqual(tariff.json.data.plan, { title: "Demo" });
    assert.deepEqual(tariff.json.data.tariff, { title: "Demo", price: 1000, prices: [], slug: "demo" });
    const row = tariff.json.data.textsCoefficients.find(({ title }) => title === server.line);
    assert.deepEqual(row, { title: server.line, PERSIAN: 1, ENGLISH: 1, MCI: 1, MTN: 1, WEBSERVICE: 1, PATTERN: 1 });
    const lines = await api(server, "GET", "/lines", { key: shop.key });
    assert.deepEqual(
      lines.json.data.find(({ number }) => number === server.line),
      {
        number: server.line,
        operations: ["WEBSERVICE", "PATTERN"],
        shared: true,
        default: true,
        cheapest: true,
        suffix: null,
        hours: null,
        class: "ADVERTISING",
      },
    );
    const keys = await admin(server, "GET", `/admin/accounts/${shop.id}/keys`);
    assert.equal(keys.json.data.length, 1);
    const rotated = await admin(server, "POST", `/admin/accounts/${shop.id}/keys/${shop.keyId}/rotate`, {
      graceSeconds: 0,
    });
    assert.equal(rotated.status, 201, rotated.text);
    assert.equal((await api(server, "GET", "/lines", { key: rotated.json.data.key })).status, 200);
    assert.equal((await api(server, "GET", "/lines", { key: shop.key })).status, 401);
  });
}

async function assertMirrorAgrees(server, id) {
  await until(
    async () => {
      const truth = (await admin(server, "GET", `/admin/accounts/${id}`)).json.data;
      // Only the object tells these.
      const {
        rateLimit,
        testRateLimit,
        storage,
        destinations,
        recipientLimit,
        dailySpend,
        spentToday,
        hold,
        reason,
        ...shown
      } = truth;
      assert.deepEqual(destinations, ["98"]);
      assert.deepEqual(recipientLimit, { limit: 20, windowSeconds: 3600 });
      assert.deepEqual([hold, reason], [false, null]);
      assert.equal(dailySpend, null);
      assert.ok(spentToday >= 0);
      assert.deepEqual(Object.keys(rateLimit).sort(), ["burst", "limit", "windowSeconds"]);
      assert.deepEqual(Object.keys(testRateLimit).sort(), ["burst", "limit", "windowSeconds"]);
      assert.deepEqual(Object.keys(storage).sort(), ["bytes", "maxBytes"]);
      assert.ok(storage.bytes > 0);
      const { json } = await admin(server, "GET", "/admin/accounts?limit=200");
      const mirror = json.data.find((account) => account.id === id);
      return JSON.stringify(mirror) === JSON.stringify(shown);
    },
    { what: "the mirror's agreement" },
  );
}
