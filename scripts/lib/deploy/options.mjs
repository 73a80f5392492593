// The words behind a command that works on a deployment.
import { Failure } from "../base/command.mjs";
import { environments } from "./deployment.mjs";

/** The value behind an option, if it is there, and the other words. */
export function optionIn(args, name, usage) {
  const at = args.indexOf(name);
  if (at < 0) return { value: undefined, rest: args };
  const value = args[at + 1];
  if (!value || value.startsWith("-")) throw new Failure(`${name} needs the path of a file: ${usage}`);
  return { value, rest: args.toSpliced(at, 2) };
}

/** The environment that the words name, and the flags among them. */
export function wordsIn(args, known, usage) {
  const flags = args.filter((arg) => arg.startsWith("-"));
  const names = args.filter((arg) => !arg.startsWith("-"));
  const unknown = flags.find((flag) => !known.includes(flag)) ?? names.find((name) => !environments.includes(name));
  if (unknown || names.length > 1)
    throw new Failure(`${unknown ? `"${unknown}" means nothing here` : "one environment at a time"}: ${usage}`);
  return { environment: names[0] ?? environments[0], flags };
}
