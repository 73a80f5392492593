// Peyk's worker in the pinned runtime, by Miniflare and without `wrangler dev`: what tests, the benchmark and `npm run serve` start.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hashOf, inRoot, root } from "../base/paths.mjs";
import { outputs } from "../build/wasm.mjs";

/** What is built, as the runtime takes it. `entry` is the module that it enters. */
export const builtModules = (dir = inRoot("build"), entry = outputs[0]) =>
  [...new Set([entry, ...outputs])].map((file) => ({
    type: file.endsWith(".wasm") ? "CompiledWasm" : "ESModule",
    path: join(dir, file),
  }));

/**
 * Starts a worker with the bindings of wrangler.toml and its state on disk, where `wrangler dev` has it too. Requests go directly to
 * the worker's socket. `settings` go before those of wrangler.toml. With `inspectorPort`, a profiler may look into the runtime; with
 * 0, the system chooses the port.
 */
export async function startRuntime({ modules, stateDir, settings = {}, inspectorPort }) {
  const { assets, ...options } = (await configured(inRoot("wrangler.toml"))).workerOptions;
  const worker = {
    ...options,
    bindings: { ...options.bindings, ...settings },
    modules,
    modulesRoot: root,
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  };
  const miniflare = await makeMiniflare(storesOf(stateDir), [worker], {
    inspectorPort,
    // Nobody reads a line for every request, and printing it would cost more than the request.
    handleStructuredLogs: () => {},
  });
  await miniflare.ready;
  const { port } = await miniflare.unsafeGetDirectURL();
  let stopped;
  const stop = () => (stopped ??= miniflare.dispose());
  return { port: Number(port), stop, inspector: () => miniflare.getInspectorURL() };
}

/** The folder in which `wrangler dev` keeps the stores of a state directory. */
export const storesOf = (stateDir) => join(stateDir, "v3");

/**
 * A runtime that keeps its stores (objects, D1, KV) in the folder `stores`. The first of the workers is Peyk: the ids of objects are
 * made with its name, as wrangler.toml has it. `shared` are options of the runtime itself.
 */
export async function makeMiniflare(stores, [peyk, ...others], shared) {
  const { convertV4MiniflareOptions, Log, LogLevel, Miniflare } = (await import("./miniflare.cjs")).miniflare;
  const { name } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
  return new Miniflare(
    convertV4MiniflareOptions({
      ...shared,
      workers: [{ name, ...peyk }, ...others],
      resourcePersistencePath: stores,
      log: new Log(LogLevel.ERROR),
      cf: false,
    }),
  );
}

/**
 * What a configuration says, as wrangler reads it: `{main, workerOptions}`. To load wrangler takes longer than to start the runtime,
 * so it is kept.
 */
export async function configured(config) {
  const kept = keptConfiguration(config);
  if (!existsSync(kept)) {
    // Commands load this file before their packages are installed.
    const [{ unstable_getMiniflareWorkerOptions }, { parse }] = await Promise.all([
      import("wrangler"),
      import("smol-toml"),
    ]);
    const { main, workerOptions } = unstable_getMiniflareWorkerOptions(config);
    // Wrangler adds what stands in .dev.vars or .env. What is served and packaged has the variables of the configuration alone.
    workerOptions.bindings = parse(readFileSync(config, "utf8")).vars ?? {};
    mkdirSync(dirname(kept), { recursive: true });
    const unfinished = `${kept}.${process.pid}`;
    writeFileSync(unfinished, JSON.stringify({ main, workerOptions }));
    renameSync(unfinished, kept);
  }
  return JSON.parse(readFileSync(kept, "utf8"));
}

/** Where it is kept. Another file, another wrangler, or another code here has another name. */
export const keptConfiguration = (config) =>
  inRoot("build", "configured", `${hashOf(madeBy, readFileSync(config, "utf8"))}.json`);
const madeBy = ["package-lock.json", "scripts/lib/runtime/runtime.mjs"];
