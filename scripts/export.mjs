// `npm run export -- --from URL --to FILE` writes a whole service that runs into one file. docs/moving-a-service.md says how.
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { run, say } from "./lib/base/command.mjs";
import { checkWords, failFor, parsed } from "./lib/base/options.mjs";
import { called } from "./lib/base/packed.mjs";

const help = `${called("export")} --from URL --to FILE [options]

Writes all that a service has into one file, with which \`import\` makes the same service elsewhere. From then on the service is
frozen: it answers 503 and sends nothing, so that nothing leaves twice.

  --from URL   the service: one of \`serve\`, or one at Cloudflare
  --to FILE    the file, which must not be there yet
  --dry-run    changes nothing, and says what there is to move
  --thaw       lets a service go on that was exported. Its file must then be imported nowhere
  --help       prints this

The environment has the key of an operator (PEYK_API_KEY) with the scope "admin" or "admin:transfer".`;
const known = {
  from: { type: "string" },
  to: { type: "string" },
  "dry-run": { type: "boolean" },
  thaw: { type: "boolean" },
};

const args = process.argv.slice(2);
await checkWords(args, { command: "export", help, known });
await bootstrap();
await run(async () => {
  const { addressOf, keyOf } = await import("./lib/transfer/options.mjs");
  const { exportService, tellExport, thawService } = await import("./lib/transfer/export.mjs");
  const words = parsed(args, known, "export");
  const faults = [];
  const options = { from: addressOf(words.from, "from", faults), key: keyOf(process.env, faults), to: words.to, say };
  if (words.thaw && words["dry-run"]) faults.push("--thaw has no dry run");
  if (!words.to && !words.thaw && !words["dry-run"]) faults.push("--to is missing");
  failFor(faults, "export");
  if (words.thaw) await thawService(options);
  else if (words["dry-run"]) await tellExport(options);
  else await exportService(options);
});
