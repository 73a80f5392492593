import { existsSync, writeFileSync } from "node:fs";
import { Failure } from "./command.mjs";

const flag = "--key-file";

/**
 * How an operator gets a new key: on a terminal, or in the file that `--key-file PATH` names. Elsewhere it would stay, in the log of a
 * pipeline for example. `rest` are the other arguments. `ensure` fails before a key is made that nobody could be given; `give` gives it.
 */
export function keyHandover(args, { isTerminal = Boolean(process.stdout.isTTY), print = printed } = {}) {
  const words = args.flatMap((word) => (word.startsWith(`${flag}=`) ? [flag, word.slice(flag.length + 1)] : [word]));
  const at = words.indexOf(flag);
  const file = at < 0 ? undefined : words[at + 1];
  if (at >= 0 && (!file || file.startsWith("-"))) throw new Failure(`${flag} needs the path of a new file.`);
  const rest = at < 0 ? words : words.toSpliced(at, 2);
  const ensure = () => {
    if (!file && !isTerminal)
      throw new Failure(
        "an operator key is shown on a terminal only, and this is none. " +
          `\`${flag} PATH\` writes it into a new file that only you may read.`,
      );
    if (file && existsSync(file)) throw new Failure(`${file} is there already. Name a new file for the operator key.`);
  };
  const give = (key) => (file ? write(file, key) : print(key));
  return { rest, ensure, give };
}

/** As it is, whatever form the log has. */
const printed = (key) => process.stdout.write(`${key}\n`);

function write(file, key) {
  try {
    writeFileSync(file, `${key}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    throw new Failure(`the key could not be written into ${file}: ${error.message}`);
  }
}
