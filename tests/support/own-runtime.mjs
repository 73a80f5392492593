// Peyk in a runtime whose sockets and inspector the test has, without the proxy of `wrangler dev`.
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { startWorker } from "../../bench/runtime.mjs";
import { call } from "../../scripts/lib/base/client.mjs";
import { build } from "../../scripts/lib/build/build.mjs";
import { builtModules } from "../../scripts/lib/runtime/runtime.mjs";
import { ensureDemo } from "../../scripts/lib/start/demo.mjs";
import { freshState } from "./fresh-state.mjs";

/**
 * A service with its demo data, for all tests of a file. It has what `ensureDemo` returns, and `worker` as `startWorker` returns
 * it. `options` go to `startWorker`. `prepare` runs when it serves: the hooks of a file do not wait for each other.
 */
export function ownRuntime(options = {}, prepare = () => {}) {
  const server = {};
  let stateDir;
  before(async () => {
    await build();
    stateDir = mkdtempSync(join(tmpdir(), "peyk-runtime-"));
    await freshState(stateDir);
    const settings = { SECRET_KEY: randomBytes(32).toString("base64") };
    server.worker = await startWorker({ modules: builtModules(), stateDir, settings, ...options });
    server.baseUrl = `http://127.0.0.1:${server.worker.port}`;
    await call(server.baseUrl, "GET", "/health");
    Object.assign(server, await ensureDemo(stateDir, server.baseUrl));
    await prepare(server);
  });
  after(async () => {
    await server.worker?.stop();
    rmSync(stateDir, { recursive: true, force: true, maxRetries: 10 });
  });
  return server;
}
