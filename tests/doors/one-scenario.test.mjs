// One scenario, sent by our own API and through each door with the same key: what the account, its customers and its receivers
// have of it is the same.
import assert from "node:assert/strict";
import { test } from "node:test";
import { effects, reached, standOf, watched } from "../support/doors/effects.mjs";
import { protocols } from "../support/doors/protocols.mjs";
import { shopWithPattern } from "../support/doors/shop.mjs";
import { sharedServer, until } from "../support/server.mjs";
import { inbox, tomorrow } from "../support/shop.mjs";

const server = sharedServer();
/** The name of a pattern, such as all protocols can have. */
const code = "100200";
const to = "+989121234567";
let shop;

/** A text, one that is refused, a pattern, and one that is taken back before its time. */
async function play(protocol, at) {
  const sent = await protocol.send({ to, text: "سلام دنیا", line: server.line });
  assert.ok(sent.isGood);
  await until(async () => (await protocol.statusOf(sent.id)) === protocol.delivered, { what: "the delivery" });
  const refused = await protocol.send({ to, text: "x", line: "99999" });
  assert.equal(refused.isGood, false);
  const pattern = await protocol.pattern({ to, code, token: "1234" });
  assert.ok(pattern.isGood);
  await reached(server, shop);
  assert.equal(await protocol.statusOf(pattern.id), protocol.delivered);
  const planned = await protocol.send({ to, text: "tomorrow", line: server.line, at });
  assert.ok(planned.isGood);
  assert.ok((await protocol.cancel(planned)).isGood);
}

test("each protocol does the same to the account", async () => {
  shop = await watched(server, await shopWithPattern(server, 100_000, code, "code %token%"));
  const at = new Date(Math.floor(Date.parse(tomorrow()) / 1_000) * 1_000).toISOString();
  const done = {};
  for (const [name, open] of Object.entries(protocols)) {
    const before = await standOf(server, shop);
    await play(open(server, shop.key), at);
    done[name] = await effects(server, shop, before);
  }
  const { messages, ledger, usage, events } = done.own;
  assert.deepEqual(
    messages.map(({ type, status }) => [type, status]),
    [
      ["PLAIN", "CANCELED"],
      ["PATTERN", "DONE"],
      ["PLAIN", "DONE"],
    ],
  );
  assert.deepEqual([ledger.length, events.length], [6, 5]);
  assert.ok(JSON.stringify(usage).length > 20, JSON.stringify(usage));
  for (const [name, effect] of Object.entries(done)) assert.deepEqual(effect, done.own, name);
  const handed = await inbox(server, shop.id);
  assert.equal(handed.size, 2 * Object.keys(protocols).length);
});
