import { bootstrap } from "./lib/base/bootstrap.mjs";
import { run, say } from "./lib/base/command.mjs";
import { keyHandover } from "./lib/base/key-handover.mjs";
import { newKey } from "./lib/base/keys.mjs";
import { checkWords } from "./lib/base/options.mjs";
import { stateDir } from "./lib/base/paths.mjs";
import { putDeployedKey } from "./lib/deploy/deploy.mjs";
import { putOperatorKey } from "./lib/start/state.mjs";

const help = `npm run operator-key -- [production|staging] [--key-file PATH]

Makes one more operator key, of a deployed service or else of the local data of \`npm start\`, and shows it once.

  --key-file PATH    writes the key into a new file that only you may read, in place of showing it
  --help             print this`;

const args = process.argv.slice(2);
await checkWords(args, { command: "operator-key", help, known: { "key-file": { type: "string" } }, most: 1 });
await bootstrap();
await run(async () => {
  const { rest, ensure, give } = keyHandover(args);
  ensure();
  const [environment] = rest;
  const key = newKey();
  const id = await (environment ? putDeployedKey(environment, key) : putOperatorKey(key, stateDir()));
  say(`the operator key ${id} was made. Use it within 7 days; from its first use on, it does not expire.`);
  say("you get it this once; the service stores it nowhere in the clear.");
  give(key);
});
