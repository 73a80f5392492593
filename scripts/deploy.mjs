import { setTimeout as sleep } from "node:timers/promises";
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { run, runWrangler } from "./lib/base/command.mjs";
import { keyHandover } from "./lib/base/key-handover.mjs";
import { build } from "./lib/build/build.mjs";
import { deploy, readArguments } from "./lib/deploy/deploy.mjs";

await bootstrap();
await run(() => {
  const handover = keyHandover(process.argv.slice(2));
  return deploy({
    ...readArguments(handover.rest),
    handover,
    run: runWrangler,
    build,
    print: console.log,
    pause: () => sleep(5_000),
  });
});
