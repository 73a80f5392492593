// What the API tells at rest, compared with what carriers, receivers and clients have seen themselves.
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { until } from "../server.mjs";
import { admin, all, assertLedgerAddsUp, walletOf } from "../shop.mjs";
import { isRefused, statusAfter } from "./peers.mjs";

const TAKEN = ["DELIVERED", "UNDELIVERED", "EXPIRED", "SUBMITTED"];
const ENDED = ["DELIVERED", "UNDELIVERED", "EXPIRED", "REJECTED", "UNKNOWN", "CANCELED"];
const PRICE = 1_000;

const sum = (items, of) => items.reduce((total, item) => total + of(item), 0);

/** All recipients of a shop, as operators see them. Waits until each has ended, or nobody knows; not so those that `isTold`. */
export async function recipientsAtRest(server, shop, isTold = () => false) {
  let late = [];
  return until(
    async () => {
      const found = await doneRecipients(server, shop);
      late = found.recipients.filter((one) => one.status === "UNKNOWN" && isTold(one));
      return late.length === 0 && found;
    },
    { interval: 1_000, what: () => `what the reports say of ${late.map(({ recipient }) => recipient).join(", ")}` },
  );
}

/** Whether the reports of all carriers tell how a recipient has ended: somebody took it whole, and has reported each part of it. */
export const isToldBy =
  (peers) =>
  ({ recipient, parts }) =>
    [...peers.values()].some(({ kind, taken, reportsAll }) => {
      const times = taken.get(recipient) ?? 0;
      return times === partsTaken(kind, parts) && (reportsAll || times === 1);
    });

/** How often a carrier of this kind takes a recipient of so many parts. */
const partsTaken = (kind, parts) => (kind === "http" ? 1 : parts);

async function doneRecipients(server, shop) {
  const messages = await until(
    async () => {
      const found = await all(server, shop.key, "/messages");
      return found.every(({ status }) => ["DONE", "CANCELED"].includes(status)) && found;
    },
    { interval: 1_000, what: () => openRecipients(server, shop) },
  );
  const recipients = [];
  for (const message of messages) {
    const path = `/messages/${message.uid}/recipients`;
    const { own, operators } = await readAlike(server, shop, path);
    for (const [index, { parts = message.parts }] of own.entries())
      recipients.push({ ...operators[index], parts, message });
  }
  return { messages, recipients };
}

/** The recipients of a shop that have no ending, for an error. */
async function openRecipients(server, shop) {
  const open = [];
  for (const { uid } of await all(server, shop.key, "/messages"))
    for (const { recipient, status, carrier } of await all(
      server,
      server.adminKey,
      `/admin/accounts/${shop.id}/messages/${uid}/recipients`,
    ))
      if (!ENDED.includes(status)) open.push(`${recipient} is ${status} by ${carrier}`);
  return `the end of every message; ${open.length} recipients have none: ${open.slice(0, 20).join("; ")}`;
}

/** A list of recipients, as the shop and operators see it: alike, unless a report has moved somebody in between. */
function readAlike(server, shop, path) {
  const shown = ({ uid, recipient, status, cost }) => ({ uid, recipient, status, cost });
  return until(
    async () => {
      const own = await all(server, shop.key, path);
      const operators = await all(server, server.adminKey, `/admin/accounts/${shop.id}${path}`);
      return isDeepStrictEqual(operators.map(shown), own.map(shown)) && { own, operators };
    },
    { what: "a list that operators see as the shop does" },
  );
}

/** No message is there that no client knows of. What nobody knows of may wait for tomorrow, so this is asked before all is at rest. */
export async function assertAllKnown(server, shop) {
  const known = new Set([...shop.accepted.values()].map(({ uid }) => uid));
  for (const { uid } of await all(server, shop.key, "/messages")) {
    if (known.has(uid)) continue;
    for (const { recipient } of await all(server, shop.key, `/messages/${uid}/recipients`))
      assert.ok(shop.perhaps.has(recipient), `${uid}: nobody has sent to ${recipient} so often`);
  }
}

/** What clients were told is there, once, and nothing else is. */
export function assertWhatClientsKnow(shop, { messages, recipients }) {
  const uids = [...shop.accepted.values()].map(({ uid }) => uid);
  assert.equal(new Set(uids).size, uids.length, "each key has a message of its own");
  const known = new Map(messages.map((message) => [message.uid, message]));
  for (const { uid, recipients: told, cost } of shop.accepted.values()) {
    assert.equal(known.get(uid)?.recipientCount, told.length, uid);
    assert.equal(known.get(uid).cost, cost, uid);
  }
  const own = new Set(uids);
  for (const { recipient, message } of recipients)
    if (!own.has(message.uid)) assert.ok(shop.perhaps.has(recipient), `nobody has sent to ${recipient}`);
  for (const { uid, status } of messages) assert.equal(status === "CANCELED", shop.canceled.has(uid), uid);
}

/** Who took a number is who the API names, and its status is what that carrier has said. `peers` map names to what they saw. */
export function assertWhatCarriersKnow(recipients, peers) {
  const numbers = new Set(recipients.map(({ recipient }) => recipient));
  assert.equal(numbers.size, recipients.length, "each number was sent to once");
  for (const { recipient, status, carrier, parts, message } of recipients) {
    assert.ok(ENDED.includes(status), `${recipient} is ${status}`);
    const takers = [...peers].filter(([, peer]) => peer.taken.has(recipient));
    assert.ok(takers.length <= 1, `${recipient} was taken by ${takers.map(([name]) => name)}`);
    const [name, peer] = takers[0] ?? [];
    const times = peer?.taken.get(recipient) ?? 0;
    assert.ok(times <= partsTaken(peer?.kind, parts), `${recipient} was taken ${times} times`);
    const what = `${recipient} of ${message.uid} is ${status} by ${carrier}; ${name} took it ${times} times of ${parts}`;
    if (TAKEN.includes(status)) {
      assert.equal(carrier, name, what);
      // A crash between the parts of a long message leaves the rest unsent. Where each part is reported, such a message is never taken for
      // delivered; where one part speaks for all, it may be.
      const isWhole = times === partsTaken(peer.kind, parts);
      assert.equal(status, statusAfter(peer.kind, recipient), what);
      assert.ok(isWhole || !peer.reportsAll || status !== "DELIVERED", what);
    }
    if (["REJECTED", "CANCELED"].includes(status)) assert.equal(times, 0, what);
    if (status === "REJECTED") assert.ok(isRefused(recipient), what);
    if (status === "UNKNOWN") assert.equal(carrier, name ?? carrier, what);
  }
}

/** Nobody has what the API does not know. */
export function assertNobodyElse(peers, shops) {
  const known = new Set(shops.flatMap(({ recipients }) => recipients.map(({ recipient }) => recipient)));
  for (const [name, { taken }] of peers)
    for (const number of taken.keys()) assert.ok(known.has(number), `${name} has ${number}, which no message names`);
}

/** The money: the ledger replays, and comes to what became of the recipients. */
export async function assertMoney(server, shop, recipients) {
  const cost = (statuses) => sum(recipients, (one) => (statuses.includes(one.status) ? one.cost : 0));
  for (const { recipient, parts, cost: price } of recipients) assert.equal(price, parts * PRICE, recipient);
  const { spent, locked, available, entries } = await assertLedgerAddsUp(server, shop.key);
  assert.deepEqual(
    { spent, locked, available },
    {
      spent: cost(TAKEN),
      locked: cost(["UNKNOWN"]),
      available: shop.money - cost([...TAKEN, "UNKNOWN"]),
    },
  );
  const byType = (type) => sum(entries, (entry) => (entry.type === type ? entry.amount : 0));
  assert.equal(
    byType("RESERVE"),
    sum(recipients, (one) => one.cost),
  );
  assert.equal(byType("SETTLE"), spent);
  assert.equal(byType("RELEASE"), cost(["REJECTED", "CANCELED"]));
}

/** What usage has to say of recipients, as `GET /admin/usage` says it. */
function usageOf(recipients) {
  const count = (status) => recipients.filter((one) => one.status === status).length;
  const returned = recipients.filter(({ status }) => ["REJECTED", "CANCELED"].includes(status));
  return {
    recipients: recipients.length,
    parts: sum(recipients, ({ parts }) => parts),
    cost: sum(recipients, ({ cost }) => cost),
    returned: sum(returned, ({ cost }) => cost),
    delivered: count("DELIVERED"),
    undelivered: count("UNDELIVERED"),
    expired: count("EXPIRED"),
    rejected: count("REJECTED"),
    unknown: count("UNKNOWN"),
    canceled: count("CANCELED"),
  };
}

/** The usage of an account all of whose sends were refused: no day has any. */
const none = { messages: 0, ...usageOf([]) };

/** Adds up sums of usage without what names them. */
function added(rows) {
  const total = { ...none, simulated: 0 };
  for (const { by: _by, key: _key, username: _username, ...counts } of rows)
    for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count;
  return total;
}

/** Usage by each of its ways: the account's own, and the operators' by day, account, line and carrier. */
export async function assertUsage(server, shop, { messages, recipients }) {
  const whole = { messages: messages.length, ...usageOf(recipients) };
  const own = (await all(server, shop.key, "/account/usage")).map(({ live }) => live);
  const { statuses: _statuses, pending: _pending, ...plain } = own[0] ?? none;
  const ofStatus = (status) => sum(own, ({ statuses }) => statuses[status] ?? 0);
  const shown = Object.fromEntries(Object.keys(plain).map((name) => [name, sum(own, (day) => day[name])]));
  for (const status of ENDED) shown[status.toLowerCase()] = ofStatus(status);
  assert.deepEqual(shown, whole, "GET /account/usage");
  assert.equal(
    sum(own, ({ pending }) => pending),
    0,
  );

  // The carriers have real peers.
  const mirrored = { ...whole, simulated: 0 };
  const usage = (by) => all(server, server.adminKey, `/admin/usage?by=${by}&account=${shop.id}`);
  for (const by of ["day", "account", "line"]) {
    const same = async () => {
      const found = added(await usage(by));
      return JSON.stringify(sorted(found)) === JSON.stringify(sorted(mirrored));
    };
    await until(same, { interval: 1_000, what: `the mirror of the usage, ${JSON.stringify(mirrored)}` });
    assert.deepEqual(added(await usage(by)), mirrored, `by ${by}`);
  }
  const byCarrier = new Map(
    (await usage("carrier")).map(({ by: _by, key, username: _username, ...counts }) => [key, counts]),
  );
  assert.deepEqual(added([...byCarrier.values()]), mirrored, "all carriers and none");
  const taken = recipients.filter(({ status }) => TAKEN.includes(status));
  for (const name of new Set(taken.map(({ carrier }) => carrier))) {
    const {
      recipients: people,
      parts,
      cost,
      delivered,
      undelivered,
      expired,
    } = usageOf(taken.filter(({ carrier }) => carrier === name));
    const { messages: _messages, returned: _returned, ...shown } = byCarrier.get(name);
    const { unknown: _unknown, rejected: _rejected, canceled: _canceled, ...compared } = shown;
    const wanted = { recipients: people, parts, cost, delivered, undelivered, expired, simulated: 0 };
    assert.deepEqual(compared, wanted, name);
  }
}

const sorted = (object) => Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1));

/** Each take and each ending was told, in one event each, which came as often as it was attempted. */
export async function assertEvents(server, shop, recipients, hits) {
  const events = new Map();
  for (const { headers, body, event, isTaken } of hits) {
    assert.equal(headers["webhook-id"], event.id);
    const known = events.get(event.id) ?? { body: body.toString(), event, hits: 0, taken: 0 };
    assert.equal(known.body, body.toString(), "one id has one body");
    known.hits += 1;
    known.taken += isTaken ? 1 : 0;
    events.set(event.id, known);
  }
  const told = new Map();
  for (const [id, { event }] of events)
    for (const { uid, status } of event.data.recipients) {
      const key = `${uid} ${status}`;
      assert.ok(!told.has(key), `${key} was told by ${told.get(key)} and ${id}`);
      told.set(key, id);
    }
  for (const { uid, status } of recipients) {
    if (status !== "CANCELED") assert.ok(told.has(`${uid} ${status}`), `${uid} ${status} was not told`);
    assert.equal(told.has(`${uid} SUBMITTED`), TAKEN.includes(status), `${uid} ${status}: SUBMITTED`);
  }
  const log = await all(server, shop.key, `/webhook/${shop.endpoint}/deliveries`);
  assert.deepEqual(log.map(({ id }) => id).sort(), [...events.keys()].sort());
  for (const { id, status, attempts } of log) {
    const { hits: seen, taken } = events.get(id);
    assert.equal(status, "DELIVERED", id);
    assert.ok(taken >= 1, id);
    assert.ok(attempts <= seen, `${id}: ${attempts} attempts, ${seen} came`);
    // A crash forgets the attempt that it interrupts.
    assert.ok(attempts >= seen - shop.crashes, `${id}: ${attempts} attempts, ${seen} came`);
  }
}

/** Waits until the receiver was told how each recipient ended, and no event waits any more. */
export async function webhooksAtRest(server, shop, recipients) {
  const wanted = recipients.filter(({ status }) => status !== "CANCELED").map(({ uid, status }) => `${uid} ${status}`);
  const isTold = () => {
    const told = new Set();
    for (const { event } of shop.receiver.hits)
      for (const { uid, status } of event.data.recipients) told.add(`${uid} ${status}`);
    return wanted.every((key) => told.has(key));
  };
  await until(isTold, { what: "an event of each ending" });
  const isAtRest = async () => {
    const log = await all(server, shop.key, `/webhook/${shop.endpoint}/deliveries`);
    return log.every(({ status }) => status !== "WAITING");
  };
  await until(isAtRest, { interval: 500, what: "the last attempt" });
}

/** The nightly check finds nothing, the directory shows the wallet, and the carriers have nothing left. */
export async function assertHealthy(server, shops, carriers) {
  for (const shop of shops) {
    const report = await until(
      async () => {
        const { json } = await admin(server, "GET", `/admin/reconciliation?account=${shop.id}`);
        const [found] = json.data;
        return found.error === null && found;
      },
      { what: "a reconciliation" },
    );
    assert.deepEqual([report.now.differences, report.now.unchecked], [[], []]);
    const mirrored = async () => {
      const { json } = await admin(server, "GET", `/admin/accounts?q=${shop.id}`);
      return json.data[0].wallet.availableBalance === (await walletOf(server, shop.key)).availableBalance;
    };
    await until(mirrored, { what: "the mirror of the wallet" });
  }
  for (const name of carriers) {
    const isIdle = async () => {
      const { json } = await admin(server, "GET", `/admin/carriers/${name}`);
      const { inWindow, queued, oldestQueuedSeconds } = json.data.health;
      return inWindow === 0 && queued === 0 && !oldestQueuedSeconds;
    };
    await until(isIdle, { interval: 500, what: `${name} with nothing left` });
  }
}
