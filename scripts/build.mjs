// Wrangler's own build command: `npx wrangler dev` and `npx wrangler deploy` come through here too.
import { bootstrap } from "./lib/bootstrap.mjs";
import { build } from "./lib/build.mjs";
import { run } from "./lib/fail.mjs";

await bootstrap();
await run(build);
