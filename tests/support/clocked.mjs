// A server whose clock can be set ahead: what takes an hour is tested within seconds.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call } from "../../scripts/lib/base/client.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";

/** Starts the server anew, with the worker of the history before its own. Returns what sets its clock ahead, by ms. */
export async function withClock(server) {
  await server.kill();
  const worker = readFileSync(inRoot("scripts/lib/history/worker.mjs"), "utf8");
  writeFileSync(
    join(server.stateDir, "build", "clocked.mjs"),
    worker.replace("../../../build/worker.mjs", "./worker.mjs"),
  );
  const config = join(server.stateDir, "wrangler.toml");
  writeFileSync(
    config,
    readFileSync(config, "utf8").replace('main = "build/worker.mjs"', 'main = "build/clocked.mjs"'),
  );
  await server.restart();
  return (ms) => call(server.baseUrl, "PUT", `/clock?behind=${-ms}`);
}
