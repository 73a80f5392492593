// What an isolate does a while after a request, in the time that the runtime gives that request when it is answered.

/**
 * Calls `act` in `ms`, which may return a promise. `keepAlive` lets the runtime wait for it. Nobody else does, so what fails is a line
 * that `write` gets: without the words of the error, which may have the address of the request.
 */
export function later(ms, act, keepAlive, write) {
  // Not `new Promise`, see `calls.mjs`.
  const { promise: due, resolve } = Promise.withResolvers();
  setTimeout(resolve, ms);
  keepAlive(due.then(act).catch(() => write(failed)));
}

const failed = JSON.stringify({ event: "metrics", level: "error", what: "what was counted could not be told" });
