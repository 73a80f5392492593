import { spawn } from "node:child_process";

/**
 * Ends a child when this process ends in any way, SIGKILL too: the child would keep the port or the data. The watch is a shell that
 * reads from a pipe, which the kernel closes with this process. It ends with the child.
 */
export function watchOver(child) {
  const watch = spawn("/bin/sh", ["-c", 'read -r _ || kill -9 "$1"', "peyk-watch", String(child.pid)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // If the watch is gone already, nobody reads.
  watch.stdin.on("error", () => {});
  child.once("exit", () => watch.stdin.end("\n"));
}
