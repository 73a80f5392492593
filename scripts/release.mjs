// `npm run release -- typescript` (or `python`, or `php`) builds the package of a client library, tries it in an empty
// folder, and says what comes next. Only `--publish` publishes it.
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { run } from "./lib/base/command.mjs";
import { chosen, release } from "./lib/release/release.mjs";

await bootstrap();
await run(() => release(chosen(process.argv.slice(2))));
