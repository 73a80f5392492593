// `npm run rotate -- production --secret-file PATH` changes the secret of a deployed service. docs/operating.md says how.
import { setTimeout as sleep } from "node:timers/promises";
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { run } from "./lib/base/command.mjs";
import { rotate, rotateArguments } from "./lib/deploy/rotate.mjs";

await bootstrap();
await run(() => rotate({ ...rotateArguments(process.argv.slice(2)), print: console.log, pause: () => sleep(5_000) }));
