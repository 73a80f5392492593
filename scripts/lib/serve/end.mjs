// How a service ends: in order when a signal asks for it, and at once when one of its runtimes has died.
import { setTimeout as sleep } from "node:timers/promises";
import { say } from "../base/command.mjs";

/** How long requests that are under way may take, ms. */
const DRAIN_MS = 6_000;
/** How long Peyk's runtime may take to put its files in order, ms. What it has answered is stored before. */
const CLOSE_MS = 2_000;

/**
 * Ends the service for good by a signal, with status 0, and when a runtime ends by itself, with status 1: whoever has started the
 * command starts it again. `stops` are functions that stop what goes on beside it.
 */
export function endWith({ service, gate, stops }) {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    say("stopping …");
    for (const one of stops) one();
    // The gate takes no new connection, answers what is under way, and ends.
    await ended(gate, DRAIN_MS);
    await ended(service, CLOSE_MS);
    await service.stop();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    // Miniflare has a listener of its own, which would end this process at once.
    process.removeAllListeners(signal);
    process.on(signal, stop);
  }
  for (const [what, { exited }] of Object.entries({ "Peyk's runtime": service, "the gate": gate }))
    exited.then(({ code, signal }) => {
      if (stopping) return;
      stopping = true;
      console.error(`\npeyk: ${what} ended unexpectedly (${signal ?? `status ${code}`}); its output above may say why`);
      gate.child.kill("SIGKILL");
      service.stop().finally(() => process.exit(1));
    });
}

/** Asks a runtime to end, and ends it after some time. */
async function ended({ child, exited }, withinMs) {
  child.kill("SIGTERM");
  const late = Symbol("late");
  if ((await Promise.race([exited, sleep(withinMs, late)])) !== late) return;
  child.kill("SIGKILL");
  await exited;
}
