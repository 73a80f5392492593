// How fast a service moves: `node bench/transfer.mjs [ACCOUNTS] [MS]` makes accounts with a key, a webhook and a message each, moves them from
// one local runtime to another, and prints how many move in a second. Each request of the move takes so many ms more, as over a network.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { builtModules } from "../scripts/lib/runtime/runtime.mjs";
import { operatorKey, secretKey } from "../scripts/lib/start/state.mjs";
import { exportService } from "../scripts/lib/transfer/export.mjs";
import { importService } from "../scripts/lib/transfer/import.mjs";
import { freshState } from "../tests/support/fresh-state.mjs";
import { newData, serveData } from "../tests/support/self-hosted.mjs";
import { api } from "../tests/support/server.mjs";
import { openShop, send, whenDone } from "../tests/support/shop.mjs";
import { startWorker } from "./runtime.mjs";

const accounts = Number(process.argv[2] ?? 200);
const networkMs = Number(process.argv[3] ?? 0);
const root = mkdtempSync(join(tmpdir(), "peyk-bench-"));
const place = (name) => join(root, name);
await newData(place("a"));
const source = await serveData(place("a"));
await freshState(place("b"));
const settings = { SECRET_KEY: secretKey(join(place("a"), "state")) };
const worker = await startWorker({ modules: builtModules(), stateDir: place("b"), settings });
try {
  for (let made = 0; made < accounts; made += 1) {
    const shop = await openShop(source, 10_000);
    const hook = { url: "http://127.0.0.1:9/", events: ["wallet.low"], lowBalance: [1] };
    await api(source, "POST", "/webhook", { key: shop.key, body: hook });
    const sent = await send(source, shop.key, ["09121234567"]);
    await whenDone(source, shop.key, sent.json.data.uid);
  }
  const directly = globalThis.fetch;
  globalThis.fetch = async (...request) => {
    await sleep(networkMs);
    return directly(...request);
  };
  const to = place("service.peyk");
  const say = () => {};
  await timed("export", () =>
    exportService({ from: source.baseUrl, to, key: source.adminKey, say, settled: async () => {} }),
  );
  const key = await operatorKey(place("b"));
  await timed("import", () => importService({ from: to, to: `http://127.0.0.1:${worker.port}`, key, go: true, say }));
} finally {
  await source.stop();
  await worker.stop();
  rmSync(root, { recursive: true, force: true, maxRetries: 10 });
}

async function timed(what, work) {
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1_000;
  console.log(`${what}: ${accounts} accounts in ${seconds.toFixed(1)} s, ${(accounts / seconds).toFixed(1)} a second`);
}
