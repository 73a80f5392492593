// The secret of a service, as its first deploy sets it: made once, because what is sealed with it can be opened with no other.
// Nobody sees it. The operator may have a copy in a file, or bring their own.
import { Failure } from "../base/command.mjs";
import { proofKeyOf } from "./proof-key.mjs";
import { checkedSecret, newSecret } from "./secret-file.mjs";

export const secretName = "SECRET_KEY";
export const oldSecretName = "SECRET_KEY_OLD";

const rotateCommand = (environment, flags) => `npm run rotate -- ${environment} ${flags}--secret-file PATH`;

/** Sets the secret, if the worker has none. The file has it before the worker does, so a deploy that died is finished with it. */
export async function ensureSecret({ deployment, remote, act, say, env, copy }) {
  if (await hasSecret({ deployment, remote })) return;
  const value = givenSecret({ env, copy }) ?? newSecret();
  const hasCopy = Boolean(copy ?? ownSecret(env));
  if (copy && !copy.read()) {
    copy.write({ current: value });
    say(
      `the secret ${secretName} stands in ${copy.path}, which only you may read. Keep a copy where your passwords are.`,
    );
  }
  deployment.keep({ secretHasCopy: hasCopy });
  if (!hasCopy) warn(say, deployment.environment);
  await act(`set the secret ${secretName}`, () => remote.putSecret(deployment.name, secretName, value));
}

/** What a deploy would do about it. */
export async function wouldEnsureSecret({ deployment, remote, act, say, env, copy }) {
  if (await hasSecret({ deployment, remote })) {
    if (!copy && deployment.noted.secretHasCopy === false) warn(say, deployment.environment);
    return;
  }
  givenSecret({ env, copy });
  if (copy)
    return act(`set the secret ${secretName}, and ${copy.read() ? "take it from" : "write it into"} ${copy.path}`);
  if (ownSecret(env)) return act(`set the secret ${secretName} to the value of the environment`);
  act(`make and set the secret ${secretName}`);
  warn(say, deployment.environment);
}

/** Says at the end of a deploy what is not right with the copy. */
export async function checkCopy({ deployment, check, say, copy }, baseUrl) {
  const kept = copy?.read();
  if (kept && (await isCopy(kept, check, baseUrl))) return deployment.keep({ secretHasCopy: true });
  if (kept) return say(`${copy.path} has ANOTHER secret than the service. It is no copy of it: find the right one.`);
  if (copy)
    return say(
      `${copy.path} was not written: the service has its secret already, and Cloudflare shows it to nobody. If you have no copy ` +
        `of it, \`${rotateCommand(deployment.environment, "--lost ")}\` makes a new one; it says before what that loses.`,
    );
  if (deployment.noted.secretHasCopy === false) warn(say, deployment.environment);
}

/** In the middle of a change, the service may work by the old one. */
async function isCopy({ current, old }, check, baseUrl) {
  const [published] = await check.proofKeys(baseUrl);
  return [current, old].some((secret) => secret && proofKeyOf(secret) === published);
}

async function hasSecret({ deployment, remote }) {
  return (await remote.secrets(deployment.name)).includes(secretName);
}

/** The secret that the operator has brought: in the file, in the environment, or the same in both. */
function givenSecret({ env, copy }) {
  const [kept, own] = [copy?.read()?.current, ownSecret(env)];
  if (kept && own && kept !== own)
    throw new Failure(`${copy.path} has another secret than ${secretName} in the environment. Unset one of them.`);
  return kept ?? own;
}

function ownSecret(env) {
  return env[secretName] ? checkedSecret(env[secretName], `${secretName} in the environment`) : undefined;
}

function warn(say, environment) {
  for (const line of [
    `ONLY CLOUDFLARE HAS THE SECRET ${secretName}, and shows it to nobody. Without a copy of it,`,
    "  - it can't be changed without setting every carrier's password and every webhook's secret anew;",
    "  - the service can't be restored in another account.",
    "  As long as no carrier has a password and nobody has a webhook,",
    `  \`${rotateCommand(environment, "--lost ")}\` makes a new one with a copy, and loses nothing.`,
  ])
    say(line);
}
