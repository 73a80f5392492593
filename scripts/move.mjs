// `npm run move` brings what a shop has at another provider into Peyk: templates, phonebooks and keys. Without `--go` it only says
// what it would do.
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { Failure, run } from "./lib/base/command.mjs";

await bootstrap();
await run(async () => {
  // Tables are read by a module in TypeScript, which only the pinned Node.js can load.
  const { move } = await import("./lib/move/move.mjs");
  process.exitCode = await move(process.argv.slice(2), process.env, { signal: stopOnSignal() });
});

/** The first signal lets the request under way end. A second one ends the program. npm may pass the same signal on once more. */
function stopOnSignal() {
  const controller = new AbortController();
  let stoppedAt = 0;
  const stop = () => {
    if (controller.signal.aborted && performance.now() - stoppedAt > 500) process.exit(130);
    if (controller.signal.aborted) return;
    stoppedAt = performance.now();
    controller.abort(new Failure("stopped"));
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
  return controller.signal;
}
