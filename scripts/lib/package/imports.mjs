// What the commands of a package import: esbuild follows them from file to file, and tells which it has met.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exec } from "../base/command.mjs";
import { npmBin } from "../base/paths.mjs";

/** Where nobody comes in a package. */
const notFollowed = [
  // Miniflare loads it for pictures, which Peyk does not have.
  "sharp",
  // It reads wrangler.toml. What that says is in the package.
  "wrangler",
  // They build, deploy, and serve in development.
  "./site/lib/build.mjs",
  "./scripts/lib/build/console.mjs",
  "./scripts/lib/deploy/deploy.mjs",
  "./scripts/lib/deploy/rotate.mjs",
  "./scripts/lib/start/state.mjs",
];

/** The files that the commands import, below the root: our own ones and those of npm packages. */
export async function imported() {
  const dir = mkdtempSync(join(tmpdir(), "peyk-imports-"));
  const told = join(dir, "meta.json");
  const options = ["--bundle", "--platform=node", "--format=esm", "--preserve-symlinks", "--log-level=error"];
  const externals = notFollowed.map((name) => `--external:${name}`);
  try {
    await exec(npmBin("esbuild"), [
      "scripts/peyk.mjs",
      ...options,
      ...externals,
      `--outfile=${join(dir, "peyk.mjs")}`,
      `--metafile=${told}`,
    ]);
    return Object.keys(JSON.parse(readFileSync(told, "utf8")).inputs);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The folder of the npm package in which a file stands, such as `node_modules/a/node_modules/@b/c`; nothing: the file is our own. */
export const folderOf = (path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
