// `peyk COMMAND`, as a package has it: `bin/peyk` runs this.
import { Failure, run } from "./lib/base/command.mjs";
import { peykVersion } from "./lib/base/version.mjs";

const help = `peyk COMMAND [options]

Runs Peyk on this machine. \`peyk COMMAND --help\` shows the options of a command.

  serve          serves a folder of data
  backup         copies the data of a service into an archive, while it serves
  restore        makes a new folder of data from an archive
  operator-key   makes one more operator key for a folder of data
  rotate         changes the secret of a folder of data
  export         writes a whole service that runs into one file, to move it
  import         brings such a file into an empty service
  --version      prints the version
  --help         prints this`;

const commands = {
  serve: () => import("./serve.mjs"),
  backup: () => import("./backup.mjs"),
  restore: () => import("./restore.mjs"),
  "operator-key": () => import("./operator-key.mjs"),
  rotate: () => import("./rotate.mjs"),
  export: () => import("./export.mjs"),
  import: () => import("./import.mjs"),
};
const answers = {
  "--help": () => help,
  "--version": peykVersion,
};

await run(async () => {
  const word = process.argv[2];
  if (Object.hasOwn(answers, word ?? "")) return console.log(answers[word]());
  if (!Object.hasOwn(commands, word ?? ""))
    throw new Failure(
      `${word === undefined ? "name a command" : `there is no command "${word}"`}.\n      \`peyk --help\` shows them`,
    );
  // Each command reads the words after its own.
  process.argv.splice(2, 1);
  await commands[word]();
});
