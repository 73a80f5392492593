// The secret of a folder: what is sealed with it can be opened with no other, so it is made once.
import { existsSync, statSync } from "node:fs";
import { Failure } from "../base/command.mjs";
import { called } from "../base/packed.mjs";
import { shellWord } from "../base/shell-word.mjs";
import { oldSecretName, secretName } from "../deploy/secret.mjs";
import { newSecret, secretFile } from "../deploy/secret-file.mjs";

/** Whose secret the file has, as \`npm run deploy -- --secret-file\` would write it for a service of this name. */
const worker = "peyk";

/** Fails if the environment has a secret: nobody would use it, and a new folder would get another one. */
export function ensureSecretInFile({ secret: path }, env = process.env) {
  const found = [secretName, oldSecretName].find((name) => env[name] !== undefined);
  if (found)
    throw new Failure(
      `the environment has ${found}, and this service takes its secret from ${path} alone. Put the line ${found}=… into that file, which ` +
        `only you may read, and unset ${found}.`,
    );
}

export const fileOf = ({ secret }) => secretFile(secret, worker);

/**
 * The secrets of the worker. Makes the file before there are data, and fails if others may read it. The first start with a new secret
 * notes when that was.
 */
export function secretsOf(places, now = Date.now()) {
  const { dir, secret: path, state } = places;
  const file = fileOf(places);
  if (!existsSync(path)) {
    if (existsSync(state))
      throw new Failure(
        `${path} is missing, and the data in ${dir} are sealed by that secret. Put your copy of the file there; without it, the ` +
          "passwords of carriers and the secrets of webhooks can't be opened.",
      );
    file.write({ current: newSecret() });
  }
  if ((statSync(path).mode & 0o077) !== 0)
    throw new Failure(
      `others may read ${path}. Run \`chmod 600 ${shellWord(path)}\`, and change the secret if somebody has: \`${called("rotate")} --data ${shellWord(dir)}\`.`,
    );
  const kept = file.read();
  if (kept.old && !kept.changedAt) file.write({ ...kept, changedAt: new Date(now).toISOString() });
  const { current, old } = kept;
  return { [secretName]: current, ...(old && { [oldSecretName]: old }) };
}
