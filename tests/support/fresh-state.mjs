import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "../../scripts/lib/base/lock.mjs";
import { hashOf, inRoot, root } from "../../scripts/lib/base/paths.mjs";
import { outputs } from "../../scripts/lib/build/wasm.mjs";
import { makeHistory } from "../../scripts/lib/history/history.mjs";
import { prepareState } from "../../scripts/lib/start/state.mjs";

/** What a fresh state is made of: the tables, the operator key, the ids of the stores, and the programs that write them. */
const inputs = [
  "migrations",
  "scripts/lib/start/state.mjs",
  "scripts/lib/base/keys.mjs",
  "wrangler.toml",
  "package-lock.json",
];
const historyInputs = [
  ...inputs,
  "scripts/lib/history",
  "scripts/lib/start",
  "scripts/lib/serve/demo.mjs",
  ...outputs.map((file) => `build/${file}`),
];

/**
 * Fills a folder with a state on which no server has run. Wrangler takes seconds to make one, so it is made once a day, and
 * each server of the tests gets a copy.
 */
export const freshState = (stateDir) => copyOf("fresh-state", hashOf(inputs, span(10)), prepareState, stateDir);

/** The same with the demo's thirty days, which the service takes a minute to make: they are made once an hour. */
export const historyState = (stateDir) =>
  copyOf("history-state", hashOf(historyInputs, span(13)), makeHistory, stateDir);

/** The beginning of the time of day: 10 characters are the day, 13 the hour. */
const span = (length) => new Date().toISOString().slice(0, length);

async function copyOf(name, hash, make, stateDir) {
  const kept = inRoot("build", name);
  const made = join(kept, hash);
  if (!existsSync(made)) {
    const lock = `${name}-${createHash("sha256").update(root).digest("hex").slice(0, 12)}`;
    await withLock(lock, () => existsSync(made) || keep(kept, made, make));
  }
  cpSync(made, stateDir, { recursive: true });
}

/** It comes to its place as a whole. An older one is not copied any more. */
async function keep(kept, made, make) {
  mkdirSync(kept, { recursive: true });
  const older = readdirSync(kept);
  const unfinished = `${made}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  await make(unfinished);
  renameSync(unfinished, made);
  for (const name of older) rmSync(join(kept, name), { recursive: true, force: true });
}
