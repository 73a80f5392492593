import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { say, wrangler } from "../base/command.mjs";
import { newKey, operatorEntry, writeSecret } from "../base/keys.mjs";
import { inRoot } from "../base/paths.mjs";

/** Brings a state directory up to date, so that a server can start on it. */
export async function prepareState(stateDir) {
  mkdirSync(stateDir, { recursive: true });
  await migrate(stateDir);
  await operatorKey(stateDir);
  secretKey(stateDir);
}

/**
 * Applies the migrations. Only wrangler knows which ones are applied, and it takes seconds to check. So wrangler runs
 * only if the migration files have changed since the last run.
 */
async function migrate(stateDir) {
  const stampFile = join(stateDir, "migrations.sha256");
  const hash = migrationsHash();
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === hash) return;
  say("applying the database's migrations …");
  await wrangler(["d1", "migrations", "apply", "DB", "--local", "--persist-to", stateDir]);
  writeFileSync(stampFile, hash);
}

function migrationsHash() {
  const hash = createHash("sha256");
  for (const name of readdirSync(inRoot("migrations")).sort())
    hash.update(name).update(readFileSync(inRoot("migrations", name)));
  return hash.digest("hex");
}

const keyFile = (stateDir) => join(stateDir, "operator-key");

/** Returns the operator key of a local state. KV gets the key before the file does, so a key in the file works. */
export async function operatorKey(stateDir) {
  if (existsSync(keyFile(stateDir))) return readFileSync(keyFile(stateDir), "utf8");
  say("making an operator key …");
  const key = newKey();
  await putOperatorKey(key, stateDir);
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
export async function putOperatorKey(key, stateDir) {
  const { name, id, value } = operatorEntry(key);
  await wrangler(["kv", "key", "put", "--binding", "KEYS", name, value, "--local", "--persist-to", stateDir]);
  return id;
}
