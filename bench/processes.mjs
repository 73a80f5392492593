// What Linux tells of processes.
import { readdirSync, readFileSync } from "node:fs";

/** Linux tells times in hundredths of a second to programs, whatever it counts in itself. */
const ticksPerSecond = 100;

/** The children of a process that have this name. */
export function childrenOf(parent, name) {
  return pids().filter((pid) => {
    const status = statusOf(pid);
    return status.Name === name && Number(status.PPid) === parent;
  });
}

const pids = () =>
  readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number);

export function memoryOf(pid) {
  const { VmRSS, VmHWM } = statusOf(pid);
  return { now: megabytes(VmRSS), peak: megabytes(VmHWM) };
}

const megabytes = (kilobytes) => Number.parseInt(kilobytes, 10) / 1024;

/** How long the processors have worked for all threads of a process. */
export const cpuSecondsOf = (pid) => cpuSecondsIn(readFileSync(`/proc/${pid}/stat`, "utf8"));

export function cpuSecondsIn(stat) {
  const [user, system] = fieldsOf(stat).slice(11, 13).map(Number);
  return (user + system) / ticksPerSecond;
}

/** What stands behind the name of a process. The name stands in parentheses, and may have spaces and parentheses itself. */
const fieldsOf = (stat) => stat.slice(stat.lastIndexOf(")") + 2).split(" ");

/** How long the processors have worked for a process and all that it has started, also for what has ended since. */
export function treeSeconds(root) {
  const stats = new Map();
  for (const pid of pids()) {
    const stat = readOf(pid, "stat");
    if (stat) stats.set(pid, stat);
  }
  return treeSecondsIn(stats, root);
}

/** `stats` has what Linux tells of each process, by its number. The time of one that has ended counts for its parent. */
export function treeSecondsIn(stats, root) {
  const all = [...stats].map(([pid, stat]) => {
    const fields = fieldsOf(stat);
    const ticks = fields.slice(11, 15).map(Number);
    return { pid, parent: Number(fields[1]), seconds: sum(ticks) / ticksPerSecond };
  });
  const ofPid = (wanted) => sum(all.filter(({ pid }) => pid === wanted).map(({ seconds }) => seconds));
  const below = (parent) => sum(all.filter((one) => one.parent === parent).map(({ pid }) => ofPid(pid) + below(pid)));
  return ofPid(root) + below(root);
}

const sum = (values) => values.reduce((all, one) => all + one, 0);

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
  const lines = (readOf(pid, "status") ?? "").split("\n");
  return Object.fromEntries(lines.map((line) => line.split(/:\s+/)));
}

/** `null` if the process has ended. */
function readOf(pid, what) {
  try {
    return readFileSync(`/proc/${pid}/${what}`, "utf8");
  } catch {
    return null;
  }
}
