import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure, say, wrangler } from "../base/command.mjs";
import { newKey, operatorEntry, writeSecret } from "../base/keys.mjs";
import { filesUnder, hashOf } from "../base/paths.mjs";

/** Brings a state directory up to date, so that a server can start on it. `madeAt` is when its operator key is made. */
export async function prepareState(stateDir, madeAt = Date.now()) {
  mkdirSync(stateDir, { recursive: true });
  await migrate(stateDir);
  await operatorKey(stateDir, madeAt);
  secretKey(stateDir);
}

/**
 * Applies the migrations. Only wrangler knows which ones are applied, and it takes seconds to check. So wrangler runs
 * only if there are migrations that were not there at the last run. It never applies one again: if one is another now, as one
 * that was not released may be, the state is of no use any more.
 */
async function migrate(stateDir) {
  const stampFile = join(stateDir, "migrations.json");
  const applied = existsSync(stampFile) ? JSON.parse(readFileSync(stampFile, "utf8")) : {};
  const files = Object.fromEntries(filesUnder("migrations").map((file) => [file, hashOf([file])]));
  if (Object.entries(applied).some(([file, hash]) => files[file] !== hash))
    throw new Failure(
      `the local data in ${stateDir} are of another version, whose migrations were other ones. Delete that folder, or set ` +
        "STATE_DIR to another one, and run the same command again: it makes new demo data.",
    );
  if (Object.keys(files).length === Object.keys(applied).length) return;
  say("applying the database's migrations …");
  await wrangler(["d1", "migrations", "apply", "DB", "--local", "--persist-to", stateDir]);
  writeFileSync(stampFile, JSON.stringify(files));
}

const keyFile = (stateDir) => join(stateDir, "operator-key");

/** Returns the operator key of a local state. KV gets the key before the file does, so a key in the file works. */
export async function operatorKey(stateDir, madeAt = Date.now()) {
  if (existsSync(keyFile(stateDir))) return readFileSync(keyFile(stateDir), "utf8");
  say("making an operator key …");
  const key = newKey();
  await putOperatorKey(key, stateDir, madeAt);
  writeSecret(keyFile(stateDir), key);
  return key;
}

/**
 * Returns the Worker secret `SECRET_KEY` of a local state. It is made once: what is sealed with it can be opened with no
 * other.
 */
export function secretKey(stateDir) {
  const file = join(stateDir, "secret-key");
  if (!existsSync(file)) writeSecret(file, randomBytes(32).toString("base64"));
  return readFileSync(file, "utf8");
}

/** Puts an operator's key into the KV of a local state, and returns the key's id. */
export async function putOperatorKey(key, stateDir, madeAt = Date.now()) {
  const { name, id, value } = operatorEntry(key, madeAt);
  await wrangler(["kv", "key", "put", "--binding", "KEYS", name, value, "--local", "--persist-to", stateDir]);
  return id;
}
