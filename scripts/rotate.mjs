// `npm run rotate` changes the secret of a deployed service, or of a folder of data. docs/operating.md and docs/self-hosting.md say how.
import { setTimeout as sleep } from "node:timers/promises";
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { run, say } from "./lib/base/command.mjs";
import { checkWords, failFor, local, parsed } from "./lib/base/options.mjs";
import { called, isPackage } from "./lib/base/packed.mjs";

const ofFolder = `  --data DIR           the folder of the data; its file \`secret\` gets the new one
  --url URL            with --finish: the service of that folder (default: ${local})`;
const about = isPackage
  ? `${called("rotate")} --data DIR [options]

Changes the secret of a folder of data. The variable ADMIN_KEY has the key of an operator for --finish. docs/self-hosting.md says when to do what.

${ofFolder}`
  : `${called("rotate")} [production|staging] --secret-file PATH [options]
${called("rotate")} --data DIR [options]

Changes the secret of a deployed service, or of a folder of \`npm run serve\`. The variable ADMIN_KEY may have the key of an operator.
docs/operating.md and docs/self-hosting.md say when to do what.

  --secret-file PATH   the file with the copy of the secret, which gets the new one
  --lost               replaces a secret of which there is no copy
  --yes                with --lost: does it, and loses what the command names without it
${ofFolder}`;
const help = `${about}
  --finish             removes the old secret, when nothing needs it any more
  --now                with --finish: does not wait until gateways use new addresses, as after a theft
  --help               print this`;
const flag = { type: "boolean" };
const text = { type: "string" };
const knownOfFolder = { data: text, url: { type: "string", default: local }, finish: flag, now: flag };
const known = isPackage ? knownOfFolder : { ...knownOfFolder, "secret-file": text, lost: flag, yes: flag };

const args = process.argv.slice(2);
await checkWords(args, { command: "rotate", help, known, most: isPackage ? 0 : 1 });
await bootstrap();
await run(() => (isPackage || args.some((word) => /^--data(=|$)/.test(word)) ? rotateFolder() : rotateDeployed()));

async function rotateFolder() {
  const { data, url: address, finish, now } = parsed(args, knownOfFolder, "rotate");
  const { addressOf } = await import("./lib/transfer/options.mjs");
  const faults = data ? [] : ["--data DIR must name the folder of the data"];
  if (now && !finish) faults.push("--now belongs to --finish");
  const url = addressOf(address, "url", faults);
  const key = process.env.ADMIN_KEY;
  if (finish && !key)
    faults.push("ADMIN_KEY is not set: the key of an operator, who seals the passwords of carriers anew");
  failFor(faults, "rotate");
  const { changeServed, finishServed } = await import("./lib/serve/change-secret.mjs");
  await (finish ? finishServed({ data, url, key, now, say }) : changeServed({ data, say }));
}

/** A package has nothing of a deployment. */
async function rotateDeployed() {
  const { rotate, rotateArguments } = await import("./lib/deploy/rotate.mjs");
  await rotate({ ...rotateArguments(args), print: console.log, pause: () => sleep(5_000) });
}
