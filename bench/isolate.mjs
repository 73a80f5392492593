import { call } from "../scripts/lib/base/client.mjs";
import { Failure, say } from "../scripts/lib/base/command.mjs";
import { inRoot, root } from "../scripts/lib/base/paths.mjs";
import { outputs } from "../scripts/lib/build/wasm.mjs";
import { configured } from "../scripts/lib/runtime/runtime.mjs";
import { number } from "./aims.mjs";
import { childrenOf, cpuSecondsOf } from "./processes.mjs";

const isolates = 9;

/**
 * The first request of an isolate: the runtime loads the modules, compiles the WebAssembly, makes its instance and answers. A
 * worker in the same runtime loads Peyk into one new isolate after the other, and an empty worker in between: what the latter
 * takes is not Peyk's.
 */
export async function measureIsolate() {
  const runtime = await startLoader();
  try {
    say(`starting ${isolates} isolates …`);
    const times = { "/health": [], "/empty": [], again: [] };
    for (let at = 0; at < isolates; at += 1) {
      for (const path of ["/empty", "/health"]) times[path].push(await ask(runtime, path, at));
      times.again.push(await ask(runtime, "/health", at));
    }
    return report(times);
  } finally {
    await runtime.stop();
  }
}

async function startLoader() {
  const { convertV4MiniflareOptions, Log, LogLevel, Miniflare } = await import("miniflare");
  const { compatibilityDate, bindings } = (await configured(inRoot("wrangler.toml"))).workerOptions;
  const built = outputs.map((file) => ({
    type: file.endsWith(".wasm") ? "Data" : "Text",
    path: inRoot("build", file),
  }));
  const before = new Set(childrenOf(process.pid, "workerd"));
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: [{ type: "ESModule", path: inRoot("bench/isolate/worker.mjs") }, ...built],
      modulesRoot: root,
      compatibilityDate,
      bindings: { SETTINGS: bindings, DATE: compatibilityDate, FILES: outputs },
      workerLoaders: { LOADER: {} },
      log: new Log(LogLevel.ERROR),
      cf: false,
    }),
  );
  const url = await miniflare.ready;
  const pid = childrenOf(process.pid, "workerd").find((candidate) => !before.has(candidate));
  return { baseUrl: url.origin, cpuSeconds: () => cpuSecondsOf(pid), stop: () => miniflare.dispose() };
}

/** Asks an isolate. Returns how long that took, and how long the processors worked for it in all threads of the runtime, ms. */
async function ask({ baseUrl, cpuSeconds }, path, isolate) {
  const [started, worked] = [performance.now(), cpuSeconds()];
  const { status, text } = await call(baseUrl, "GET", `${path}?isolate=${path.slice(1)}-${isolate}`);
  if (status !== 200) throw new Failure(`GET ${path}: ${status} ${text}`);
  return { took: performance.now() - started, worked: (cpuSeconds() - worked) * 1_000 };
}

function report(times) {
  const row = (what, values) => {
    const sorted = values.map(({ took }) => took).toSorted((a, b) => a - b);
    const worked = values.reduce((sum, one) => sum + one.worked, 0) / values.length;
    const places = [0, Math.floor(sorted.length / 2), sorted.length - 1];
    return [what, ...places.map((place) => number(sorted[place], 1)), number(worked)];
  };
  const rows = [
    row("Peyk: loads, compiles, answers `GET /health`", times["/health"]),
    row("an empty worker", times["/empty"]),
    row("Peyk, the second request", times.again),
  ];
  return {
    tables: [
      { head: ["the first request of an isolate", "least ms", "median ms", "most ms", "CPU ms on average"], rows },
    ],
  };
}
