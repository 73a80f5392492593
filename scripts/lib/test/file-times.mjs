// A reporter of node:test: how long the tests of each file took, the longest first. What their hooks do is not counted.
import { relative } from "node:path";
import { root } from "../base/paths.mjs";

export default async function* fileTimes(events) {
  const times = new Map();
  for await (const { type, data } of events) {
    if (data?.nesting !== 0 || !["test:pass", "test:fail"].includes(type)) continue;
    times.set(data.file, (times.get(data.file) ?? 0) + data.details.duration_ms);
  }
  for (const [file, ms] of [...times].sort(([, one], [, other]) => other - one))
    yield `${relative(root, file)}: ${Math.round(ms / 1_000)} s\n`;
}
