// A service on a folder of data, as it stands on a machine of its own, and the commands that copy the folder.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startWorker } from "../../bench/runtime.mjs";
import { environment } from "../../scripts/lib/base/command.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { builtModules } from "../../scripts/lib/runtime/runtime.mjs";
import { ensureDemo } from "../../scripts/lib/start/demo.mjs";
import { secretKey } from "../../scripts/lib/start/state.mjs";
import { freshState } from "./fresh-state.mjs";

/** Makes a folder of data on which no service has run. */
export async function newData(dir) {
  mkdirSync(dir, { mode: 0o700 });
  await freshState(join(dir, "state"));
  const { version } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
  writeFileSync(join(dir, "version.json"), JSON.stringify({ peyk: version, format: 1 }));
  writeFileSync(join(dir, "peyk.toml"), "");
  writeFileSync(join(dir, "lock"), "");
}

/** Serves a folder of data. Returns what `ensureDemo` returns, and `kill` and `stop` of `startWorker`. */
export async function serveData(dir) {
  const stateDir = join(dir, "state");
  const settings = { SECRET_KEY: secretKey(stateDir), WEBHOOK_ALLOW_LOOPBACK: "true", SIGN_IN_ACCOUNT: "demo" };
  const worker = await startWorker({ modules: builtModules(), stateDir, settings });
  const demo = await ensureDemo(stateDir, `http://127.0.0.1:${worker.port}`);
  return { ...demo, kill: worker.kill, stop: worker.stop };
}

/** Runs `npm run backup` or `npm run restore` with these words. Returns `{status, output}`. */
export async function command(name, ...words) {
  const child = spawn(process.execPath, [inRoot("scripts", `${name}.mjs`), ...words], {
    stdio: ["ignore", "pipe", "pipe"],
    env: environment(),
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (output += piece));
  const [status] = await once(child, "close");
  return { status, output };
}
