// The thirty days that the demo account has when somebody starts Peyk for the first time: what is told of them agrees.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { ensureHistory } from "../../scripts/lib/history/history.mjs";
import { historyState } from "../support/fresh-state.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { admin, all, assertLedgerAddsUp, message } from "../support/shop.mjs";

const DAY_MS = 86_400_000;
const AT_ONCE = 8;

const server = sharedServer(
  async () => {
    server.messages = await allMessages();
    server.usage = await all(server, server.apiKey, "/account/usage");
  },
  undefined,
  historyState,
);
const read = async (path) => (await api(server, "GET", path, { key: server.apiKey })).json.data;

/** All messages of the account with their counts. */
async function allMessages() {
  const messages = [];
  const queue = (await all(server, server.apiKey, "/messages")).values();
  const next = async () => {
    for (const { uid } of queue) messages.push(await message(server, server.apiKey, uid));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return messages;
}

const dayOf = (time) => time.slice(0, 10);
const sum = (list, amount) => list.reduce((all, one) => all + amount(one), 0);

/** What the messages of each day say of it. */
function byDay(messages, entries) {
  const returns = Map.groupBy(
    entries.filter(({ type }) => type === "RELEASE" || type === "REFUND"),
    (entry) => entry.message,
  );
  const days = Map.groupBy(messages, ({ createdAt }) => dayOf(createdAt));
  return [...days].map(([date, list]) => {
    const count = (...names) => sum(list, ({ counts }) => sum(names, (name) => counts[name] ?? 0));
    const ended = ["CANCELED", "DELIVERED", "EXPIRED", "REJECTED", "UNDELIVERED", "UNKNOWN"];
    return {
      date,
      live: {
        messages: list.length,
        recipients: sum(list, ({ recipientCount }) => recipientCount),
        cost: sum(list, ({ cost }) => cost),
        returned: sum(list, ({ uid }) => sum(returns.get(uid) ?? [], ({ amount }) => amount)),
        pending: count("QUEUED", "SCHEDULED", "SUBMITTED"),
        statuses: Object.fromEntries(ended.map((name) => [name, count(name)])),
      },
    };
  });
}

test("the account has thirty days of messages of all kinds and endings, and none of the future", () => {
  const { messages } = server;
  const kinds = new Set(messages.map(({ type }) => type));
  assert.deepEqual([...kinds].toSorted(), ["BULK", "PATTERN", "PHONEBOOK", "PLAIN", "VERIFY"]);
  const endings = new Set(messages.flatMap(({ counts }) => Object.keys(counts)));
  for (const ending of ["DELIVERED", "UNDELIVERED", "EXPIRED", "REJECTED", "CANCELED", "SCHEDULED"])
    assert.ok(endings.has(ending), ending);
  const times = messages.map(({ createdAt }) => Date.parse(createdAt));
  const age = (ms) => (Date.now() - ms) / DAY_MS;
  assert.ok(age(Math.min(...times)) > 28 && age(Math.min(...times)) < 31, `${age(Math.min(...times))} days`);
  assert.ok(age(Math.max(...times)) >= 0);
  assert.ok(new Set(messages.map(({ createdAt }) => dayOf(createdAt))).size >= 29);
});

test("the ledger replays to the balances, and usage says what the messages say", async () => {
  const { available, locked, spent, entries } = await assertLedgerAddsUp(server, server.apiKey);
  const credited = entries.filter(({ type }) => type === "CREDIT");
  assert.equal(
    sum(credited, ({ amount }) => amount),
    available + locked + spent,
  );
  assert.ok(credited.length >= 4 && available > 500_000);
  const told = server.usage.map(({ date, live: { parts: _, ...live } }) => ({ date, live }));
  assert.deepEqual(
    told,
    byDay(server.messages, entries).toSorted((one, other) => (one.date < other.date ? 1 : -1)),
  );
  const paid = sum(server.usage, ({ live }) => live.cost - live.returned);
  assert.equal(paid, spent + locked);
});

test("the directory shows what the account has", async () => {
  const { json } = await admin(server, "GET", `/admin/reconciliation?account=${server.accountId}`);
  const [{ error, now }] = json.data;
  assert.deepEqual([error, now.differences, now.unchecked], [null, [], []]);
  const from = server.usage.at(-1).date;
  const mirror = await all(server, server.adminKey, `/admin/usage?by=day&account=${server.accountId}&from=${from}`);
  const shown = mirror.toReversed().map(({ key, messages, recipients, parts, cost, returned, delivered }) => ({
    ...{ key, messages, recipients, parts, cost, returned, delivered },
  }));
  const own = server.usage.map(({ date, live: { messages, recipients, parts, cost, returned, statuses } }) => ({
    ...{ key: date, messages, recipients, parts, cost, returned, delivered: statuses.DELIVERED },
  }));
  assert.deepEqual(shown, own);
});

test("there are two carriers that have taken messages, people, patterns, codes, and messages from phones", async () => {
  const carriers = await all(server, server.adminKey, "/admin/carriers");
  assert.deepEqual(carriers.map(({ name, kind, paused }) => [name, kind, paused]).toSorted(), [
    ["gateway", "http", true],
    ["sandbox", "sandbox", false],
  ]);
  const taken = await all(server, server.adminKey, `/admin/usage?by=carrier&account=${server.accountId}`);
  for (const { name } of carriers) assert.ok(taken.find(({ key }) => key === name).delivered > 50, name);
  const [phonebook] = await all(server, server.apiKey, "/phonebook");
  assert.equal(phonebook.count, 120);
  const patterns = await all(server, server.apiKey, "/pattern");
  assert.ok(patterns.length >= 5);
  const inbound = await all(server, server.apiKey, "/inbound");
  assert.ok(inbound.length >= 30 && inbound.some(({ optOut }) => optOut));
  const {
    rows: [codes],
  } = await read("/verify/stats?by=line");
  assert.ok(
    codes.approved > 10 &&
      codes.approved === codes.checked &&
      codes.approved < codes.started &&
      codes.medianSeconds > 5,
    JSON.stringify(codes),
  );
});

test("there are people, keys, a webhook that has got all events, who is blocked, and who was forgotten", async () => {
  const members = await read("/members");
  assert.deepEqual(members.map(({ role }) => role).toSorted(), ["FINANCE", "OWNER", "SENDER", "VIEWER"]);
  assert.deepEqual((await read("/keys")).map(({ mode }) => mode).toSorted(), ["live", "live", "live", "test", "test"]);
  const [webhook, ...others] = await read("/webhook");
  assert.deepEqual([webhook.active, webhook.disabledReason, others], [false, null, []]);
  const deliveries = await all(server, server.apiKey, `/webhook/${webhook.id}/deliveries`);
  assert.deepEqual([...new Set(deliveries.map(({ type }) => type))].toSorted(), ["message.received", "verify.status"]);
  assert.ok(deliveries.every(({ status, attempts }) => status === "DELIVERED" && attempts === 1));
  const blocked = await read("/blacklist");
  assert.ok(blocked.length >= 2, JSON.stringify(blocked));
  const isForgotten = async () => {
    // That of the operators runs for two hours.
    const { status, found } = (await read("/erasures")).find(({ orderedBy }) => orderedBy === "ACCOUNT");
    return status === "DONE" && found;
  };
  const { recipients, inbound } = await until(isForgotten, { what: "the end of the erasure" });
  assert.deepEqual([recipients, inbound], [1, 1]);
});

test("it is made once: another start adds nothing", async () => {
  const { wallet } = await read("/account/info");
  await ensureHistory(server.stateDir);
  assert.ok(!existsSync(`${server.stateDir}.unfinished`));
  await server.kill();
  await server.restart();
  assert.deepEqual((await read("/account/info")).wallet, wallet);
  const { length } = await all(server, server.apiKey, "/messages");
  assert.equal(length, server.messages.length);
});
