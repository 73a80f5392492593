// A small disk of a test's own (tmpfs), in namespaces of the kernel. It lives until it is closed, whoever works on it dies before.
import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refusalOf } from "./namespaces.mjs";

const setUp = `set -e
mount -t tmpfs -o size="$2",mode=700 tmpfs "$1"
echo ready
exec cat`;

/**
 * Makes a disk of a size, such as `80m`. Returns
 *
 * - `why`: why there is none; `null`: there is one;
 * - `dir`: where a command finds the disk that is started by the words of `inside`;
 * - `inside(words)`: those words for a command;
 * - `fill()`: takes all room that is left, and `free()` gives it back;
 * - `close()`.
 */
export async function openDisk(size) {
  const dir = mkdtempSync(join(tmpdir(), "peyk-disk-"));
  const holder = spawn("unshare", ["-rm", "sh", "-c", setUp, "disk", dir, size]);
  const why = await refusalOf(holder);
  const filler = join(`/proc/${holder.pid}/root`, dir, "filler");
  return {
    why,
    dir,
    inside: (words) => ["nsenter", "-t", `${holder.pid}`, "-U", "-m", "--preserve-credentials", ...words],
    fill: () => fillUp(filler),
    free: () => rmSync(filler, { force: true }),
    close() {
      holder.kill("SIGKILL");
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Appends to a file until the disk takes not one page more. */
function fillUp(path) {
  const file = openSync(path, existsSync(path) ? "r+" : "w");
  let at = 0;
  for (let size = 1 << 20; size >= 4_096; )
    try {
      at += writeSync(file, Buffer.alloc(size), 0, size, at);
    } catch (error) {
      if (error.code !== "ENOSPC") throw error;
      size >>= 1;
    }
  closeSync(file);
}
