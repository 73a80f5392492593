// Time in tests of one file, with the timers of `node:test`.
import { mock } from "node:test";

/** Lets everything run that waits for no timer. */
export async function rest() {
  for (let turn = 0; turn < 200; turn++) await Promise.resolve();
}

/** Lets time pass in steps in which timers ring. */
export async function pass(ms) {
  for (let gone = 0; gone < ms; gone += 500) {
    mock.timers.tick(500);
    await rest();
  }
}
