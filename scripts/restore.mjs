// `npm run restore -- --from FILE --data DIR` makes the data of a service anew of a backup. docs/backup.md says how.
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { run, say } from "./lib/base/command.mjs";
import { checkWords, failFor, parsed } from "./lib/base/options.mjs";
import { called } from "./lib/base/packed.mjs";

const help = `${called("restore")} --from FILE --data DIR

Puts the data of a backup into a new folder. The whole archive is checked before anything is written. No message of it leaves twice:
docs/backup.md says what becomes of those that were on their way.

  --from FILE   the archive that \`backup\` has made
  --data DIR    the new folder of the data, which must be empty or not there yet
  --help        print this`;
const known = { from: { type: "string" }, data: { type: "string" } };

const args = process.argv.slice(2);
await checkWords(args, { command: "restore", help, known });
await bootstrap();
await run(async () => {
  const options = parsed(args, known, "restore");
  failFor(
    Object.keys(known)
      .filter((name) => !options[name])
      .map((name) => `--${name} is missing`),
    "restore",
  );
  // That Node 22 calls its SQLite experimental is nothing to whoever runs this: the version is pinned.
  process.removeAllListeners("warning");
  const { restore } = await import("./lib/backup/restore.mjs");
  await restore({ ...options, say });
});
