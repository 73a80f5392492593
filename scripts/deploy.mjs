import { setTimeout as sleep } from "node:timers/promises";
import { bootstrap } from "./lib/bootstrap.mjs";
import { build } from "./lib/build.mjs";
import { deploy, readArguments } from "./lib/deploy.mjs";
import { runWrangler } from "./lib/exec.mjs";
import { run } from "./lib/fail.mjs";

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
