import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { call } from "../base/client.mjs";
import { Failure, finished, wranglerCommand } from "../base/command.mjs";
import { writeSecret } from "../base/keys.mjs";
import { inRoot, root } from "../base/paths.mjs";
import { secretKey } from "./state.mjs";

const leash = fileURLToPath(new URL("leash.mjs", import.meta.url));
/** A slow machine may take minutes. A runtime that ends is noticed at once. */
const readyWithin = 600_000;
const healthWithin = 30_000;
const stopWithin = 5_000;

/**
 * Starts the service on a prepared state and resolves once it answers. `output` is where the output of the runtime
 * goes: "inherit" or a file descriptor. `config` may name another wrangler.toml. With port 0 the system chooses the
 * port, and `address` finds the service's address; it returns nothing until the runtime listens. `vars` are settings of
 * the worker beside those of wrangler.toml. `host` is where it listens: it is asked here, whatever else it is. `command` makes the command that serves. `stop()` ends the service in order,
 * `kill()` ends it at once. `exited` resolves when the service has ended for any reason.
 */
export async function serve({
  port,
  host = "127.0.0.1",
  stateDir,
  output,
  config = inRoot("wrangler.toml"),
  address = () => `http://127.0.0.1:${port}`,
  vars = port ? { PUBLIC_URL: `http://127.0.0.1:${port}` } : {},
  command = wranglerDev,
}) {
  const child = startOnLeash(command({ port, host, stateDir, config, envFile: writeEnv(stateDir, vars) }), output);
  const exited = finished(child);
  const kill = () => signalGroup(child, "SIGKILL", exited);
  const stop = () => stopInOrder(child, exited);
  try {
    return { baseUrl: await answers(address, exited), exited, stop, kill };
  } catch (error) {
    await kill();
    throw error;
  }
}

/** It serves a change of the sources as soon as it is built. */
const wranglerDev = ({ port, host, stateDir, config, envFile }) =>
  wranglerCommand([
    "dev",
    ...["--config", config],
    ...["--env-file", envFile],
    ...["--ip", host, "--port", String(port), "--persist-to", stateDir],
    ...["--inspector-port", "0", "--show-interactive-dev-session=false"],
  ]);

function startOnLeash({ program, args, env }, output) {
  return spawn(process.execPath, [leash, program, ...args], {
    cwd: root,
    env,
    detached: true,
    stdio: ["pipe", output, output],
  });
}

/** Writes the secrets and the settings of the worker into a file that only the owner may read. */
function writeEnv(stateDir, vars) {
  const settings = {
    SECRET_KEY: secretKey(stateDir),
    // Programs on this machine may be told by webhooks.
    WEBHOOK_ALLOW_LOOPBACK: "true",
    // The account of the demo data sends the codes by which people sign in to the console.
    SIGN_IN_ACCOUNT: "demo",
    ...vars,
  };
  const file = join(stateDir, "worker.env");
  writeSecret(
    file,
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
  return file;
}

async function answers(address, exited) {
  let ended = false;
  exited.then(() => (ended = true));
  for (const deadline = Date.now() + readyWithin; Date.now() < deadline; await sleep(100)) {
    if (ended) throw new Failure("the runtime ended before it served; its output says why");
    const baseUrl = address();
    if (baseUrl && (await isHealthy(baseUrl))) return baseUrl;
  }
  throw new Failure(`the service did not answer GET /health with 200 within ${readyWithin / 1000} seconds`);
}

async function isHealthy(baseUrl) {
  try {
    const { status } = await call(baseUrl, "GET", "/health", { signal: AbortSignal.timeout(healthWithin) });
    return status === 200;
  } catch {
    return false;
  }
}

async function stopInOrder(child, exited) {
  child.kill("SIGTERM");
  const late = Symbol("late");
  const first = await Promise.race([exited, sleep(stopWithin, late, { ref: false })]);
  if (first === late) await signalGroup(child, "SIGKILL", exited);
}

async function signalGroup(child, signal, exited) {
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
  await exited;
}
