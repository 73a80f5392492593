// Calls of one account that travel together, under a load that lasts: long enough for the engine to optimize the code, which
// has changed how the runtime ties promises to requests. Requests go to the worker's own socket, because the proxy of
// `wrangler dev` takes too few.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startWorker } from "../../bench/runtime.mjs";
import { build } from "../../scripts/lib/build.mjs";
import { call } from "../../scripts/lib/client.mjs";
import { ensureDemo } from "../../scripts/lib/demo.mjs";
import { finished } from "../../scripts/lib/exec.mjs";
import { inRoot } from "../../scripts/lib/paths.mjs";
import { prepareState } from "../../scripts/lib/state.mjs";
import { until } from "../support/server.mjs";
import { openShop } from "../support/shop.mjs";

/** Failures were seen after ten thousand answers. */
const ENOUGH = 40_000;

const server = {};
let worker;
let stateDir;

before(async () => {
  await build();
  stateDir = mkdtempSync(join(tmpdir(), "peyk-travel-"));
  await prepareState(stateDir);
  const modules = [
    { type: "ESModule", path: inRoot("build/worker.mjs") },
    { type: "ESModule", path: inRoot("build/calls.mjs") },
    { type: "ESModule", path: inRoot("build/index.js") },
    { type: "CompiledWasm", path: inRoot("build/index_bg.wasm") },
  ];
  worker = await startWorker({ modules, stateDir, settings: { SECRET_KEY: randomBytes(32).toString("base64") } });
  server.baseUrl = `http://127.0.0.1:${worker.port}`;
  await call(server.baseUrl, "GET", "/health");
  Object.assign(server, await ensureDemo(stateDir, server.baseUrl));
});

after(async () => {
  await worker?.stop();
  rmSync(stateDir, { recursive: true, force: true, maxRetries: 10 });
});

/** Lets 32 connections send until they have so many answers, and returns how often each status came. */
async function load(key, answers) {
  const job = { port: worker.port, path: "/sms/send", key, recipients: 1, connections: 32, answers };
  const loader = spawn(process.execPath, [inRoot("bench/loader.mjs"), JSON.stringify(job)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  loader.stdout.on("data", (chunk) => {
    output += chunk;
  });
  assert.equal((await finished(loader)).code, 0);
  return JSON.parse(output).statuses;
}

test("under a load that lasts, each request gets its own answer, and the ledger adds up", async () => {
  const shop = await openShop(server, 1_000_000_000, {
    rateLimit: { limit: 1_000_000, windowSeconds: 1, burst: 10_000 },
  });
  // Several loads, because clients hang up at the end of each.
  for (let round = 0; round < 4; round += 1) {
    assert.deepEqual(Object.keys(await load(shop.key, ENOUGH / 4)), ["201"], `round ${round}`);
  }
  await until(
    async () => {
      const open = await Promise.all(
        ["QUEUED", "SENDING"].map((status) =>
          call(server.baseUrl, "GET", `/messages?status=${status}&limit=1`, { key: shop.key }),
        ),
      );
      return open.every(({ json }) => json.data.length === 0);
    },
    { interval: 1_000, what: "the end of every message" },
  );
  const info = await call(server.baseUrl, "GET", "/account/info", { key: shop.key });
  const { availableBalance, lockedBalance } = info.json.data.wallet;
  assert.equal(lockedBalance, 0);
  const spent = 1_000_000_000 - availableBalance;
  assert.equal(spent % 1_000, 0);
  assert.ok(spent / 1_000 >= ENOUGH && spent / 1_000 < ENOUGH + 4 * 32 + 1, `${spent / 1_000} messages`);
});
