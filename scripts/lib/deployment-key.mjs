// An operator key for a deployment, beside the one that `npm run deploy` has shown.
import { cloudflare } from "./cloudflare.mjs";
import { environments, readDeployment } from "./deployment.mjs";
import { runWrangler } from "./exec.mjs";
import { Failure } from "./fail.mjs";
import { operatorEntry } from "./key.mjs";

/** Puts an operator's key into the KV of a deployment, and returns the key's id. */
export async function putDeployedKey(environment, key, { run = runWrangler, dir } = {}) {
  if (!environments.includes(environment))
    throw new Failure(`there are the environments ${environments.join(" and ")}`);
  const { kvNamespace, account, file } = readDeployment(environment, { dir });
  if (!kvNamespace) throw new Failure(`${file} names no KV namespace: \`npm run deploy -- ${environment}\` finds it.`);
  const { name, id, value } = operatorEntry(key);
  const remote = cloudflare(run);
  remote.use(account);
  await remote.putKey(kvNamespace, name, value);
  return id;
}
