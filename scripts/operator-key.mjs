import { parseArgs } from "node:util";
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { Failure, run, say } from "./lib/base/command.mjs";
import { keyHandover } from "./lib/base/key-handover.mjs";
import { newKey } from "./lib/base/keys.mjs";
import { checkWords } from "./lib/base/options.mjs";
import { called, isPackage } from "./lib/base/packed.mjs";
import { stateDir } from "./lib/base/paths.mjs";
import { build } from "./lib/build/build.mjs";

const about = isPackage
  ? `${called("operator-key")} --data DIR [options]

Makes one more operator key, of a folder of data, and shows it once.`
  : `${called("operator-key")} [production|staging] [options]

Makes one more operator key, of a deployed service, of a folder of \`npm run serve\`, or else of the local data of \`npm start\`, and
shows it once.`;
const help = `${about}

  --data DIR         the folder of a service on this machine; the service must be stopped
  --key-file PATH    writes the key into a new file that only you may read, in place of showing it
  --help             print this`;

const args = process.argv.slice(2);
const known = { "key-file": { type: "string" }, data: { type: "string" } };
await checkWords(args, { command: "operator-key", help, known, most: isPackage ? 0 : 1 });
await bootstrap();
await run(async () => {
  const { rest, ensure, give } = keyHandover(args);
  ensure();
  const { values, positionals } = parseArgs({ args: rest, options: known, allowPositionals: true });
  const key = newKey();
  const id = await put(key, positionals[0], values.data);
  say(`the operator key ${id} was made. Use it within 7 days; from its first use on, it does not expire.`);
  say("you get it this once; the service stores it nowhere in the clear.");
  give(key);
});

/** Puts the key where the words say, and returns its id. */
async function put(key, environment, data) {
  if (environment && data) throw new Failure("name an environment or --data DIR, not both.");
  if (data) return putServed(data, key);
  if (isPackage) throw new Failure("--data DIR must name the folder of the data.");
  // A package has neither.
  if (environment) return (await import("./lib/deploy/deploy.mjs")).putDeployedKey(environment, key);
  return (await import("./lib/start/state.mjs")).putOperatorKey(key, stateDir());
}

async function putServed(data, key) {
  await build();
  const { putServedKey } = await import("./lib/serve/add-operator.mjs");
  return putServedKey(data, key);
}
