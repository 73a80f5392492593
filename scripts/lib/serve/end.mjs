// How a service ends: in order when a signal asks for it, and at once when one of its runtimes has died.
import { setTimeout as sleep } from "node:timers/promises";
import { complain, Failure, say } from "../base/command.mjs";

/** How long requests that are under way may take, ms. */
const DRAIN_MS = 4_500;
/** How long carriers may take to answer what they were sent, ms. The worker itself waits three seconds (src/objects/stop.rs). */
const CARRIERS_MS = 3_300;
/** How long Peyk's runtime may take to put its files in order, ms. What it has answered is stored before. */
const CLOSE_MS = 2_000;

/**
 * Ends the service for good by a signal, with status 0, and when a runtime ends by itself, with status 1: whoever has started the
 * command starts it again. Returns `{opened, stops, close}`: what is told of the gate when it is open, a list of functions that stop what
 * goes on beside the service, and what ends all of it in order.
 */
export function endWith(service) {
  const stops = [];
  let gate;
  let closing;
  const close = () => (closing ??= closed(service, gate, stops));
  const stop = async () => {
    if (closing) return;
    say("stopping …");
    await close();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    // Miniflare has a listener of its own, which would end this process at once.
    process.removeAllListeners(signal);
    process.on(signal, stop);
  }
  const watch = (what, { exited }) =>
    exited.then(({ code, signal }) => {
      if (closing) return;
      closing = true;
      complain(new Failure(`${what} ended unexpectedly (${signal ?? `status ${code}`}); its output above may say why`));
      gate?.child.kill("SIGKILL");
      service.stop().finally(() => process.exit(1));
    });
  watch("Peyk's runtime", service);
  const opened = (one) => {
    gate = one;
    watch("the gate", gate);
  };
  return { opened, stops, close };
}

async function closed(service, gate, stops) {
  for (const one of stops) one();
  // The gate takes no new connection, answers what is under way, and ends.
  if (gate) await ended(gate, DRAIN_MS);
  // A runtime that has died meanwhile has nothing to end.
  const stopped = service.ask("scheduled", { cron: "stop", time: Date.now() }).catch(() => {});
  await Promise.race([stopped, sleep(CARRIERS_MS)]);
  await ended(service, CLOSE_MS);
  await service.stop();
}

/** Asks a runtime to end, and ends it after some time. */
async function ended({ child, exited }, withinMs) {
  child.kill("SIGTERM");
  const late = Symbol("late");
  if ((await Promise.race([exited, sleep(withinMs, late)])) !== late) return;
  child.kill("SIGKILL");
  await exited;
}
