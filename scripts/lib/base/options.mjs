// What the commands that ask a service have in common: how they read their options, and where a service serves by default.
import { parseArgs } from "node:util";
import { Failure, run } from "./command.mjs";
import { called } from "./packed.mjs";

/** Where `npm start` serves, which knows `PORT` too. */
export const local = `http://127.0.0.1:${process.env.PORT || "8787"}`;

const hint = (command) => `\n      \`${called(command)} --help\` shows the options`;

/** The values of `known` options. */
export const parsed = (args, known, command) => read(args, known, command, 0).values;

/**
 * Looks at the words of a command before anything is installed or done. Prints `help` and ends if they ask for it, and fails for an
 * option that is not in `known` and for more than `most` other words.
 */
export const checkWords = (args, { command, help, known = {}, most = 0 }) =>
  run(() => {
    const { help: asked } = read(args, { ...known, help: { type: "boolean" } }, command, most).values;
    if (!asked) return;
    // The answer to a question, whatever form the log has.
    process.stdout.write(`${help}\n`);
    process.exit(0);
  });

function read(args, known, command, most) {
  try {
    const found = parseArgs({ args, options: known, allowPositionals: most > 0 });
    const tooMany = found.positionals[most];
    if (tooMany !== undefined) throw new Error(`"${tooMany}" is one word too many`);
    return found;
  } catch (error) {
    // Node's own words name the option; what follows the first sentence is about positional arguments.
    throw new Failure(error.message.split(". To specify")[0].replace(/\n/g, " ") + hint(command));
  }
}

/** Fails with all that is wrong with the options. */
export function failFor(faults, command) {
  if (faults.length > 0) throw new Failure(faults.join("\n      ") + hint(command));
}

/** The address of a service, without a slash at its end; `null`: the text is none. */
export function serviceAddress(text) {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isGood = url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash;
  return isGood ? url.href.replace(/\/$/, "") : null;
}
