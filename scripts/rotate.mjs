// `npm run rotate -- production --secret-file PATH` changes the secret of a deployed service. docs/operating.md says how.
import { setTimeout as sleep } from "node:timers/promises";
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { run } from "./lib/base/command.mjs";
import { checkWords } from "./lib/base/options.mjs";
import { rotate, rotateArguments } from "./lib/deploy/rotate.mjs";

const help = `npm run rotate -- [production|staging] --secret-file PATH [options]

Changes the secret of a deployed service. The variable ADMIN_KEY may have the key of an operator. docs/operating.md says when to do what.

  --secret-file PATH   the file with the copy of the secret, which gets the new one
  --finish             removes the old secret, when nothing needs it any more
  --now                with --finish: does not wait until gateways use new addresses, as after a theft
  --lost               replaces a secret of which there is no copy
  --yes                with --lost: does it, and loses what the command names without it
  --help               print this`;
const known = {
  "secret-file": { type: "string" },
  ...Object.fromEntries(["finish", "now", "lost", "yes"].map((name) => [name, { type: "boolean" }])),
};

const args = process.argv.slice(2);
await checkWords(args, { command: "rotate", help, known, most: 1 });
await bootstrap();
await run(() => rotate({ ...rotateArguments(args), print: console.log, pause: () => sleep(5_000) }));
