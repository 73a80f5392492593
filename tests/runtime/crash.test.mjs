// Kills the runtime between accept and delivery, and starts it again on the same state.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sharedServer, until } from "../support/server.mjs";
import { admin, all, assertLedgerAddsUp, inbox, openShop, send } from "../support/shop.mjs";

const server = sharedServer();

/** Sends `count` messages to 1 to 81 recipients each, and returns all recipients. */
async function accept(shop, count, offset) {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const numbers = Array.from(
        { length: 1 + (index % 5) * 20 },
        (_, place) => `0912${String(offset + index * 100 + place).padStart(4, "0")}100`,
      );
      return send(server, shop.key, numbers);
    }),
  );
  for (const answer of answers) assert.equal(answer.status, 201, answer.text);
  return answers.flatMap(({ json }) => json.data.recipients);
}

async function crash() {
  await server.kill();
  await server.restart();
}

test("every accepted message is delivered once and no money is lost", async () => {
  const shop = await openShop(server, 10_000_000);
  const recipients = [];
  // On a fast machine, the crash of the four rounds comes at once, while chunks go to the carrier, while the carrier has
  // them, and while reports come back, or everything has ended. On any machine, a crash at any moment must pass.
  for (const reportAfterMs of [1_000, 0]) {
    const changed = await admin(server, "PATCH", "/admin/carriers/sandbox", { sandbox: { reportAfterMs } });
    assert.equal(changed.status, 200, changed.text);
    for (const [round, delay] of [0, 30, 150, 900].entries()) {
      recipients.push(...(await accept(shop, 15, round * 2_000)));
      await sleep(delay);
      await crash();
    }
  }
  await assertDeliveredOnce(shop, recipients, 120);
});

test("clients that repeat what a crash interrupted send each message once, whenever the crash comes", async (context) => {
  const shop = await openShop(server, 10_000_000);
  const recipients = [];
  for (let round = 0; round < 6; round += 1) {
    const moment = Math.floor(Math.random() * 600);
    context.diagnostic(`round ${round}: killed after ${moment} ms`);
    const first = Array.from({ length: 20 }, (_, index) => attempt(shop, round, index));
    await sleep(moment);
    await crash();
    await Promise.all(first);
    const repeated = await Promise.all(Array.from({ length: 20 }, (_, index) => attempt(shop, round, index)));
    for (const answer of repeated) assert.equal(answer?.status, 201, answer?.text);
    recipients.push(...repeated.flatMap(({ json }) => json.data.recipients));
  }
  await assertDeliveredOnce(shop, recipients, 120);
});

test("a crash in the middle of calls that travel together neither loses nor doubles a message", async (context) => {
  const shop = await openShop(server, 10_000_000);
  const [tried, accepted] = [[], new Set()];
  for (let round = 0; round < 3; round += 1) {
    const [first, enough] = [accepted.size, 150 + Math.floor(Math.random() * 100)];
    let isDown = false;
    // Each of them sends one message after the other. Most of their calls wait for a call that is under way.
    const senders = Array.from({ length: 32 }, async () => {
      while (!isDown) {
        const index = tried.push(null) - 1;
        if ((await single(shop, index))?.status === 201) accepted.add(index);
      }
    });
    await until(() => accepted.size - first >= enough, { interval: 5, what: "a load of sends" });
    context.diagnostic(`round ${round}: killed after ${accepted.size - first} answers of ${tried.length}`);
    isDown = true;
    await server.kill();
    await Promise.all(senders);
    await server.restart();
  }
  const repeated = [];
  for (const index of tried.keys()) repeated.push(await single(shop, index));
  for (const [index, answer] of repeated.entries()) {
    assert.equal(answer?.status, 201, answer?.text);
    if (accepted.has(index)) assert.equal(answer.headers.get("idempotency-replayed"), "true");
  }
  const recipients = repeated.flatMap(({ json }) => json.data.recipients);
  await assertDeliveredOnce(shop, recipients, tried.length);
});

/** One try at a send to one recipient; `null` when the crash took its answer. */
async function single(shop, index) {
  const headers = { "Idempotency-Key": `single-${index}` };
  return send(server, shop.key, [`0935${String(index).padStart(4, "0")}100`], {}, headers).catch(() => null);
}

/** One try at a send; `null` when the crash took its answer. */
async function attempt(shop, round, index) {
  const numbers = Array.from(
    { length: 1 + (index % 4) * 30 },
    (_, place) => `0935${String(index * 100 + place).padStart(4, "0")}100`,
  );
  const headers = { "Idempotency-Key": `round-${round}-${index}` };
  return send(server, shop.key, numbers, {}, headers).catch(() => null);
}

/** Every recipient was handed over once, is delivered and paid, and no money is locked. */
async function assertDeliveredOnce(shop, recipients, count) {
  await until(async () => (await all(server, shop.key, "/messages")).every(({ status }) => status === "DONE"), {
    interval: 1_000,
    what: "the end of every message",
  });
  const messages = await all(server, shop.key, "/messages");
  assert.equal(messages.length, count);
  assert.equal(
    messages.reduce((sum, { recipientCount }) => sum + recipientCount, 0),
    recipients.length,
  );
  const handed = await inbox(server, shop.id);
  assert.equal(handed.size, recipients.length);
  for (const { uid } of recipients)
    assert.equal(handed.get(uid)?.taken, 1, `${uid} was handed over ${handed.get(uid)?.taken} times`);
  for (const { uid } of messages) {
    const states = await all(server, shop.key, `/messages/${uid}/recipients`);
    for (const state of states) assert.equal(state.status, "DELIVERED", state.uid);
  }
  const { spent, locked } = await assertLedgerAddsUp(server, shop.key);
  assert.deepEqual([spent, locked], [recipients.length * 1000, 0]);
}
