// `node scripts/released.mjs 0.2.0` notes the migrations of today as those of a release, from when on they never change. Without a
// version it takes that of package.json.
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { run, say } from "./lib/base/command.mjs";
import { inRoot, root } from "./lib/base/paths.mjs";
import { noteReleased } from "./lib/release/released.mjs";

await run(() => {
  const { version } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
  say(relative(root, noteReleased(process.argv[2] ?? version)));
});
