// Starts Peyk's runtime: the worker, its stores, and two small workers beside it. It has no public socket.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import workerd from "workerd";
import { Failure, finished } from "../../base/command.mjs";
import { inRoot, root } from "../../base/paths.mjs";
import { watchOver } from "../../base/watch.mjs";
import { builtModules, configured, makeMiniflare } from "../../runtime/runtime.mjs";
import { closedNetworks } from "./outside.mjs";
import { askSocket, makeSockets } from "./sockets.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
/** The networks of this machine, for webhooks in development. */
const loopback = ["127.0.0.0/8", "::1/128"];

/**
 * Starts the service on its stores (a folder). `settings` and `secrets` are variables of the worker, `networks` the private networks
 * that it may call, and `log` takes its lines, each `{message, level, timestamp}` with the time in ms. Returns
 *
 * - `peyk`: the path of the socket at which it answers, and `site`: that of the documentation and the console;
 * - `sitePaths`: which paths are theirs, as wrangler.toml has them;
 * - `ask(name, value)`: asks the control worker, which says what it knows;
 * - `crons`: the patterns of wrangler.toml by which it is to be called;
 * - `child`: the process, `exited`: a promise of its end, and `stop()`, which ends it at once.
 */
export const startService = ({ stores, settings, secrets, networks, log }) =>
  started({ stores, log }, (options, sockets) => [
    { ...peykWorker(options, { ...settings, ...secrets }, sockets), outboundService: "outside" },
    siteWorker(options, sockets),
    controlWorker(options, sockets),
    outsideWorker(settings.WEBHOOK_ALLOW_LOOPBACK === "true" ? [...networks, ...loopback] : networks),
  ]);

/**
 * Starts the directory and the keys of a folder without Peyk, so that nothing of its work begins. Beside them stands a worker of
 * Peyk that has no stores: it says which settings it would refuse. Takes and returns what `startService` does.
 */
export const startStores = ({ stores, settings, secrets, log }) =>
  started({ stores, log }, (options, sockets) => [
    peykWorker(withoutStores(options), { ...settings, ...secrets }, sockets),
    controlWorker(options, sockets),
  ]);

const withoutStores = (options) => ({
  ...options,
  kvNamespaces: {},
  d1Databases: {},
  durableObjects: {},
});

async function started({ stores, log }, workersOf) {
  const sockets = makeSockets();
  const { workerOptions } = await configured(inRoot("wrangler.toml"));
  const workers = workersOf(workerOptions, sockets);
  const { runtime, child } = await launched(sockets, () =>
    makeMiniflare(stores, workers, {
      handleStructuredLogs: log,
      unsafeRuntimeEnv: { PEYK_SOCKETS: sockets.dir, PEYK_WORKERD: workerd.default },
    }),
  );
  let stopped;
  // Miniflare would start a runtime that has ended again, unless it hears of the stop in the same moment.
  const stop = () => (stopped ??= runtime.dispose().finally(sockets.remove));
  const exited = finished(child);
  child.once("exit", stop);
  const ask = (name, value) => askControl(sockets.pathOf("control"), name, value);
  return {
    peyk: sockets.pathOf("peyk"),
    site: sockets.pathOf("site"),
    sitePaths: workerOptions.assets.routerConfig.static_routing.asset_worker,
    ask,
    crons: workerOptions.cronTriggers,
    child,
    exited,
    stop,
  };
}

const moduleOf = (file) => ({ modules: [{ type: "ESModule", path: join(here, file) }], modulesRoot: here });

/** Without the files of the site: Miniflare would send each request through a worker more, which takes half as long as Peyk itself. */
const peykWorker = ({ assets: _, ...options }, bindings, sockets) => ({
  ...options,
  rootPath: root,
  bindings: { ...options.bindings, ...bindings },
  modules: builtModules(),
  modulesRoot: root,
  unsafeDirectSockets: [sockets.directSocket("peyk")],
});

const siteWorker = ({ assets, compatibilityDate }, sockets) => ({
  name: "site",
  modules: [{ type: "ESModule", path: "site.mjs", contents: "export default {};" }],
  compatibilityDate,
  assets: {
    ...assets,
    directory: inRoot("build", "site"),
    // All that comes here is for it.
    run_worker_first: false,
    routerConfig: { has_user_worker: false },
  },
  unsafeDirectSockets: [sockets.directSocket("site")],
});

const controlWorker = ({ compatibilityDate, kvNamespaces, d1Databases }, sockets) => ({
  name: "control",
  ...moduleOf("control-worker.mjs"),
  compatibilityDate,
  compatibilityFlags: ["service_binding_extra_handlers", "experimental"],
  kvNamespaces,
  d1Databases,
  serviceBindings: { PEYK: "peyk" },
  unsafeDirectSockets: [sockets.directSocket("control")],
});

const outsideWorker = (networks) => ({
  name: "outside",
  ...moduleOf("outside-worker.mjs"),
  compatibilityDate: "2026-08-01",
  // A connection to an SMSC goes on as it is: only operators name one.
  compatibilityFlags: ["connect_pass_through", "experimental"],
  serviceBindings: {
    OUTSIDE: {
      network: {
        allow: ["public", ...networks],
        deny: closedNetworks(networks),
        tlsOptions: { trustBrowserCas: true },
      },
    },
  },
});

/** Runs `make` with our launcher, and returns `{runtime, child}` when the runtime is ready. Node tells which process it has become. */
async function launched(sockets, make) {
  process.env.MINIFLARE_WORKERD_PATH = join(here, "launch.sh");
  const { TMPDIR } = process.env;
  // Miniflare's own folder goes with the sockets, also when this process is killed.
  process.env.TMPDIR = sockets.dir;
  let child;
  const note = (message) => {
    if (child) return;
    child = message.process;
    // A runtime that is still starting has the data open already. It has no number before it runs.
    child.once("spawn", () => watchOver(child));
  };
  subscribe("child_process", note);
  try {
    const runtime = await make();
    await runtime.ready;
    return { runtime, child };
  } catch (error) {
    sockets.remove();
    throw new Failure(`the runtime did not start: ${error.message}`);
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    unsubscribe("child_process", note);
  }
}

async function askControl(path, name, value) {
  const { status, text } = await askSocket(path, "POST", `/${name}`, value);
  if (status !== 200) throw new Failure(`the runtime could not do “${name}”: ${text}`);
  return JSON.parse(text);
}
