// In a clean clone, a command has no packages until `bootstrap` has installed them.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { test } from "node:test";
import { inRoot } from "../../scripts/lib/base/paths.mjs";

/** What a file imports before it runs. */
const importsOf = (file) =>
  [...readFileSync(file, "utf8").matchAll(/^(?:import|export)\s(?:[^;]*?\sfrom\s)?"([^"]+)";$/gms)].map(
    ([, name]) => name,
  );

/** The packages that a file needs before it runs, each with the file that names it. */
function packagesOf(file, seen = new Set()) {
  if (seen.has(file)) return [];
  seen.add(file);
  return importsOf(file).flatMap((name) => {
    if (name.startsWith("node:")) return [];
    return name.startsWith(".") ? packagesOf(resolve(dirname(file), name), seen) : [`${file}: ${name}`];
  });
}

test("no command needs a package before it has installed the packages", () => {
  const commands = readdirSync(inRoot("scripts"))
    .filter((name) => name.endsWith(".mjs"))
    .map((name) => inRoot("scripts", name))
    .filter((file) => importsOf(file).includes("./lib/base/bootstrap.mjs"));
  assert.ok(commands.length > 10, `${commands}`);
  for (const command of commands) assert.deepEqual(packagesOf(command), [], command);
});
