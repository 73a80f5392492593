import { readFileSync } from "node:fs";
import { Failure } from "./fail.mjs";
import { inRoot } from "./paths.mjs";

/**
 * Fails if wrangler.toml still has placeholders. Each deployer has their own ids of the remote KV namespace and
 * database.
 */
export function ensureDeployable() {
  const left = readFileSync(inRoot("wrangler.toml"), "utf8").match(/replace-with-[a-z0-9-]+/g);
  if (!left) return;
  throw new Failure(
    `wrangler.toml still has placeholders: ${left.join(", ")}.\n` +
      "`npx wrangler kv namespace create KEYS` and `npx wrangler d1 create peyk` print the ids to put in their place.",
  );
}
