// `npm run bench` measures Peyk beside workers that do less. Each runs in its own process of the same runtime with the same
// bindings. The same loader loads them in turn. `npm run bench -- singles million` measures only these parts.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bootstrap } from "../scripts/lib/base/bootstrap.mjs";
import { Failure, run, say } from "../scripts/lib/base/command.mjs";
import { build } from "../scripts/lib/build/build.mjs";
import { maxGzippedKilobytes, wasmKilobytes } from "../scripts/lib/build/wasm.mjs";
import { atMost, number } from "./aims.mjs";
import { measureBulk } from "./bulk.mjs";
import { campaign } from "./campaign.mjs";
import { measureDoors } from "./doors.mjs";
import { measureIsolate } from "./isolate.mjs";
import { measureLatency } from "./latency.mjs";
import { measureMillion } from "./million.mjs";
import { peers } from "./peers.mjs";
import { measurePhonebooks } from "./phonebooks.mjs";
import { profile } from "./profile.mjs";
import { print } from "./report.mjs";
import { measureServe } from "./serve.mjs";
import { measureSingles } from "./singles.mjs";
import { measureSmpp } from "./smpp.mjs";
import { soak } from "./soak.mjs";
import { measureVerify } from "./verify.mjs";
import { measureWebhooks } from "./webhooks.mjs";
import { startFloor, startPeyk, startPlain } from "./workers.mjs";

/** In this order. What is to be measured without load stands first; the last one ends Peyk. */
const parts = {
  isolate: measureIsolate,
  latency: measureLatency,
  phonebooks: measurePhonebooks,
  singles: measureSingles,
  doors: measureDoors,
  bulk: measureBulk,
  verify: measureVerify,
  smpp: measureSmpp,
  webhooks: measureWebhooks,
  serve: measureServe,
  million: measureMillion,
};

/** What is run alone, and only when it is named. */
const others = { profile, soak, peers, campaign };

await bootstrap();
await run(main);

async function main() {
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((name) => !Object.hasOwn(parts, name) && !Object.hasOwn(others, name));
  if (unknown)
    throw new Failure(
      `there is no part "${unknown}": name some of ${Object.keys(parts).join(", ")}, or ${Object.keys(others).join(", or ")}`,
    );
  const dir = mkdtempSync(join(tmpdir(), "peyk-bench-"));
  try {
    const other = wanted.find((name) => Object.hasOwn(others, name));
    if (other) await others[other](dir);
    else await measure(dir, wanted.length > 0 ? wanted : Object.keys(parts));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function measure(dir, wanted) {
  await build();
  const started = performance.now();
  const stateDir = join(dir, "peyk");
  const floor = await startFloor(join(dir, "floor"));
  const plain = await startPlain(join(dir, "plain"));
  const peyk = await startPeyk(stateDir);
  try {
    const results = [];
    const memories = [];
    for (const name of Object.keys(parts).filter((part) => wanted.includes(part))) {
      say(`${name}, after ${number((performance.now() - started) / 1_000)} seconds …`);
      results.push(await parts[name](peyk, { floor, plain, stateDir }));
      // The last part has ended Peyk.
      if (parts[name] !== measureMillion) memories.push([`Peyk, after ${name}`, peyk.memory()]);
    }
    for (const other of [floor, plain]) memories.push([other.name, other.memory()]);
    print([...results, rest(memories, started)]);
  } finally {
    await Promise.all([peyk.stop(), floor.stop(), plain.stop()]);
  }
}

function rest(memories, started) {
  const { plain, gzipped } = wasmKilobytes();
  const kilobytes = (value) => `${number(value)} KB`;
  const rows = [
    ["WebAssembly", `${kilobytes(plain)}, gzipped ${kilobytes(gzipped)}`],
    ["the benchmark took", `${number((performance.now() - started) / 1_000)} s`],
  ];
  const memoryRows = memories.map(([name, { now, peak }]) => [name, number(now), number(peak)]);
  return {
    aims: [atMost(maxGzippedKilobytes, "the WebAssembly, gzipped", gzipped, kilobytes)],
    tables: [
      { head: ["memory of the runtime", "MB", "at most MB"], rows: memoryRows },
      { head: ["and", ""], rows },
    ],
  };
}
