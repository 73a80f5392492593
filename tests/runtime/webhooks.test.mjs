// Webhooks, from a send to a program that listens on this machine.
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { listen } from "../support/receiver.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { all, openShop, send } from "../support/shop.mjs";
import { languages, verify } from "../support/verifiers.mjs";

/** The first wait is the default one. The others are short, so that a test need not wait for hours. */
const server = sharedServer(undefined, () => ({ WEBHOOK_RETRY_SECONDS: "5,1,2,1,1,300,300" }));
const receivers = [];
after(() => Promise.all(receivers.map((receiver) => receiver.close())));

async function receiver(respond) {
  receivers.push(await listen(respond));
  return receivers.at(-1);
}

async function endpoint(shop, url, events = ["message.status"]) {
  const made = await api(server, "POST", "/webhook", { key: shop.key, body: { url, events } });
  assert.equal(made.status, 201, made.text);
  return made.json.data;
}

const post = (shop, path) => api(server, "POST", path, { key: shop.key });

/** The recipients that a receiver was told of, each with the ids of the events that name it. */
function told(hits) {
  const recipients = new Map();
  for (const { event } of hits)
    for (const { uid, status } of event.data.recipients ?? []) {
      const key = `${uid} ${status}`;
      recipients.set(key, (recipients.get(key) ?? new Set()).add(event.id));
    }
  return recipients;
}

/** Each of these recipients is told as DELIVERED, in one event each, however often that came. */
async function assertAllAreTold(hits, recipients) {
  const keys = recipients.map(({ uid }) => `${uid} DELIVERED`);
  await until(() => keys.every((key) => told(hits).has(key)), { what: `${keys.length} recipients told` });
  const events = told(hits);
  assert.deepEqual([...events.keys()].sort(), keys.sort());
  for (const [key, ids] of events) assert.equal(ids.size, 1, key);
  const bodies = new Map();
  for (const { headers, body } of hits) {
    const id = headers["webhook-id"];
    assert.equal(bodies.get(id) ?? body.toString(), body.toString(), "one id has one body");
    bodies.set(id, body.toString());
  }
}

const numbers = (count, offset = 0) =>
  Array.from({ length: count }, (_, index) => `0912${String(offset + index).padStart(4, "0")}100`);

async function accepted(shop, recipients, key = shop.key) {
  const answer = await send(server, key, recipients);
  assert.equal(answer.status, 201, answer.text);
  return answer.json.data.recipients;
}

test("an ending arrives signed, and the examples of the page of the API verify it", async () => {
  const shop = await openShop(server, 100_000);
  const { hits, url } = await receiver();
  const { id, secret } = await endpoint(shop, url("/hook?a=1"));
  await assertAllAreTold(hits, await accepted(shop, ["09121234567"]));
  const [hit] = hits;
  assert.equal(hit.path, "/hook?a=1");
  assert.equal(hit.headers["content-type"], "application/json");
  assert.equal(hit.event.id, hit.headers["webhook-id"]);
  assert.equal(hit.event.type, "message.status");
  const rotated = await post(shop, `/webhook/${id}/rotate`);
  assert.equal(rotated.status, 201, rotated.text);
  assert.equal((await post(shop, `/webhook/${id}/test`)).status, 201);
  await until(() => hits.length === 2, { what: "the test event" });
  assert.equal(hits[1].event.type, "webhook.test");
  const newest = rotated.json.data.secret;
  const altered = { ...hit, body: Buffer.from(hit.body.toString().replace("DELIVERED", "EXPIRED")) };
  const renamed = { ...hit, headers: { ...hit.headers, "webhook-id": "evt_0" } };
  const old = {
    ...hit,
    headers: { ...hit.headers, "webhook-timestamp": String(Math.floor(Date.now() / 1000) - 3_600) },
  };
  const unsigned = { ...hit, headers: { ...hit.headers, "webhook-signature": "v1,AAAA" } };
  for (const language of languages) {
    assert.equal(verify(language, secret, hit), true, language);
    assert.equal(verify(language, secret, hits[1]), true, `${language}: the old secret signs too`);
    assert.equal(verify(language, newest, hits[1]), true, `${language}: the new secret signs`);
    assert.equal(verify(language, newest, hit), false, `${language}: another secret`);
    for (const bad of [altered, renamed, old, unsigned]) assert.equal(verify(language, secret, bad), false, language);
  }
});

test("a receiver that fails first gets the same event again, and a redirect is not followed", async () => {
  const shop = await openShop(server, 100_000);
  const { hits, url } = await receiver((_, { length }) => (length === 1 ? [302, { Location: "/elsewhere" }] : 204));
  const { id } = await endpoint(shop, url("/hook"));
  await accepted(shop, ["09121234567"]);
  const log = async () => all(server, shop.key, `/webhook/${id}/deliveries`);
  const waiting = await until(async () => (await log()).find(({ attempts }) => attempts === 1), { what: "an attempt" });
  assert.deepEqual([waiting.status, waiting.responseStatus, waiting.error], ["WAITING", 302, "REDIRECT"]);
  await until(() => hits.length === 2, { what: "the second attempt" });
  assert.deepEqual(
    hits.map(({ path }) => path),
    ["/hook", "/hook"],
  );
  assert.equal(hits[0].headers["webhook-id"], hits[1].headers["webhook-id"]);
  assert.equal(hits[0].body.toString(), hits[1].body.toString());
  const done = await until(async () => (await log()).find(({ status }) => status === "DELIVERED"), { what: "the log" });
  assert.deepEqual([done.id, done.attempts, done.responseStatus], [hits[0].event.id, 2, 204]);
  assert.equal((await post(shop, `/webhook/${id}/deliveries/${done.id}/redeliver`)).status, 200);
  await until(() => hits.length === 3, { what: "the redelivery" });
  assert.equal(hits[2].event.id, done.id);
});

/** A body that never ends: it begins with these octets, then gives so many again and again, or nothing. */
function endless(octets, more) {
  let isFirst = true;
  return new Readable({
    read() {
      if (isFirst) this.push(octets);
      else if (more) this.push(more);
      isFirst = false;
    },
  });
}

test("what a receiver answers is read up to a bound, whatever it is and however long it goes on", async () => {
  const shop = await openShop(server, 100_000);
  const bodies = {
    "/text": () => "سلام\nworld",
    "/binary": () => Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x00, 0xff, 0xfe, 0x41]),
    "/endless": () => endless(Buffer.from("first "), Buffer.alloc(65_536, "x")),
    "/hangs": () => endless(Buffer.from("first ")),
  };
  const { url } = await receiver(({ path }) => [200, {}, bodies[path]()]);
  const attempted = Object.keys(bodies).map(async (path) => {
    const { id } = await endpoint(shop, url(path));
    const made = await post(shop, `/webhook/${id}/test`);
    assert.equal(made.status, 201, made.text);
    const log = () => all(server, shop.key, `/webhook/${id}/deliveries`);
    return until(async () => (await log()).find(({ attempts }) => attempts > 0), { what: `an attempt at ${path}` });
  });
  const shown = (await Promise.all(attempted)).map(({ status, responseStatus, responseBody, error }) => [
    ...[status, responseStatus, error, responseBody],
  ]);
  assert.deepEqual(shown, [
    ["DELIVERED", 200, null, "سلام\nworld"],
    ["DELIVERED", 200, null, "\ufffdPNG\n\ufffd\ufffdA"],
    ["DELIVERED", 200, null, `first ${"x".repeat(994)}`],
    ["WAITING", null, "NO_ANSWER", null],
  ]);
});

test("a receiver that fails five times gets the same event each time, signed anew, and then takes it", async () => {
  const shop = await openShop(server, 100_000);
  const failures = [500, [302, { Location: "/elsewhere" }], 404, null, 503];
  const { hits, url } = await receiver((_, { length }) => (length > failures.length ? 204 : failures[length - 1]));
  const { id, secret } = await endpoint(shop, url("/hook"));
  await accepted(shop, ["09121234567"]);
  const log = () => all(server, shop.key, `/webhook/${id}/deliveries`);
  const ended = await until(async () => (await log()).find(({ status }) => status !== "WAITING"), { what: "the end" });
  assert.deepEqual([ended.status, ended.attempts, ended.responseStatus, ended.error], ["DELIVERED", 6, 204, null]);
  assert.equal(hits.length, 6);
  const times = hits.map(({ headers }) => Number(headers["webhook-timestamp"]));
  for (const [index, hit] of hits.entries()) {
    assert.equal(hit.path, "/hook");
    assert.equal(hit.headers["webhook-id"], ended.id);
    assert.equal(hit.body.toString(), hits[0].body.toString());
    if (index > 0) assert.ok(times[index] > times[index - 1], `${times}`);
    for (const language of languages) {
      assert.equal(verify(language, secret, hit), true, `${language}, attempt ${index + 1}`);
      const signature = hits.at(index - 1).headers["webhook-signature"];
      const ofAnother = { ...hit, headers: { ...hit.headers, "webhook-signature": signature } };
      assert.equal(
        verify(language, secret, ofAnother),
        false,
        `${language}, attempt ${index + 1}: another's signature`,
      );
    }
  }
});

test("a receiver that closes connections that were used before gets each event again under its id, and the log counts each attempt", async () => {
  const shop = await openShop(server, 1_000_000);
  const whole = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nthank";
  // At each point: before the answer, in its first line, in its head, before its body, in its body.
  const points = ["", whole.slice(0, 10), whole.slice(0, 30), whole.slice(0, -5), whole.slice(0, -2)];
  let closed = 0;
  const [heard, answered] = [new Map(), new Set()];
  const { hits, url } = await receiver(({ event, isUsed }) => {
    const before = heard.get(event.id) ?? 0;
    heard.set(event.id, before + 1);
    // Twice at most, so that the waits between attempts stay short.
    if (isUsed && before < 2) return { octets: points[closed++ % points.length] };
    answered.add(event.id);
    return 200;
  });
  const { id } = await endpoint(shop, url());
  const recipients = [];
  for (let index = 0; closed < 2 * points.length; index += 1) {
    for (let message = 0; message < 5; message += 1)
      recipients.push(...(await accepted(shop, numbers(1, 5 * index + message))));
    await until(() => told(hits).size === recipients.length, { interval: 10, what: "the events" });
  }
  await assertAllAreTold(hits, recipients);
  const log = () => all(server, shop.key, `/webhook/${id}/deliveries`);
  await until(async () => (await log()).every(({ status }) => status === "DELIVERED"), { what: "the last attempt" });
  for (const { id: event, attempts } of await log()) {
    assert.ok(answered.has(event), `${event} was never answered`);
    assert.equal(attempts, heard.get(event), event);
  }
  assert.equal((await log()).length, heard.size);
});

test("a receiver that answers 410 gets nothing more", async () => {
  const shop = await openShop(server, 100_000);
  const { hits, url } = await receiver(() => 410);
  const { id } = await endpoint(shop, url());
  await accepted(shop, ["09121234567"]);
  const gone = await until(
    async () => {
      const { json } = await api(server, "GET", `/webhook/${id}`, { key: shop.key });
      return json.data.active ? null : json.data;
    },
    { what: "the end of the endpoint" },
  );
  assert.equal(gone.disabledReason, "GONE");
  assert.equal((await post(shop, `/webhook/${id}/test`)).status, 409);
  assert.equal(hits.length, 1);
});

test("receivers that do not answer do not hold back the others of the account", async () => {
  const shop = await openShop(server, 1_000_000);
  let release;
  const released = new Promise((resolve) => (release = resolve));
  const slow = await receiver(() => released.then(() => 200));
  const fast = await receiver();
  await endpoint(shop, slow.url("/a"));
  await endpoint(shop, slow.url("/b"));
  await endpoint(shop, slow.url("/c"));
  await endpoint(shop, fast.url());
  const recipients = [];
  for (let index = 0; index < 20; index += 1) recipients.push(...(await accepted(shop, numbers(1, index))));
  await assertAllAreTold(fast.hits, recipients);
  assert.ok(slow.hits.length > 0);
  release();
});

test("of a thousand status changes none is lost", async () => {
  const shop = await openShop(server, 10_000_000);
  const { hits, url } = await receiver();
  await endpoint(shop, url());
  const sends = [accepted(shop, numbers(700))];
  for (let index = 0; index < 100; index += 1) sends.push(accepted(shop, numbers(1, index)));
  for (let index = 0; index < 20; index += 1) sends.push(accepted(shop, numbers(10, index * 10)));
  const recipients = (await Promise.all(sends)).flat();
  assert.equal(recipients.length, 1_000);
  await assertAllAreTold(hits, recipients);
});

test("a runtime that is killed between an event and its delivery loses none", async () => {
  const shop = await openShop(server, 10_000_000);
  let failures = 0;
  // Now and then the receiver breaks off, or takes its time, so that crashes come while attempts are under way.
  const { hits, url } = await receiver(async (_, { length }) => {
    if (length % 7 === 3 && failures++ < 4) return 503;
    if (length % 3 === 0) await sleep(300);
    return 200;
  });
  await endpoint(shop, url());
  const recipients = [];
  for (const delay of [0, 1_100, 2_100, 2_500, 3_300]) {
    const sends = Array.from({ length: 10 }, (_, index) => accepted(shop, numbers(3, index * 3)));
    recipients.push(...(await Promise.all(sends)).flat());
    await sleep(delay);
    await server.kill();
    await server.restart();
  }
  await assertAllAreTold(hits, recipients);
});
