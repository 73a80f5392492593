import { say } from "../base/command.mjs";
import { LITTLE_ROOM, roomIn } from "./folder.mjs";

const EVERY_MS = 60_000;

/** Says in the log when the disk of a folder is nearly full. Returns what stops it. */
export function watchRoom({ dir }) {
  const look = () => {
    const room = roomIn(dir);
    if (room < LITTLE_ROOM) say(`the disk of ${dir} is nearly full: it has ${room >> 20} MiB left. Make room.`);
  };
  const timer = setInterval(() => {
    try {
      look();
    } catch (error) {
      // The service goes on: it does not depend on this look.
      say(`nobody can say how full the disk of ${dir} is: ${error.message}`);
    }
  }, EVERY_MS);
  return () => clearInterval(timer);
}
