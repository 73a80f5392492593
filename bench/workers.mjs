import { createHash, randomBytes } from "node:crypto";
import { call } from "../scripts/lib/base/client.mjs";
import { Failure } from "../scripts/lib/base/command.mjs";
import { inRoot } from "../scripts/lib/base/paths.mjs";
import { builtModules } from "../scripts/lib/runtime/runtime.mjs";
import { ensureDemo } from "../scripts/lib/start/demo.mjs";
import { prepareState, secretKey } from "../scripts/lib/start/state.mjs";
import { startWorker } from "./runtime.mjs";

const script = (file) => ({ type: "ESModule", path: inRoot(file) });

/**
 * Starts Peyk on the state in a directory, and makes the demo data there if it has none. Later runs on the same directory
 * find what the earlier ones have stored.
 */
export async function startPeyk(stateDir, options = {}) {
  await prepareState(stateDir);
  const settings = {
    SECRET_KEY: secretKey(stateDir),
    WEBHOOK_ALLOW_LOOPBACK: "true",
    // Nobody calls it: only the paths of the addresses below it are used.
    PUBLIC_URL: "http://127.0.0.1",
  };
  const worker = await startWorker({ modules: builtModules(), stateDir, settings, ...options });
  const baseUrl = `http://127.0.0.1:${worker.port}`;
  const { adminKey } = await ensureDemo(stateDir, baseUrl);
  return { name: "Peyk", adminKey, baseUrl, ...worker };
}

/** The floor worker has an object for each key. */
export async function startFloor(stateDir) {
  const worker = await startWorker({ modules: [script("bench/floor/worker.mjs")], stateDir });
  return { name: "floor", ...worker };
}

export async function startPlain(stateDir) {
  const modules = [script("bench/plain/worker.mjs"), script("bench/plain/schema.mjs")];
  const worker = await startWorker({ modules, stateDir });
  return { name: "plain JavaScript", ...worker };
}

/** Makes a key of a new account of the plain worker, which has much money. */
export async function openPlainAccount({ port }, name) {
  const key = randomBytes(24).toString("hex");
  const digest = createHash("sha256").update(key).digest("hex");
  const answer = await call(`http://127.0.0.1:${port}`, "PUT", "/key", { body: { digest, account: name } });
  if (answer.status !== 201) throw new Failure(`the plain worker took no key: ${answer.status} ${answer.text}`);
  return { key };
}
