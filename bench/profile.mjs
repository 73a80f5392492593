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
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const functions = new Map();
  const groups = new Map();
  let all = 0;
  for (const [at, id] of samples.entries()) {
    const { callFrame } = byId.get(id);
    const us = Math.max(0, timeDeltas[at]);
    const [group, place] = [groupOf(callFrame), nameOf(callFrame)];
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

function groupOf({ functionName, url }) {
  if (functionName === "(idle)") return "idle";
  if (functionName === "(garbage collector)") return "garbage collector";
  if (functionName === "(program)") return "runtime, outside of JavaScript";
  if (url.startsWith("wasm:")) return "WebAssembly";
  return url === "" ? "runtime, called by JavaScript" : "JavaScript";
}

function nameOf({ functionName, url, lineNumber }) {
  const name = functionName || "(no name)";
  if (url === "" || url.startsWith("wasm:")) return `\`${name.slice(0, 100).replaceAll("|", "\\|")}\``;
  return `\`${name}\` ${url.split("/").at(-1)}:${lineNumber + 1}`;
}
