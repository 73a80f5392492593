import { startRuntime } from "../scripts/lib/serve/runtime.mjs";
import { childrenOf, cpuSecondsOf, memoryOf } from "./processes.mjs";

/** Starts a worker, as `startRuntime` does, and looks at what its process takes. */
export async function startWorker(options) {
  const before = new Set(childrenOf(process.pid, "workerd"));
  const runtime = await startRuntime(options);
  const pid = childrenOf(process.pid, "workerd").find((candidate) => !before.has(candidate));
  return { ...runtime, memory: () => memoryOf(pid), cpuSeconds: () => cpuSecondsOf(pid) };
}
