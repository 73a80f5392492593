import { closeSync, cpSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "../../scripts/lib/build.mjs";
import { call } from "../../scripts/lib/client.mjs";
import { ensureDemo } from "../../scripts/lib/demo.mjs";
import { inRoot } from "../../scripts/lib/paths.mjs";
import { serve } from "../../scripts/lib/serve.mjs";
import { prepareState } from "../../scripts/lib/state.mjs";

/**
 * Starts a service with its demo data, on a free port and its own state. A start takes seconds, so a test file shares
 * one service. `stop()` ends it and removes its state. `kill()` is a crash: SIGKILL to all its processes, without any
 * clean-up. `restart()` starts it again on the same state and port. `log()` returns the output of the runtime.
 */
export async function startServer() {
  await build();
  const stateDir = mkdtempSync(join(tmpdir(), "peyk-test-"));
  await prepareState(stateDir);
  const config = freezeBuild(stateDir);
  const logFile = join(stateDir, "runtime.log");
  const server = { stateDir, log: () => readFileSync(logFile, "utf8") };
  const port = await freePort();
  let running;

  server.restart = async () => {
    const output = openSync(logFile, "a");
    running = await serve({ port, stateDir, output, config }).finally(() => closeSync(output));
    Object.assign(server, await ensureDemo(stateDir, running.baseUrl), { pid: running.pid });
    return server;
  };
  server.kill = () => running.kill();
  server.stop = async () => {
    await running.stop();
    rmSync(stateDir, { recursive: true, force: true });
  };
  return server.restart();
}

/** Copies the build and its configuration, because wrangler would reload when the checkout's own build changes. */
function freezeBuild(dir) {
  cpSync(inRoot("build"), join(dir, "build"), { recursive: true });
  const config = join(dir, "wrangler.toml");
  writeFileSync(config, readFileSync(inRoot("wrangler.toml"), "utf8").replace(/^\[build\]\n(.+\n)+/m, ""));
  return config;
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

export const api = (server, method, path, options) => call(server.baseUrl, method, path, options);

/** Polls until `probe` returns a truthy value, and returns that value. */
export async function until(probe, { timeout = 15_000, interval = 100, what = "the awaited state" } = {}) {
  for (const deadline = Date.now() + timeout; ; await sleep(interval)) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`${what} was not reached within ${timeout} ms`);
  }
}
