import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { run, say } from "./lib/base/command.mjs";
import { inRoot } from "./lib/base/paths.mjs";
import { sbom } from "./lib/supply/sbom.mjs";

await bootstrap();
await run(() => {
  const file = resolve(process.argv[2] ?? inRoot("build", "sbom.cdx.json"));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(sbom(), null, 2)}\n`);
  say(`the software bill of materials is in ${file}`);
});
