// Wrangler runs this as its build command, also in `npx wrangler dev` and `npx wrangler deploy`.
import { bootstrap } from "./lib/bootstrap.mjs";
import { build } from "./lib/build.mjs";
import { run } from "./lib/fail.mjs";

await bootstrap();
await run(build);
