// `npm run bench` measures Peyk beside workers that do less. Each runs in its own process of the same runtime with the same
// bindings. The same loader loads them in turn. `npm run bench -- singles million` measures only these parts.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bootstrap } from "../scripts/lib/base/bootstrap.mjs";
import { Failure, run } from "../scripts/lib/base/command.mjs";
import { build } from "../scripts/lib/build/build.mjs";
import { maxGzippedKilobytes, wasmKilobytes } from "../scripts/lib/build/wasm.mjs";
import { atMost, number } from "./aims.mjs";
import { campaign } from "./campaign.mjs";
import { parts } from "./parts.mjs";
import { peers } from "./peers.mjs";
import { profile } from "./profile.mjs";
import { print } from "./report.mjs";
import { inSequence } from "./sequence.mjs";
import { soak } from "./soak.mjs";
import { startFloor, startPeyk, startPlain } from "./workers.mjs";

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
  let end = { hasFailed: false, hangs: false };
  try {
    const other = wanted.find((name) => Object.hasOwn(others, name));
    if (other) await others[other](dir);
    else end = await measure(dir, wanted.length > 0 ? wanted : Object.keys(parts));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
  if (end.hasFailed) process.exitCode = 1;
  // What hangs would keep this process from its end.
  if (end.hangs) process.exit();
}

/** Measures these parts and prints what it has found. Returns whether one has failed, and whether it hangs. */
async function measure(dir, wanted) {
  await build();
  const started = performance.now();
  const stateDir = join(dir, "peyk");
  const floor = await startFloor(join(dir, "floor"));
  const plain = await startPlain(join(dir, "plain"));
  const peyk = await startPeyk(stateDir);
  const memories = [];
  const measurePart = async (name) => {
    const result = await parts[name](peyk, { floor, plain, stateDir });
    // The last part has ended Peyk.
    if (name !== "million") memories.push([`Peyk, after ${name}`, peyk.memory()]);
    return result;
  };
  try {
    const names = Object.keys(parts).filter((part) => wanted.includes(part));
    const { measured, leftOut, ...end } = await inSequence(names, measurePart, { started: started / 1_000 });
    for (const other of [floor, plain]) memories.push([other.name, other.memory()]);
    const marked = measured.map(({ result, noise }) => ({ ...result, noise }));
    print([...marked, rest(memories, leftOut, started)]);
    return end;
  } finally {
    await Promise.all([peyk.stop(), floor.stop(), plain.stop()]);
  }
}

function rest(memories, leftOut, started) {
  const { plain, gzipped } = wasmKilobytes();
  const kilobytes = (value) => `${number(value)} KB`;
  const rows = [
    ["WebAssembly", `${kilobytes(plain)}, gzipped ${kilobytes(gzipped)}`],
    ["the benchmark took", `${number((performance.now() - started) / 1_000)} s`],
  ];
  const memoryRows = memories.map(([name, { now, peak }]) => [name, number(now), number(peak)]);
  const missing = leftOut.map(({ name, why }) => [name, why, `\`npm run bench -- ${name}\``]);
  return {
    aims: [atMost(maxGzippedKilobytes, "the WebAssembly, gzipped", gzipped, kilobytes)],
    tables: [
      { head: ["memory of the runtime", "MB", "at most MB"], rows: memoryRows },
      ...(missing.length > 0 ? [{ head: ["left out", "why", "alone"], rows: missing }] : []),
      { head: ["and", ""], rows },
    ],
  };
}
