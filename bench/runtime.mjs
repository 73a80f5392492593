import { join } from "node:path";
import { inRoot, root } from "../scripts/lib/base/paths.mjs";
import { childrenOf, cpuSecondsOf, memoryOf } from "./processes.mjs";

/**
 * Starts a worker in its own runtime process, with the bindings of wrangler.toml and its state on disk. Requests go
 * directly to the worker's socket, because the proxy of `wrangler dev` would cost more than the work that is measured.
 * `settings` go before those of wrangler.toml. With `inspectorPort`, a profiler may look into the runtime; with 0, the
 * system chooses the port.
 */
export async function startWorker({ modules, stateDir, settings = {}, inspectorPort }) {
  const { Miniflare, Log, LogLevel } = await import("miniflare");
  const before = new Set(childrenOf(process.pid, "workerd"));
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
      // Printing a log line for every request would measure the terminal.
      stdout.resume();
      stderr.resume();
    },
  });
  await miniflare.ready;
  const { port } = await miniflare.unsafeGetDirectURL();
  const pid = childrenOf(process.pid, "workerd").find((candidate) => !before.has(candidate));
  let stopped;
  const stop = () => (stopped ??= miniflare.dispose());
  return {
    port: Number(port),
    memory: () => memoryOf(pid),
    cpuSeconds: () => cpuSecondsOf(pid),
    stop,
    inspector: () => miniflare.getInspectorURL(),
  };
}

async function options(settings) {
  const { unstable_getMiniflareWorkerOptions } = await import("wrangler");
  const { workerOptions } = unstable_getMiniflareWorkerOptions(inRoot("wrangler.toml"));
  const wanted = ["compatibilityDate", "kvNamespaces", "d1Databases", "durableObjects"];
  const chosen = Object.fromEntries(wanted.map((name) => [name, workerOptions[name]]));
  return { ...chosen, bindings: { ...workerOptions.bindings, ...settings } };
}
