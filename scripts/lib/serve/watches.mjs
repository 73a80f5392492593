// What the command looks at each minute while it serves: how full the disk is, and whether the clock was set back.
import { say } from "../base/command.mjs";
import { LITTLE_ROOM, roomIn } from "./folder.mjs";

const EVERY_MS = 60_000;
/** A clock that is corrected by less is no news, ms. */
const SET_BACK_MS = 10_000;

/** Says in the log when the disk of a folder is nearly full. Returns what stops it. */
export function watchRoom({ dir }) {
  return eachMinute(() => {
    try {
      const room = roomIn(dir);
      if (room < LITTLE_ROOM) say(`the disk of ${dir} is nearly full: it has ${room >> 20} MiB left. Make room.`);
    } catch (error) {
      // The service goes on: it does not depend on this look.
      say(`nobody can say how full the disk of ${dir} is: ${error.message}`);
    }
  });
}

/** Says in the log when the clock was set back. What is due waits as long, and nothing is lost. Returns what stops it. */
export function watchClock() {
  const look = clockLook(Date.now, () => performance.now());
  return eachMinute(() => {
    const news = look();
    if (news) say(news);
  });
}

/**
 * Makes the look at a clock. `now` tells its time, `monotonic` how much time has passed, both in ms. Each look returns what is to be said, if
 * the clock is further behind the time that has passed than at the look before.
 */
export function clockLook(now, monotonic) {
  const ahead = () => now() - monotonic();
  let before = ahead();
  return () => {
    const change = ahead() - before;
    before += change;
    if (change > -SET_BACK_MS) return undefined;
    return (
      `the clock of this machine was set back by ${Math.round(-change / 1_000)} s. What is due waits as long, and keys and codes end as much ` +
      "later. Let a time service correct the clock in small steps."
    );
  };
}

function eachMinute(look) {
  const timer = setInterval(look, EVERY_MS);
  return () => clearInterval(timer);
}
