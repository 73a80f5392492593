// `npm run load` sends messages at a steady rate and says how the service bore it. It is an open-loop test: a request starts
// at its time, whatever has become of those before it, and its latency counts from that time.
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { Failure, run, say } from "./lib/base/command.mjs";
import { stateDir } from "./lib/base/paths.mjs";
import { checkLimit, findKey } from "./lib/load/account.mjs";
import { drive, sender, Tally } from "./lib/load/drive.mjs";
import { help, readOptions } from "./lib/load/options.mjs";
import { liveLine, table } from "./lib/load/report.mjs";

/** How long a Ctrl-C waits for the answers that are under way, ms. */
const grace = 2_000;

await bootstrap();
await run(main);

async function main() {
  const options = readOptions(process.argv.slice(2));
  if (options.help) return console.log(help);
  options.key = await findKey(options, stateDir());
  await checkLimit(options);
  const client = sender(options);
  const tally = new Tally(options.requests);
  const stop = stopOnSignal(client);
  const stopShowing = show(options, tally);
  say(`sending ${options.rate} requests a second for ${options.seconds} s to ${options.url}; Ctrl-C ends it …`);
  await drive(options, { send: client.send, tally, signal: stop.signal });
  stopShowing();
  client.close();
  console.log(`\n${table(options, tally, stop.signal.aborted)}`);
  process.exitCode = stop.signal.aborted ? 130 : tally.accepted > 0 ? 0 : 1;
}

/** Shows one line, which a terminal writes over each second. */
function show(options, tally) {
  const isTerminal = Boolean(process.stdout.isTTY);
  const timer = setInterval(() => {
    const line = liveLine(options, tally);
    process.stdout.write(isTerminal ? `\r\x1b[K${line.slice(0, (process.stdout.columns ?? 80) - 1)}` : `${line}\n`);
  }, 1_000);
  return () => {
    clearInterval(timer);
    if (isTerminal) process.stdout.write("\r\x1b[K");
  };
}

/** The first signal ends the test and leaves the answers under way a moment. npm may pass the same signal on once more. */
function stopOnSignal(client) {
  const controller = new AbortController();
  let stoppedAt = 0;
  const stop = () => {
    if (controller.signal.aborted && performance.now() - stoppedAt > 500) process.exit(130);
    if (controller.signal.aborted) return;
    stoppedAt = performance.now();
    controller.abort(new Failure("stopped"));
    setTimeout(client.close, grace).unref();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
  return controller;
}
