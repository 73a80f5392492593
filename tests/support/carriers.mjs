// Helpers of the runtime tests of real carriers: carriers, lines that are tied to them, and what became of recipients.
import assert from "node:assert/strict";
import { randomInt, randomUUID } from "node:crypto";
import { api, until } from "./server.mjs";
import { admin, all, assertLedgerAddsUp, openShop } from "./shop.mjs";

const enough = 1_000_000_000;

/** A name of its own, without digits: the log cuts long numbers, because they may be a phone's. */
const ownName = (kind) =>
  `${kind}-${randomUUID()
    .slice(0, 8)
    .replaceAll(/\d/g, (digit) => "ghijklmnop"[digit])}`;

async function made(server, path, body) {
  const answer = await admin(server, "POST", path, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.json.data;
}

/** Makes a carrier that binds to the SMSC. Returns its name. */
export async function smppCarrier(server, smsc, settings = {}) {
  const name = ownName("smsc");
  const smpp = { host: "127.0.0.1", port: smsc.port, tls: false, systemId: "peyk", password: "secret", ...settings };
  await made(server, "/admin/carriers", { name, kind: "smpp", smpp });
  return name;
}

export async function httpCarrier(server, { url, username, password }) {
  const name = ownName("http");
  await made(server, "/admin/carriers", {
    name,
    kind: "http",
    http: { url, allowPlaintext: true, username, password },
  });
  return name;
}

export async function changeCarrier(server, name, changes) {
  const answer = await admin(server, "PATCH", `/admin/carriers/${name}`, changes);
  assert.equal(answer.status, 200, answer.text);
}

export async function healthOf(server, name) {
  const answer = await admin(server, "GET", `/admin/carriers/${name}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json.data.health;
}

/** Opens a shop with a line of its own; `tie` is `{carrier}` or `{routes}`. */
export async function shopThrough(server, tie) {
  const number = String(randomInt(20_000_000, 99_999_999));
  await made(server, "/admin/lines", { number, operations: ["WEBSERVICE", "PATTERN"], shared: true, ...tie });
  return { line: number, ...(await openShop(server, enough, { defaultLine: number })) };
}

/** Opens a shop whose messages to 0935 wait, for a carrier that takes nothing. All others leave. */
export async function shopThatWaits(server) {
  const name = await smppCarrier(server, { port: 1 });
  await changeCarrier(server, name, { paused: true });
  const routes = [
    { prefixes: [], carriers: [{ name: "sandbox", weight: 1 }] },
    { prefixes: ["98935"], carriers: [{ name, weight: 1 }] },
  ];
  return shopThrough(server, { routes, allowSandbox: true });
}

/** Different numbers, and `000000` to `999999` at their ends. */
export const numbers = (count, first = 0) =>
  Array.from({ length: count }, (_, index) => `+98912${String(first + index).padStart(7, "0")}`);

/** Sends each number its own text in requests of up to 1,000. Returns the uids of the messages. */
export async function sendTexts(server, shop, texts) {
  const pairs = [...texts];
  const uids = [];
  for (let begin = 0; begin < pairs.length; begin += 1_000) {
    const messages = pairs.slice(begin, begin + 1_000).map(([recipient, message]) => ({ recipient, message }));
    const answer = await api(server, "POST", "/sms/bulk", { key: shop.key, body: { messages } });
    assert.equal(answer.status, 201, answer.text);
    uids.push(answer.json.data.uid);
  }
  return uids;
}

const endings = ["DELIVERED", "UNDELIVERED", "EXPIRED", "REJECTED", "UNKNOWN"];

/**
 * Waits until every recipient has ended or is UNKNOWN. Returns the statuses by number. With an SMSC, nobody is UNKNOWN whom it
 * has reported: such a receipt finds its recipient some seconds after the answer was lost.
 */
export async function settled(server, shop, uids, smsc) {
  await until(async () => (await countsOf(server, shop, uids)).every(([status]) => endings.includes(status)), {
    interval: 500,
    what: "the end of every recipient",
  });
  if (smsc) await until(() => isAllReportedKnown(server, shop, uids, smsc), { interval: 2_000, what: "every report" });
  return statusesOf(server, shop, uids);
}

async function isAllReportedKnown(server, shop, uids, smsc) {
  const reported = new Set(await smsc.reported());
  const statuses = await statusesOf(server, shop, uids);
  return [...statuses].every(([number, status]) => status !== "UNKNOWN" || !reported.has(number.slice(1)));
}

async function countsOf(server, shop, uids) {
  const messages = await Promise.all(uids.map((uid) => api(server, "GET", `/messages/${uid}`, { key: shop.key })));
  return messages.flatMap(({ json }) => Object.entries(json.data.counts)).filter(([, count]) => count > 0);
}

export async function statusesOf(server, shop, uids) {
  const statuses = new Map();
  for (const uid of uids)
    for (const { recipient, status } of await all(server, shop.key, `/messages/${uid}/recipients`))
      statuses.set(recipient, status);
  return statuses;
}

/** How often each status occurs. */
export function tally(statuses) {
  const counts = {};
  for (const status of statuses.values()) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** How many submits to a number a peer took; the peer knows it without the plus. */
export const takenBy = (counts, number) => counts[number.slice(1)]?.taken ?? 0;

/**
 * Asserts what must hold after any fault: no recipient was taken twice by all peers together, who is delivered was
 * taken, who is rejected was not, and the money of all but the unknown ones is settled. All messages have one part and
 * cost 1,000.
 */
export async function assertOnceAndPaid(server, shop, statuses, ...counts) {
  for (const [number, status] of statuses) {
    const taken = counts.reduce((sum, count) => sum + takenBy(count, number), 0);
    assert.ok(taken <= 1, `${number} was taken ${taken} times`);
    if (status !== "UNKNOWN") assert.equal(taken, status === "REJECTED" ? 0 : 1, `${number} is ${status}`);
  }
  const { REJECTED = 0, UNKNOWN = 0 } = tally(statuses);
  const { spent, locked } = await assertLedgerAddsUp(server, shop.key);
  assert.deepEqual([spent, locked], [(statuses.size - REJECTED - UNKNOWN) * 1_000, UNKNOWN * 1_000]);
}
