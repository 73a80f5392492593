import { say } from "../base/command.mjs";
import { roomIn } from "./folder.mjs";

const EVERY_MS = 60_000;
/** Below this, the log says so each minute, in bytes. */
const LITTLE_ROOM = 512 << 20;

/** Says in the log when the disk of a folder is nearly full. Returns what stops it. */
export function watchRoom({ dir }) {
  const timer = setInterval(() => {
    const room = roomIn(dir);
    if (room < LITTLE_ROOM) say(`the disk of ${dir} is nearly full: it has ${room >> 20} MiB left. Make room.`);
  }, EVERY_MS);
  return () => clearInterval(timer);
}
