import { bootstrap } from "./lib/base/bootstrap.mjs";
import { run, say } from "./lib/base/command.mjs";
import { newKey } from "./lib/base/keys.mjs";
import { stateDir } from "./lib/base/paths.mjs";
import { putDeployedKey } from "./lib/deploy/deploy.mjs";
import { putOperatorKey } from "./lib/serve/state.mjs";

await bootstrap();
await run(async () => {
  const [environment] = process.argv.slice(2);
  const key = newKey();
  const id = await (environment ? putDeployedKey(environment, key) : putOperatorKey(key, stateDir()));
  say(`the operator key ${id} was made. Use it within 7 days; from its first use on, it does not expire.`);
  say("it is shown this once and stored nowhere in the clear:");
  console.log(key);
});
