import { bootstrap } from "./lib/base/bootstrap.mjs";
import { run, say } from "./lib/base/command.mjs";
import { keyHandover } from "./lib/base/key-handover.mjs";
import { newKey } from "./lib/base/keys.mjs";
import { stateDir } from "./lib/base/paths.mjs";
import { putDeployedKey } from "./lib/deploy/deploy.mjs";
import { putOperatorKey } from "./lib/serve/state.mjs";

await bootstrap();
await run(async () => {
  const { rest, ensure, give } = keyHandover(process.argv.slice(2));
  ensure();
  const [environment] = rest;
  const key = newKey();
  const id = await (environment ? putDeployedKey(environment, key) : putOperatorKey(key, stateDir()));
  say(`the operator key ${id} was made. Use it within 7 days; from its first use on, it does not expire.`);
  say("you get it this once; the service stores it nowhere in the clear.");
  give(key);
});
