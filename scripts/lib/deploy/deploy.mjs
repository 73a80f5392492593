// Deploys from nothing. Each step first looks whether it is done, so a deploy that died anywhere is finished by the next one,
// and nothing is made twice.
import { call } from "../base/client.mjs";
import { Failure, runWrangler } from "../base/command.mjs";
import { newKey, operatorEntry, operatorMark } from "../base/keys.mjs";
import { addressOf, chooseAccount } from "./account.mjs";
import { checker } from "./check.mjs";
import { cloudflare } from "./cloudflare.mjs";
import { environments, readDeployment, writeConfig } from "./deployment.mjs";
import { ensureDirectory } from "./directory.mjs";
import { optionIn, wordsIn } from "./options.mjs";
import { checkCopy, ensureSecret, wouldEnsureSecret } from "./secret.mjs";
import { secretFile } from "./secret-file.mjs";

const unknownId = "not-yet-made";

/**
 * Deploys one environment, or says what it would do. `secretPath` is where the operator keeps a copy of the secret, if they do.
 * `handover` gives the operator the first key. `run` runs wrangler, `build` builds the worker, `print` shows a line, `request`
 * calls the service, `pause` waits between two looks at it, `dir` has the files of deployments, `into` gets the configuration, `env`
 * are the environment variables.
 */
export async function deploy({
  environment,
  dryRun,
  secretPath,
  handover,
  run,
  build,
  print,
  request = call,
  pause,
  dir,
  into,
  env = process.env,
}) {
  const deployment = readDeployment(environment, { dir, readOnly: dryRun });
  const remote = cloudflare(run);
  const say = (text) => print(`peyk: ${text}`);
  const act = (what, work) => {
    say(dryRun ? `would ${what}` : `${what} …`);
    return dryRun ? undefined : work();
  };
  const copy = secretPath && secretFile(secretPath, deployment.name);
  copy?.read();
  const job = { deployment, remote, say, act, dryRun, handover, env, copy, check: checker({ request, pause }) };

  await chooseAccount(job);
  await build();
  await ensureNamespace(job);
  await ensureDatabase(job);
  const config = await writeConfig(withIds(deployment), into);
  await ensureDirectory(job, config);
  await ensureOwnWorker(job);
  if (dryRun) return wouldDeploy(job, config);
  await act("apply the migrations", () => remote.migrate(config));
  const targets = await act(`deploy the worker ${deployment.name}`, () => remote.deploy(config));
  await ensureSecret(job);
  const baseUrl = addressOf(deployment, targets);
  deployment.keep({ address: baseUrl });
  say(`waiting until ${baseUrl} answers …`);
  await job.check.health(baseUrl);
  await ensureOperator(job, baseUrl);
  await checkSend(job, baseUrl);
  say(`${environment} is deployed at ${baseUrl}`);
  await checkCopy(job, baseUrl);
}

/** A dry run has no ids of what is not there yet. */
const withIds = (deployment) => ({ kvNamespace: unknownId, d1Database: unknownId, ...deployment });

async function ensureNamespace({ deployment, remote, act, dryRun }) {
  const title = `${deployment.name}-keys`;
  const find = async () => (await remote.namespaces()).map(({ id, title }) => ({ id, name: title }));
  const make = () => remote.createNamespace(title);
  await ensure({ deployment, member: "kvNamespace", what: "KV namespace", name: title, find, make, act, dryRun });
}

async function ensureDatabase({ deployment, remote, act, dryRun }) {
  const find = async () => (await remote.databases()).map(({ uuid, name }) => ({ id: uuid, name }));
  const make = () => remote.createDatabase(deployment.name);
  const name = deployment.name;
  await ensure({ deployment, member: "d1Database", what: "D1 database", name, find, make, act, dryRun });
}

/**
 * Notes the id of a resource, and makes the resource if there is none of its name. A deploy that dies after it has made it
 * finds it by its name.
 */
async function ensure({ deployment, member, what, name, find, make, act, dryRun }) {
  const there = await find();
  const known = deployment[member];
  if (known) {
    if (there.some(({ id }) => id === known)) return;
    throw new Failure(
      `the account has no ${what} ${known}, which ${deployment.file} names. Restore it, or remove "${member}" from the file ` +
        "to begin with an empty one.",
    );
  }
  let found = there.find((entry) => entry.name === name);
  if (!found) {
    await act(`create the ${what} ${name}`, make);
    if (dryRun) return;
    found = (await find()).find((entry) => entry.name === name);
    if (!found)
      throw new Failure(`the ${what} ${name} was created, but is not listed yet. Run the same command again.`);
  }
  deployment.note({ [member]: found.id });
}

/** Refuses to deploy over a worker that has the same name and belongs to something else. */
async function ensureOwnWorker({ deployment, remote }) {
  const { name, kvNamespace, d1Database, file } = deployment;
  const bound = await remote.bindings(name);
  if (bound && ![kvNamespace, d1Database].some((id) => id && bound.includes(id)))
    throw new Failure(
      `the name is taken: the worker ${name} is not bound to this deployment's data. Choose another name: {"name": "…"} in ` +
        `${file}, without the ids there.`,
    );
}

async function wouldDeploy(job, config) {
  const { deployment, remote, act, say } = job;
  say("checking the worker that would be deployed …");
  await remote.checkDeploy(config);
  act("apply the migrations that the database does not have");
  act(`deploy the worker ${deployment.name}`);
  await wouldEnsureSecret(job);
  const marked = deployment.kvNamespace && (await remote.keys(deployment.kvNamespace, operatorMark)).length > 0;
  if (!marked) act("make the first operator key and show it once");
  act("check the service with GET /health and a message of a test key");
}

/**
 * Makes the first operator key, and with it the account that checks the deployment. The key is shown after that, because
 * only its holder can make the account. A deploy that dies before has a key that nobody knows; the next one revokes it.
 */
async function ensureOperator({ deployment, remote, check, say, handover }, baseUrl) {
  const { kvNamespace } = deployment;
  if ((await remote.keys(kvNamespace, operatorMark)).length > 0) return;
  if (!deployment.operatorKey?.shown) {
    handover.ensure();
    say("making the first operator key …");
    const lost = deployment.operatorKey?.id;
    const key = newKey();
    const entry = operatorEntry(key);
    deployment.note({ operatorKey: { id: entry.id } });
    await remote.putKey(kvNamespace, entry.name, entry.value);
    await check.accepts(baseUrl, key);
    if (lost) await check.revoke(baseUrl, key, lost);
    await check.admitTestKey(baseUrl, key, deployment.checkKey() ?? deployment.newCheckKey());
    say(`you get the operator key ${entry.id} this once; the service stores it nowhere in the clear.`);
    handover.give(key);
    deployment.note({ operatorKey: { id: entry.id, shown: true } });
  }
  await remote.putKey(kvNamespace, operatorMark, JSON.stringify(deployment.operatorKey));
}

async function checkSend({ deployment, check, say, env }, baseUrl) {
  const key = deployment.checkKey() ?? (env.ADMIN_KEY ? deployment.newCheckKey() : undefined);
  if (!key)
    return say("no message was sent: this checkout has no test key. With ADMIN_KEY, an operator's, it makes one.");
  if (env.ADMIN_KEY) await check.admitTestKey(baseUrl, env.ADMIN_KEY, key);
  say("sending a message with a test key …");
  await check.send(baseUrl, key, say);
}

export function readArguments(args) {
  const usage = `npm run deploy -- [${environments.join("|")}] [--dry-run] [--secret-file PATH] [--key-file PATH]`;
  const { value: secretPath, rest } = optionIn(args, "--secret-file", usage);
  const { environment, flags } = wordsIn(rest, ["--dry-run"], usage);
  return { environment, dryRun: flags.includes("--dry-run"), ...(secretPath ? { secretPath } : {}) };
}

/** Puts one more operator's key into the KV of a deployment, and returns the key's id. */
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
