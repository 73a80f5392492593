// `npm run import -- --from FILE --to URL` brings a service that was exported into an empty one. docs/moving-a-service.md says how.
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { run, say } from "./lib/base/command.mjs";
import { checkWords, failFor, parsed } from "./lib/base/options.mjs";
import { called } from "./lib/base/packed.mjs";

const help = `${called("import")} --from FILE --to URL [options]

Brings a file of \`export\` into an empty service of the same version and with the same SECRET_KEY. Without --go it changes
nothing, and says what it would do. At the end, the rows of both are compared. If that fails, the new service stays frozen.

  --from FILE   the file
  --to URL      the service: one of \`serve\`, or one at Cloudflare
  --go          does it. If it breaks off, it may be run again
  --thaw        only lets the new service go on: for an import that broke off after its sums had agreed
  --help        prints this

The environment has the key of an operator of the new service (PEYK_API_KEY) with the scope "admin" or "admin:transfer".`;
const known = {
  from: { type: "string" },
  to: { type: "string" },
  go: { type: "boolean", default: false },
  thaw: { type: "boolean", default: false },
};

const args = process.argv.slice(2);
await checkWords(args, { command: "import", help, known });
await bootstrap();
await run(async () => {
  const { addressOf, keyOf } = await import("./lib/transfer/options.mjs");
  const { importService, thawImported } = await import("./lib/transfer/import.mjs");
  const { from, to, go, thaw } = parsed(args, known, "import");
  const faults = [];
  if (!from) faults.push("--from is missing");
  const options = { from, to: addressOf(to, "to", faults), key: keyOf(process.env, faults), go, say };
  failFor(faults, "import");
  if (thaw) await thawImported(options);
  else await importService(options);
});
