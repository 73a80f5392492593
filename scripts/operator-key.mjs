import { bootstrap } from "./lib/bootstrap.mjs";
import { run, say } from "./lib/fail.mjs";
import { newKey } from "./lib/key.mjs";
import { stateDir } from "./lib/paths.mjs";
import { ensureDeployable } from "./lib/remote.mjs";
import { putOperatorKey } from "./lib/state.mjs";

await bootstrap();
await run(async () => {
  const remote = process.argv.includes("--remote");
  if (remote) ensureDeployable();
  const key = newKey();
  const id = await putOperatorKey(key, remote ? ["--remote"] : ["--local", "--persist-to", stateDir()]);
  say(`the operator key ${id} was made. Use it within 7 days; from its first use on, it does not expire.`);
  say("it is shown this once and stored nowhere in the clear:");
  console.log(key);
});
