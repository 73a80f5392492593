import { startRuntime } from "../scripts/lib/runtime/runtime.mjs";
import { childrenOf, cpuSecondsOf, memoryOf } from "./processes.mjs";

/** Starts a worker, as `startRuntime` does, and looks at what its process takes. `kill` ends it as a failing machine would. */
export async function startWorker(options) {
  const before = new Set(childrenOf(process.pid, "workerd"));
  const runtime = await startRuntime(options);
  const pid = childrenOf(process.pid, "workerd").find((candidate) => !before.has(candidate));
  const kill = () => {
    process.kill(pid, "SIGKILL");
    return runtime.stop();
  };
  return { ...runtime, kill, memory: () => memoryOf(pid), cpuSeconds: () => cpuSecondsOf(pid) };
}
