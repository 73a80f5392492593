// Lets a service stand still for a moment, so that all of its stores are those of one instant. The kernel stops its processes
// (SIGSTOP); they notice nothing but that time has passed.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure, finished } from "../base/command.mjs";

const identity = ({ dev, ino }) => `${dev}:${ino}`;

/** What `read` returns; nothing if the process or the file is gone, or is not ours to see. */
function unlessGone(read) {
  try {
    return read();
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(error.code)) return undefined;
    throw error;
  }
}

/** The ids of the other processes that have one of these files or folders open. Paths are compared by what they lead to. */
export function usersOf(paths) {
  if (process.platform !== "linux")
    throw new Failure("a backup has to see which processes serve the data, and only Linux shows it (/proc)");
  const wanted = new Set(paths.map((path) => identity(statSync(path))));
  const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return ids.filter((id) => hasOpen(id, wanted)).map(Number);
}

function hasOpen(id, wanted) {
  const dir = join("/proc", id, "fd");
  const open = unlessGone(() => readdirSync(dir)) ?? [];
  return open.some((name) => {
    const stat = unlessGone(() => statSync(join(dir, name)));
    return stat && wanted.has(identity(stat));
  });
}

/** Whether each thread of a process stands still. A signal only asks for it, and one that waits for the disk goes on until then. */
function standsStill(id) {
  const tasks = unlessGone(() => readdirSync(`/proc/${id}/task`)) ?? [];
  return tasks.every((task) => {
    const stat = unlessGone(() => readFileSync(`/proc/${id}/task/${task}/stat`, "utf8"));
    return !stat || "TtZX".includes(stat.slice(stat.lastIndexOf(")") + 2)[0]);
  });
}

/**
 * Runs `work`, which must not wait for anything, while these processes stand still, and returns `{result, ms}`: what it has returned
 * and for how long they stood still. They go on whatever becomes of `work` or of this process.
 */
export async function whileStill(ids, work) {
  const guard = await startGuard(ids);
  const begun = performance.now();
  try {
    signal(ids, "SIGSTOP");
    while (!ids.every(standsStill)) await sleep(1);
    const result = work();
    return { result, ms: performance.now() - begun };
  } finally {
    signal(ids, "SIGCONT");
    guard.stdin.end();
    await finished(guard);
  }
}

function signal(ids, name) {
  for (const id of ids) unlessGone(() => process.kill(id, name));
}

/** A process that lets the others go on when this one ends, also if it is killed: then the pipe to it closes. */
async function startGuard(ids) {
  const program = `cat; ${ids.map((id) => `kill -CONT ${id}; `).join("")}true`;
  const guard = spawn("sh", ["-c", program], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  await new Promise((resolve, reject) => guard.once("spawn", resolve).once("error", reject));
  return guard;
}
