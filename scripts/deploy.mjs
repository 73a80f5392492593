import { setTimeout as sleep } from "node:timers/promises";
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { run, runWrangler } from "./lib/base/command.mjs";
import { build } from "./lib/build/build.mjs";
import { deploy, readArguments } from "./lib/deploy/deploy.mjs";

await bootstrap();
await run(() =>
  deploy({
    ...readArguments(process.argv.slice(2)),
    run: runWrangler,
    build,
    print: console.log,
    pause: () => sleep(5_000),
  }),
);
