// `npm run clients` writes what the client libraries have from openapi.json: types, and a method for each operation. The
// console gets its types.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { run, say } from "./lib/base/command.mjs";
import { inRoot } from "./lib/base/paths.mjs";
import { madeFiles } from "./lib/clients/files.mjs";

await run(async () => {
  for (const [path, text] of Object.entries(await madeFiles())) {
    mkdirSync(dirname(inRoot(path)), { recursive: true });
    writeFileSync(inRoot(path), text);
    say(path);
  }
});
