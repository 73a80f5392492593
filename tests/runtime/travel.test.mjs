// Calls of one account that travel together, under a load that lasts: long enough for the engine to optimize the code, which
// has changed how the runtime ties promises to requests. Requests go to the worker's own socket, because the proxy of
// `wrangler dev` takes too few.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../bench/load.mjs";
import { call } from "../../scripts/lib/base/client.mjs";
import { ownRuntime } from "../support/own-runtime.mjs";
import { until } from "../support/server.mjs";
import { openShop } from "../support/shop.mjs";

/** Failures were seen after ten thousand answers. */
const ENOUGH = 15_000;

const server = ownRuntime();

test("under a load that lasts, each request gets its own answer, and the ledger adds up", async () => {
  const shop = await openShop(server, 1_000_000_000, {
    rateLimit: { limit: 1_000_000, windowSeconds: 1, burst: 10_000 },
  });
  const { statuses } = await load(server.worker, { name: "Peyk", keys: [shop.key], answers: ENOUGH, keyed: true });
  // A connection may end without an answer on a machine that is busy elsewhere. Its request is repeated, and counts once.
  const { closed, ...answered } = statuses;
  assert.deepEqual(answered, { 201: ENOUGH }, `and ${closed ?? 0} connections ended`);
  const wallet = async () => (await call(server.baseUrl, "GET", "/account/info", { key: shop.key })).json.data.wallet;
  await until(async () => (await wallet()).lockedBalance === 0, { interval: 1_000, what: "the end of every message" });
  const { availableBalance } = await wallet();
  const spent = 1_000_000_000 - availableBalance;
  assert.equal(spent, ENOUGH * 1_000);
});
