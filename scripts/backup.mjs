// `npm run backup -- --data DIR --to FILE` copies the data of a service on this machine, while it serves. docs/backup.md says how.
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { run, say } from "./lib/base/command.mjs";
import { checkWords, failFor, parsed } from "./lib/base/options.mjs";
import { called } from "./lib/base/packed.mjs";

const help = `${called("backup")} --data DIR --to FILE

Writes all data of a service on this machine into one archive, while the service serves. The archive has the secret, so only you may
read it. docs/backup.md says what to do with it.

  --data DIR   the folder of the data
  --to FILE    the archive, which must not be there yet
  --help       print this`;
const known = { data: { type: "string" }, to: { type: "string" } };

const args = process.argv.slice(2);
await checkWords(args, { command: "backup", help, known });
await bootstrap();
await run(async () => {
  const options = parsed(args, known, "backup");
  failFor(
    Object.keys(known)
      .filter((name) => !options[name])
      .map((name) => `--${name} is missing`),
    "backup",
  );
  // That Node 22 calls its SQLite experimental is nothing to whoever runs this: the version is pinned.
  process.removeAllListeners("warning");
  const { backup } = await import("./lib/backup/backup.mjs");
  await backup({ ...options, say });
});
