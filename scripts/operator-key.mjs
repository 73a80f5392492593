import { bootstrap } from "./lib/bootstrap.mjs";
import { putDeployedKey } from "./lib/deployment-key.mjs";
import { run, say } from "./lib/fail.mjs";
import { newKey } from "./lib/key.mjs";
import { stateDir } from "./lib/paths.mjs";
import { putOperatorKey } from "./lib/state.mjs";

await bootstrap();
await run(async () => {
  const [environment] = process.argv.slice(2);
  const key = newKey();
  const id = await (environment ? putDeployedKey(environment, key) : putOperatorKey(key, stateDir()));
  say(`the operator key ${id} was made. Use it within 7 days; from its first use on, it does not expire.`);
  say("it is shown this once and stored nowhere in the clear:");
  console.log(key);
});
