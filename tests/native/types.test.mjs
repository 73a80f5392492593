// The programs of the guides and of the TypeScript library's README, as a strict compiler of TypeScript sees them.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { environment } from "../../scripts/lib/base/command.mjs";
import { npmBin } from "../../scripts/lib/base/paths.mjs";
import { guides } from "../../site/lib/build.mjs";
import { programsOfReadme, withProgram } from "../support/client-libraries.mjs";
import { blocksOf, isRun } from "../support/guides.mjs";

/** What a program has of Node.js, in place of its types. */
const node = `
  declare const process: { env: Record<string, string | undefined> };
  declare module "node:crypto" { export function randomInt(above: number): number; }`;
const options = ["--strict", "--noEmit", "--skipLibCheck", "--target", "es2022", "--module", "nodenext"];

/** The programs of a guide: its blocks that are run one after another, and its receivers. */
function programsOf(guide) {
  const blocks = blocksOf(guide, "en").filter(({ language }) => ["js", "ts"].includes(language));
  const joined = blocks.filter(isRun).map(({ code }) => code);
  const receivers = blocks.filter(({ flag }) => ["receiver", "framework"].includes(flag)).map(({ code }) => code);
  return [...(joined.length > 0 ? [joined.join("\n")] : []), ...receivers];
}

const programs = new Map([
  ...programsOfReadme("typescript").map((code, index) => [`readme-${index}`, code]),
  ...guides.flatMap((name) => programsOf(name).map((code, index) => [`${name}-${index}`, code])),
]);

test("the programs of the README and of the guides compile strictly", () =>
  withProgram("typescript", "", (file, dir) => {
    writeFileSync(join(dir, "node.d.ts"), node);
    const files = [...programs].map(([name, code]) => {
      writeFileSync(join(dirname(file), `${name}.mts`), code);
      return `${name}.mts`;
    });
    assert.ok(files.length > 10, `${files}`);
    const args = [...options, "--lib", "es2022,dom", "node.d.ts", ...files];
    const { status, stdout } = spawnSync(npmBin("tsc"), args, { cwd: dir, encoding: "utf8", env: environment() });
    assert.equal(status, 0, stdout);
  }));
