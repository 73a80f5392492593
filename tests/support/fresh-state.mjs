import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "../../scripts/lib/base/lock.mjs";
import { hashOf, inRoot, root } from "../../scripts/lib/base/paths.mjs";
import { prepareState } from "../../scripts/lib/serve/state.mjs";

/** What a fresh state is made of: the tables, the operator key, the ids of the stores, and the programs that write them. */
const inputs = [
  "migrations",
  "scripts/lib/serve/state.mjs",
  "scripts/lib/base/keys.mjs",
  "wrangler.toml",
  "package-lock.json",
];
const kept = inRoot("build", "fresh-state");

/**
 * Fills a folder with a state on which no server has run. Wrangler takes seconds to make one, so it is made once a day, and
 * each server of the tests gets a copy.
 */
export async function freshState(stateDir) {
  const today = new Date().toISOString().slice(0, 10);
  const made = join(kept, hashOf(inputs, today));
  if (!existsSync(made)) {
    const name = `fresh-state-${createHash("sha256").update(root).digest("hex").slice(0, 12)}`;
    await withLock(name, () => existsSync(made) || make(made));
  }
  cpSync(made, stateDir, { recursive: true });
}

/** It comes to its place as a whole. An older one is not copied any more. */
async function make(made) {
  mkdirSync(kept, { recursive: true });
  const older = readdirSync(kept);
  const unfinished = `${made}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  await prepareState(unfinished);
  renameSync(unfinished, made);
  for (const name of older) rmSync(join(kept, name), { recursive: true, force: true });
}
