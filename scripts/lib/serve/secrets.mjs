// The secret of a folder: what is sealed with it can be opened with no other, so it is made once.
import { existsSync, statSync } from "node:fs";
import { Failure } from "../base/command.mjs";
import { oldSecretName, secretName } from "../deploy/secret.mjs";
import { newSecret, secretFile } from "../deploy/secret-file.mjs";

/** Whose secret the file has, as \`npm run deploy -- --secret-file\` would write it for a service of this name. */
const worker = "peyk";

/** The secrets of the worker. Makes the file before there are data, and fails if others may read it. */
export function secretsOf({ dir, secret: path, state }) {
  const file = secretFile(path, worker);
  if (!existsSync(path)) {
    if (existsSync(state))
      throw new Failure(
        `${path} is missing, and the data in ${dir} are sealed by that secret. Put your copy of the file there; without it, the ` +
          "passwords of carriers and the secrets of webhooks can't be opened.",
      );
    file.write({ current: newSecret() });
  }
  if ((statSync(path).mode & 0o077) !== 0)
    throw new Failure(`others may read ${path}. Run \`chmod 600 ${path}\`, and change the secret if somebody has.`);
  const { current, old } = file.read();
  return { [secretName]: current, ...(old && { [oldSecretName]: old }) };
}
