import { setTimeout as sleep } from "node:timers/promises";
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { run, runWrangler } from "./lib/base/command.mjs";
import { keyHandover } from "./lib/base/key-handover.mjs";
import { checkWords } from "./lib/base/options.mjs";
import { build } from "./lib/build/build.mjs";
import { deploy, readArguments } from "./lib/deploy/deploy.mjs";

const help = `npm run deploy -- [production|staging] [options]

Makes what the service needs at Cloudflare, deploys the worker, shows the first operator key, and checks the service with a test
message. If it fails, the same command goes on where it stopped.

  --dry-run            says what it would do, and changes nothing
  --secret-file PATH   keeps a copy of the secret in this file
  --key-file PATH      writes the first operator key into a new file that only you may read, in place of showing it
  --help               print this`;
const known = { "dry-run": { type: "boolean" }, "secret-file": { type: "string" }, "key-file": { type: "string" } };

const args = process.argv.slice(2);
await checkWords(args, { command: "deploy", help, known, most: 1 });
await bootstrap();
await run(() => {
  const handover = keyHandover(args);
  return deploy({
    ...readArguments(handover.rest),
    handover,
    run: runWrangler,
    build,
    print: console.log,
    pause: () => sleep(5_000),
  });
});
