import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "../scripts/lib/build.mjs";
import { say } from "../scripts/lib/fail.mjs";
import { inRoot } from "../scripts/lib/paths.mjs";
import { number } from "./aims.mjs";
import { openAccount } from "./ask.mjs";
import { connectInspector } from "./inspector.mjs";
import { load, settle } from "./load.mjs";
import { print } from "./report.mjs";
import { startPeyk } from "./workers.mjs";

const seconds = 10;
const shown = 30;
/** The profile of the last run, for the browser's developer tools. */
const file = inRoot("build", "bench.cpuprofile");
const intervalUs = 500;

/**
 * Says where the runtime's thread spends its time while Peyk is loaded. `BENCH_RECIPIENTS` sets the recipients of a request.
 * The WebAssembly is built with the names of its functions.
 */
export async function profile(dir) {
  process.env.PROFILE = "1";
  await build();
  const recipients = Number(process.env.BENCH_RECIPIENTS || 1);
  const peyk = await startPeyk(join(dir, "peyk"), { inspectorPort: 0 });
  try {
    const { key } = await openAccount(peyk, "bench-profile");
    const job = { keys: [key], recipients, connections: recipients > 100 ? 16 : 32 };
    await load(peyk, { ...job, seconds: 3 });
    await settle(peyk, [key]);
    say(`profiling ${seconds} seconds of requests with ${recipients} recipients …`);
    const inspector = await connectInspector(await peyk.inspector());
    await inspector.send("Profiler.enable");
    await inspector.send("Profiler.setSamplingInterval", { interval: intervalUs });
    await inspector.send("Profiler.start");
    const result = await load(peyk, { ...job, seconds });
    const { profile } = await inspector.send("Profiler.stop");
    inspector.close();
    writeFileSync(file, JSON.stringify(profile));
    print([report(profile, result)]);
    say(`the whole profile is in ${file}`);
  } finally {
    await peyk.stop();
  }
}

function report({ nodes, samples, timeDeltas }, { requestsPerSecond, accepted }) {
  const frames = framesOf(nodes);
  const functions = new Map();
  const groups = new Map();
  let all = 0;
  for (const [at, id] of samples.entries()) {
    const { group, name: place } = frames.get(id);
    const us = Math.max(0, timeDeltas[at]);
    all += us;
    groups.set(group, (groups.get(group) ?? 0) + us);
    functions.set(place, { group, us: (functions.get(place)?.us ?? 0) + us });
  }
  const share = (us) => `${number((us / all) * 100, 1)} %`;
  const each = (us) => number(us / accepted, 1);
  const byTime = [...functions].sort(([, a], [, b]) => b.us - a.us).slice(0, shown);
  const groupRows = [...groups].sort(([, a], [, b]) => b - a).map(([name, us]) => [name, share(us), each(us)]);
  const rows = byTime.map(([name, { group, us }]) => [name, group, share(us), each(us)]);
  return {
    tables: [
      { head: ["where the time goes", "share", "µs a request"], rows: groupRows },
      { head: ["the functions by their own time", "where", "share", "µs a request"], rows },
      { head: ["while the profiler looked on", ""], rows: [["requests/s", number(requestsPerSecond)]] },
    ],
  };
}

/** The group and the name of each node, by its id. What has no name is told by its caller. */
function framesOf(nodes) {
  const callers = new Map(nodes.flatMap((node) => (node.children ?? []).map((id) => [id, node.callFrame])));
  return new Map(
    nodes.map(({ id, callFrame }) => {
      const caller = callers.get(id);
      const isNameless = callFrame.functionName === "" && caller;
      const name = isNameless ? `${nameOf(callFrame)} in ${nameOf(caller)}` : nameOf(callFrame);
      return [id, { group: groupOf(callFrame), name }];
    }),
  );
}

function groupOf({ functionName, url }) {
  if (functionName === "(idle)") return "idle";
  if (functionName === "(garbage collector)") return "garbage collector";
  if (functionName === "(program)") return "runtime, outside of JavaScript";
  if (/^(wasm-to-js|js-to-wasm)/.test(functionName)) return "crossings between WebAssembly and JavaScript";
  if (url.startsWith("wasm:")) return "WebAssembly";
  // What stands in no file of ours is the runtime's, be it native or JavaScript.
  if (url === "" || /^[a-z]+-internal:/.test(url)) return "runtime, called by JavaScript";
  return url.endsWith("/index.js") ? "JavaScript that the build makes" : "Peyk's own JavaScript";
}

function nameOf({ functionName, url, lineNumber }) {
  // Without the hash that the compiler appends.
  const name = (functionName || "(no name)").replace(/::h[0-9a-f]{16}$/, "").slice(0, 100);
  const place = url === "" || url.startsWith("wasm:") ? "" : ` ${url.split("/").at(-1)}:${lineNumber + 1}`;
  return `\`${name.replaceAll("|", "\\|")}\`${place}`;
}
