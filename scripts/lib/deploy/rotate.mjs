// Changes the secret of a service. The file of the operator has both secrets before the worker has the new one, so a command that
// died anywhere is finished by the same command, and no second secret is made.
import { call } from "../base/client.mjs";
import { Failure, runWrangler } from "../base/command.mjs";
import { chooseAccount } from "./account.mjs";
import { change } from "./change-secret.mjs";
import { checker } from "./check.mjs";
import { cloudflare } from "./cloudflare.mjs";
import { environments, readDeployment } from "./deployment.mjs";
import { finish } from "./finish-change.mjs";
import { optionIn, wordsIn } from "./options.mjs";
import { replaceLost } from "./replace-lost.mjs";
import { oldSecretName, secretName } from "./secret.mjs";
import { secretFile } from "./secret-file.mjs";

const ways = { change, finish, lost: replaceLost };

/**
 * Changes the secret of an environment (`way` is `change`), removes the old one (`finish`), or replaces one of which there is no
 * copy (`lost`). `secretPath` is the file of the operator, `clock` tells the time, and the others are those of a deploy.
 */
export async function rotate({
  environment,
  secretPath,
  way,
  now = false,
  yes = false,
  run = runWrangler,
  print,
  request = call,
  pause,
  dir,
  env = process.env,
  clock = Date.now,
}) {
  const deployment = readDeployment(environment, { dir });
  const remote = cloudflare(run);
  const say = (text) => print(`peyk: ${text}`);
  const copy = secretFile(secretPath, deployment.name);
  copy.read();
  const baseUrl = deployment.vars.PUBLIC_URL?.replace(/\/$/, "") ?? deployment.noted.address;
  if (!baseUrl)
    throw new Failure(
      `${deployment.file} has no address of the service: \`npm run deploy -- ${environment}\` notes it. Run that first.`,
    );
  const check = checker({ request, pause });
  const ask = env.ADMIN_KEY
    ? (method, path, body) => request(baseUrl, method, `/admin${path}`, { key: env.ADMIN_KEY, body })
    : undefined;
  const job = { deployment, remote, say, copy, baseUrl, check, ask, clock, now, yes };
  await chooseAccount({ ...job, env });
  const names = await remote.secrets(deployment.name);
  if (!names.includes(secretName))
    throw new Failure(
      `the worker ${deployment.name} has no ${secretName}: \`npm run deploy -- ${environment} --secret-file PATH\` makes it.`,
    );
  await ways[way]({ ...job, hasOld: names.includes(oldSecretName) });
}

export function rotateArguments(args) {
  const usage = `npm run rotate -- [${environments.join("|")}] --secret-file PATH [--lost [--yes] | --finish [--now]]`;
  const { value: secretPath, rest } = optionIn(args, "--secret-file", usage);
  const { environment, flags } = wordsIn(rest, ["--lost", "--yes", "--finish", "--now"], usage);
  const [lost, yes, ending, now] = ["--lost", "--yes", "--finish", "--now"].map((flag) => flags.includes(flag));
  if (!secretPath || (lost && ending) || (yes && !lost) || (now && !ending)) throw new Failure(usage);
  return { environment, secretPath, way: lost ? "lost" : ending ? "finish" : "change", now, yes };
}
