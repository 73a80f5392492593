// What Linux tells of processes.
import { readdirSync, readFileSync } from "node:fs";

/** Linux tells times in hundredths of a second to programs, whatever it counts in itself. */
const ticksPerSecond = 100;

/** The children of a process that have this name. */
export function childrenOf(parent, name) {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      const status = statusOf(pid);
      return status.Name === name && Number(status.PPid) === parent;
    });
}

export function memoryOf(pid) {
  const { VmRSS, VmHWM } = statusOf(pid);
  return { now: megabytes(VmRSS), peak: megabytes(VmHWM) };
}

const megabytes = (kilobytes) => Number.parseInt(kilobytes, 10) / 1024;

/** How long the processors have worked for all threads of a process. */
export const cpuSecondsOf = (pid) => cpuSecondsIn(readFileSync(`/proc/${pid}/stat`, "utf8"));

/** The name of the process stands in parentheses, and may have spaces and parentheses itself. */
export function cpuSecondsIn(stat) {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user, system] = [fields[11], fields[12]].map(Number);
  return (user + system) / ticksPerSecond;
}

/** How long all processors of the machine have worked. */
export const busySeconds = () => busySecondsIn(readFileSync("/proc/stat", "utf8"));

/** Time that a hypervisor gave to other machines counts as work. */
export function busySecondsIn(stat) {
  const [user, nice, system, , , interrupts, softInterrupts, stolen] = stat
    .split("\n")[0]
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + interrupts + softInterrupts + stolen) / ticksPerSecond;
}

function statusOf(pid) {
  try {
    const lines = readFileSync(`/proc/${pid}/status`, "utf8").split("\n");
    return Object.fromEntries(lines.map((line) => line.split(/:\s+/)));
  } catch {
    return {};
  }
}
