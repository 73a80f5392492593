import { help, readArguments } from "./arguments.mjs";
import { keySteps, readKeys } from "./keys.mjs";
import { patternSteps } from "./patterns.mjs";
import { movePhonebook } from "./phonebook.mjs";
import { Service } from "./service.mjs";
import { clean, walk } from "./steps.mjs";
import { readTemplates } from "./templates.mjs";

/** Does what the command line says. Returns the exit status: 0 if all lines are good. */
export async function move(args, env, { signal, print = console.log, ...ports } = {}) {
  const options = readArguments(args, env);
  if (options.help) {
    print(help);
    return 0;
  }
  const service = new Service({ ...options, signal, print, ...ports });
  const isGood = await moverOf(options.what)(service, { ...options, print });
  if (!options.go) print("nothing was changed; --go does it");
  return isGood ? 0 : 1;
}

const moverOf = (what) => ({ phonebook: movePhonebook, keys: moveKeys })[what] ?? moveTemplates;

async function moveTemplates(service, { what, file, go, print }) {
  const { patterns, bad, unused } = await readTemplates(file, what);
  tellUnused(unused, print);
  return walk(await patternSteps(service, patterns), bad, { service, go, print, what: "pattern" });
}

async function moveKeys(service, { file, go, print }) {
  const { keys, bad, unused } = await readKeys(file);
  tellUnused(unused, print);
  return walk(keySteps(service, keys), bad, { service, go, print, what: "account" });
}

function tellUnused(titles, print) {
  if (titles.length > 0) print(`columns that are not used: ${titles.map(clean).join(", ")}\n`);
}
