import { closeSync, cpSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { call } from "../../scripts/lib/base/client.mjs";
import { environment } from "../../scripts/lib/base/command.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { build } from "../../scripts/lib/build/build.mjs";
import { outputs } from "../../scripts/lib/build/wasm.mjs";
import { ensureDemo } from "../../scripts/lib/start/demo.mjs";
import { serve } from "../../scripts/lib/start/serve.mjs";
import { freshState } from "./fresh-state.mjs";

/** How long a test waits for what must come, ms. Only what never comes takes so long, however slow the machine is. */
const patience = 15 * 60_000;
/** How much of a body that nobody reads the runtime takes before it closes the connection. */
const GRACE_BYTES = 65_536;
/** How many lines of the runtime's log a failed test shows. */
const linesToShow = 80;

/**
 * A service with its demo data and its own state, for all tests of a file: a start takes seconds. It runs from before the
 * first test until after the last one. `prepare` runs when it serves: the hooks of a file do not wait for each other. A test
 * that fails shows the end of the runtime's log.
 *
 * `vars` may return settings of the worker, like `PUBLIC_URL`; it is asked once, before the first start. `fill` makes the state.
 *
 * The service has what `ensureDemo` returns. `kill()` is a crash: SIGKILL to all its processes, without any clean-up.
 * `restart()` starts it again on the same state, with another address. `log()` returns the output of the runtime.
 */
export function sharedServer(prepare = () => {}, vars = () => ({}), fill = freshState) {
  const server = { fill };
  before(async () => {
    server.vars = await vars(server);
    await start(server);
    await prepare(server);
  });
  afterEach((context) => {
    if (!context.passed) console.log(`The end of the runtime's log after "${context.name}":\n${endOf(server.log())}`);
  });
  after(() => server.stop());
  return server;
}

async function start(server) {
  const stateDir = mkdtempSync(join(tmpdir(), "peyk-test-"));
  const logFile = join(stateDir, "runtime.log");
  writeFileSync(logFile, "");
  let running;
  server.stateDir = stateDir;
  server.log = () => readFileSync(logFile, "utf8");
  server.kill = () => running.kill();
  server.stop = async () => {
    await running?.stop();
    // A killed process may still be writing its last file.
    rmSync(stateDir, { recursive: true, force: true, maxRetries: 10 });
  };
  server.restart = async () => {
    running = await serveAnywhere(server, config, logFile);
    Object.assign(server, await ensureDemo(stateDir, running.baseUrl));
  };
  await build();
  await server.fill(stateDir);
  const config = freezeBuild(stateDir);
  await server.restart();
}

/** The system chooses the port, and the runtime's log tells it: a port that was found free before may be taken meanwhile. */
async function serveAnywhere({ stateDir, log, vars }, config, logFile) {
  const begin = log().length;
  const address = () => /^Ready on (http:\S+)\n/m.exec(log().slice(begin))?.[1];
  const output = openSync(logFile, "a");
  try {
    return await serve({ port: 0, stateDir, output, config, address, vars, command: host });
  } catch (error) {
    throw new Error(`${error.message}\n${endOf(log())}`, { cause: error });
  } finally {
    closeSync(output);
  }
}

const host = ({ stateDir, config, envFile }) => ({
  program: process.execPath,
  args: [inRoot("scripts/lib/runtime/host.mjs"), config, stateDir, envFile],
  env: environment(),
});

const endOf = (log) => log.trimEnd().split("\n").slice(-linesToShow).join("\n");

/** Copies the build and its configuration: the checkout's own build may change before a restart. */
function freezeBuild(dir) {
  // Other tests write into `build/` meanwhile, so only what is served is copied.
  for (const name of [...outputs, "site"]) cpSync(inRoot("build", name), join(dir, "build", name), { recursive: true });
  const config = join(dir, "wrangler.toml");
  const text = readFileSync(inRoot("wrangler.toml"), "utf8").replace(/^\[build\]\n(.+\n)+/m, "");
  writeFileSync(config, text);
  return config;
}

/**
 * Asks the API. The runtime refuses a body that is too large without reading it, and closes the connection while the client still
 * writes; the client may then lose the answer. Such a request has changed nothing, and is made again.
 */
export async function api(server, method, path, options) {
  const isLarge = (options?.raw?.length ?? 0) > GRACE_BYTES;
  for (let tries = isLarge ? 5 : 1; ; tries -= 1) {
    try {
      return await call(server.baseUrl, method, path, options);
    } catch (error) {
      if (tries <= 1 || error.message !== "fetch failed") throw error;
    }
  }
}

/** Polls until `probe` returns a truthy value, and returns that value. `what` says what is awaited, or finds it out. */
export async function until(probe, { interval = 100, what = "the awaited state" } = {}) {
  for (const deadline = Date.now() + patience; ; await sleep(interval)) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > deadline) {
      const missing = typeof what === "function" ? await what() : what;
      throw new Error(`${missing} was not reached within ${patience} ms`);
    }
  }
}
