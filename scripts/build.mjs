// Wrangler runs this as its build command, also in `npx wrangler dev` and `npx wrangler deploy`.
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { run } from "./lib/base/command.mjs";
import { build } from "./lib/build/build.mjs";

await bootstrap();
await run(build);
