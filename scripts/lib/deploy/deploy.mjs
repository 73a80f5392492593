// Deploys from nothing. Each step first looks whether it is done, so a deploy that died anywhere is finished by the next one,
// and nothing is made twice.
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { call } from "../base/client.mjs";
import { Failure, runWrangler } from "../base/command.mjs";
import { newKey, operatorEntry } from "../base/keys.mjs";
import { inRoot } from "../base/paths.mjs";
import { checker } from "./check.mjs";
import { cloudflare } from "./cloudflare.mjs";
import { environments, readDeployment, writeConfig } from "./deployment.mjs";

/** The KV entry that says that operators have had their first key. Names of keys' entries are hashes. */
const operatorMark = "deploy:operator-key";
const secret = "SECRET_KEY";
const unknownId = "not-yet-made";

/**
 * Deploys one environment, or says what it would do. `handover` gives the operator the first key. `run` runs wrangler, `build` builds the worker, `print` shows a line,
 * `request` calls the service, `pause` waits between two looks at it, `dir` has the files of deployments, `env` the
 * environment variables.
 */
export async function deploy({
  environment,
  dryRun,
  handover,
  run,
  build,
  print,
  request = call,
  pause,
  dir,
  env = process.env,
}) {
  const deployment = readDeployment(environment, { dir, readOnly: dryRun });
  const remote = cloudflare(run);
  const say = (text) => print(`peyk: ${text}`);
  const act = (what, work) => {
    say(dryRun ? `would ${what}` : `${what} …`);
    return dryRun ? undefined : work();
  };
  const job = { deployment, remote, say, act, dryRun, handover, env, check: checker({ request, pause }) };

  await chooseAccount(job);
  await build();
  await ensureNamespace(job);
  await ensureDatabase(job);
  const config = await writeConfig(withIds(deployment));
  await ensureOwnNames(job, config);
  if (dryRun) return wouldDeploy(job, config);
  await act("apply the migrations", () => remote.migrate(config));
  const targets = await act(`deploy the worker ${deployment.name}`, () => remote.deploy(config));
  await ensureSecret(job);
  const baseUrl = addressOf(deployment, targets);
  say(`waiting until ${baseUrl} answers …`);
  await job.check.health(baseUrl);
  await ensureOperator(job, baseUrl);
  await checkSend(job, baseUrl);
  say(`${environment} is deployed at ${baseUrl}`);
}

/** A dry run has no ids of what is not there yet. */
const withIds = (deployment) => ({ kvNamespace: unknownId, d1Database: unknownId, ...deployment });

async function chooseAccount({ deployment, remote, env, say }) {
  const accounts = await remote.accounts();
  const wanted = env.CLOUDFLARE_ACCOUNT_ID || deployment.account;
  if (deployment.account && wanted !== deployment.account)
    throw new Failure(
      `CLOUDFLARE_ACCOUNT_ID is not the account of ${deployment.file}. Unset it, or remove the file to deploy anew.`,
    );
  const list = accounts.map(({ id, name }) => `  ${id}  ${name}`).join("\n");
  if (!wanted && accounts.length !== 1)
    throw new Failure(`set CLOUDFLARE_ACCOUNT_ID to the account to deploy to. Yours are:\n${list}`);
  if (wanted && accounts.length > 0 && !accounts.some(({ id }) => id === wanted))
    throw new Failure(`you have no access to the account ${wanted}. Yours are:\n${list}`);
  const id = wanted || accounts[0].id;
  remote.use(id);
  say(`the account is ${id}`);
  if (!deployment.account) deployment.note({ account: id });
}

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

/** Refuses to write into a database, or over a worker, that has the same name and belongs to something else. */
async function ensureOwnNames({ deployment, remote }, config) {
  const { name, kvNamespace, d1Database, file } = deployment;
  const rename = `Choose another name: {"name": "…"} in ${file}, without the ids there.`;
  if (d1Database) {
    const found = (await remote.tables(config)).filter((table) => !/^(_cf_|sqlite_|d1_)/.test(table));
    const ours = ownTables();
    if (found.length > 0 && !found.some((table) => ours.has(table)))
      throw new Failure(`the name is taken: the D1 database ${name} has other tables than Peyk's. ${rename}`);
  }
  const bound = await remote.bindings(name);
  if (bound && ![kvNamespace, d1Database].some((id) => id && bound.includes(id)))
    throw new Failure(`the name is taken: the worker ${name} is not bound to this deployment's data. ${rename}`);
}

function ownTables() {
  const text = readdirSync(inRoot("migrations")).map((name) => readFileSync(inRoot("migrations", name), "utf8"));
  return new Set([...text.join("\n").matchAll(/CREATE TABLE (\w+)/g)].map(([, name]) => name));
}

/** Made once: what is sealed with it can be opened with no other. Nobody sees it, but the operator may bring their own. */
async function ensureSecret({ deployment, remote, act, env }) {
  if ((await remote.secrets(deployment.name)).includes(secret)) return;
  const value = env[secret] || randomBytes(32).toString("base64");
  await act(`set the secret ${secret}`, () => remote.putSecret(deployment.name, secret, value));
}

async function wouldDeploy({ deployment, remote, act, say }, config) {
  say("checking the worker that would be deployed …");
  await remote.checkDeploy(config);
  act("apply the migrations that the database does not have");
  act(`deploy the worker ${deployment.name}`);
  if (!(await remote.secrets(deployment.name)).includes(secret)) act(`make and set the secret ${secret}`);
  const marked = deployment.kvNamespace && (await remote.keys(deployment.kvNamespace, operatorMark)).length > 0;
  if (!marked) act("make the first operator key and show it once");
  act("check the service with GET /health and a message of a test key");
}

function addressOf({ vars, file }, targets) {
  if (vars.PUBLIC_URL) return vars.PUBLIC_URL.replace(/\/$/, "");
  const target = targets.find((text) => text.startsWith("https://")) ?? targets.find((text) => !/[*/]/.test(text));
  if (!target)
    throw new Failure(`the worker is deployed, but has no address. Set "PUBLIC_URL" in the vars of ${file}.`);
  const host = target.split(" ")[0];
  return host.startsWith("https://") ? host : `https://${host}`;
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
  const flags = args.filter((arg) => arg.startsWith("-"));
  const names = args.filter((arg) => !arg.startsWith("-"));
  const unknown = flags.find((flag) => flag !== "--dry-run") ?? names.find((name) => !environments.includes(name));
  if (unknown || names.length > 1)
    throw new Failure(
      `${unknown ? `"${unknown}" means nothing here` : "one environment at a time"}: ` +
        `npm run deploy -- [${environments.join("|")}] [--dry-run] [--key-file PATH]`,
    );
  return { environment: names[0] ?? environments[0], dryRun: flags.length > 0 };
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
