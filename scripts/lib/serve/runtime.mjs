// A worker in a runtime process of its own, without `wrangler dev` before it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inRoot, root } from "../base/paths.mjs";
import { outputs } from "../build/wasm.mjs";

/** What is built, as the runtime takes it. */
export const builtModules = () =>
  outputs.map((file) => ({
    type: file.endsWith(".wasm") ? "CompiledWasm" : "ESModule",
    path: inRoot("build", file),
  }));

/**
 * Starts a worker with the bindings of wrangler.toml and its state on disk, where `wrangler dev` has it too. Requests go directly to
 * the worker's socket. `settings` go before those of wrangler.toml. With `inspectorPort`, a profiler may look into the runtime; with
 * 0, the system chooses the port.
 */
export async function startRuntime({ modules, stateDir, settings = {}, inspectorPort }) {
  const { Miniflare, Log, LogLevel } = await import("miniflare");
  const miniflare = new Miniflare({
    ...(await options(settings)),
    modules,
    modulesRoot: root,
    inspectorPort,
    log: new Log(LogLevel.ERROR),
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
    kvPersist: join(stateDir, "v3", "kv"),
    d1Persist: join(stateDir, "v3", "d1"),
    durableObjectsPersist: join(stateDir, "v3", "do"),
    cachePersist: join(stateDir, "v3", "cache"),
    cf: false,
    handleRuntimeStdio: (stdout, stderr) => {
      // Nobody reads a line for every request, and printing it would cost more than the request.
      stdout.resume();
      stderr.resume();
    },
  });
  await miniflare.ready;
  const { port } = await miniflare.unsafeGetDirectURL();
  let stopped;
  const stop = () => (stopped ??= miniflare.dispose());
  return { port: Number(port), stop, inspector: () => miniflare.getInspectorURL() };
}

async function options(settings) {
  const { unstable_getMiniflareWorkerOptions } = await import("wrangler");
  const { workerOptions } = unstable_getMiniflareWorkerOptions(inRoot("wrangler.toml"));
  const wanted = ["compatibilityDate", "kvNamespaces", "d1Databases", "durableObjects"];
  const chosen = Object.fromEntries(wanted.map((name) => [name, workerOptions[name]]));
  return { name: workerName(), ...chosen, bindings: { ...workerOptions.bindings, ...settings } };
}

/** The ids of objects are made with it. */
const workerName = () => /^name = "(.+)"$/m.exec(readFileSync(inRoot("wrangler.toml"), "utf8"))[1];
