// `npm run listen -- --url http://127.0.0.1:3000/peyk` forwards the events of a service to a program on this machine.
import { setTimeout as sleep } from "node:timers/promises";
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { run, say } from "./lib/base/command.mjs";
import { stateDir } from "./lib/base/paths.mjs";
import { post } from "./lib/listen/forward.mjs";
import { help, readOptions } from "./lib/listen/options.mjs";
import { NoAnswer, Service } from "./lib/listen/service.mjs";
import { demoAt } from "./lib/start/demo.mjs";

/** How often the service is asked, ms. All test keys of an account share a request a second. */
const pause = 2_000;

await bootstrap();
await run(main);

async function main() {
  const options = readOptions(process.argv.slice(2));
  if (options.help) return console.log(help);
  options.key ??= demoAt(stateDir(), options.base).apiKey;
  const isTest = options.key.startsWith("peyk_test_");
  options.events ??= isTest ? ["message.status"] : ["message.status", "message.received"];
  const stop = stopOnSignal();
  const service = new Service(options);
  const endpoint = await service.open(options);
  try {
    introduce(options, endpoint);
    await forward(service, endpoint, options, stop);
  } finally {
    await service.close(endpoint.id);
    say("the endpoint is removed");
  }
}

function introduce({ base, url, events, secret, key }, endpoint) {
  say(`events of ${base} go to ${url}: ${events.join(", ")}`);
  console.log(`
  secret   ${secret ?? endpoint.secret}

Your program verifies webhooks with it. This sends an event to try:

curl -s -X POST ${base}/webhook/${endpoint.id}/test -H "Authorization: Bearer ${key.startsWith("peyk_test_") ? "$TEST_KEY" : "$KEY"}"

Ctrl-C ends it.
`);
}

/** Forwards what comes until the signal. While the service starts again, nothing comes. */
async function forward(service, endpoint, options, signal) {
  const progress = { seen: new Set(), told: new Set() };
  while (!signal.aborted) {
    try {
      await round(service, endpoint, options, progress);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
    }
    await sleep(pause, undefined, { signal }).catch(() => {});
  }
}

/** Hands on what has come. What no program has answered is tried again in the next round, before all that came later. */
async function round(service, endpoint, { url, secret = endpoint.secret }, { seen, told }) {
  for (const { id, type } of await service.next(endpoint.id, seen)) {
    const { status, failure } = await post(url, id, await service.bodyOf(endpoint.id, id), secret);
    const said = `${type} ${id} → ${status ?? `no answer (${failure}); it is tried again`}`;
    if (!told.has(said)) say(said);
    told.add(said);
    if (status === undefined) return;
    seen.add(id);
  }
}

/** A signal ends the pause. npm may pass it on once more. */
function stopOnSignal() {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => controller.abort());
  return controller.signal;
}
