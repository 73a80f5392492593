// What a deployment asks of Cloudflare, by wrangler. Every answer is read as wrangler prints it for programs.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../base/command.mjs";

/** What to do about an error of Cloudflare, by what wrangler says of it. The first that fits counts. */
const advice = [
  [
    /CLOUDFLARE_API_TOKEN environment variable|not authenticated|Did not login|\[code: (10000|9106|9109|6003)\]/,
    "You are not logged in, or the token may not do this. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN to a token " +
      "that may edit Workers, KV and D1.",
  ],
  [
    /register a workers\.dev subdomain|\[code: 10063\]/,
    "Your account has no workers.dev subdomain yet. Register one in Cloudflare's dashboard, or set `routes` in the file of " +
      "the deployment.",
  ],
  [
    /already exists|\[code: (10014|7502)\]/,
    "The name is taken. Choose another one with `name` in the file of the deployment.",
  ],
  [
    /maximum number|limit|quota|exceeded|upgrade|\[code: (7406|10026|10027|10097)\]/i,
    "The account has reached a limit. Delete what you don't need, or take a larger plan of Cloudflare.",
  ],
];

/**
 * `run(args, {input, env})` runs wrangler and returns `{code, stdout, stderr}`. `account` is the id of the account, once it is
 * known.
 */
export function cloudflare(run) {
  let account;

  async function ask(args, { input, env = {} } = {}) {
    const result = await run(args, { input, env: { ...(account ? { CLOUDFLARE_ACCOUNT_ID: account } : {}), ...env } });
    return { ...result, said: `${result.stdout}\n${result.stderr}`.trim() };
  }

  async function must(args, options) {
    const result = await ask(args, options);
    if (result.code !== 0) throw failure(args, result.said);
    return result;
  }

  const json = async (args) => parsed(args, await must(args));

  async function query(config, sql) {
    const remote = ["DB", "--remote", "--json", "--config", config];
    const [{ results }] = await json(["d1", "execute", ...remote, "--command", sql]);
    return results;
  }

  return {
    async accounts() {
      const args = ["whoami", "--json"];
      const result = await ask(args);
      if (/"loggedIn": ?false/.test(result.stdout)) throw failure(args, "not authenticated");
      if (result.code !== 0) throw failure(args, result.said);
      return parsed(args, result).accounts ?? [];
    },
    use(id) {
      account = id;
    },
    namespaces: () => json(["kv", "namespace", "list"]),
    createNamespace: (title) => must(["kv", "namespace", "create", title]),
    databases: () => json(["d1", "list", "--json"]),
    createDatabase: (name) => must(["d1", "create", name]),
    /** What the database of a configuration is made of: `{type, name, sql}` of each entry. */
    schema: (config) => query(config, "SELECT type, name, sql FROM sqlite_schema"),
    /** The names of the migrations that it has; it keeps them in a table of wrangler's, which must be there. */
    async migrations(config) {
      const rows = await query(config, "SELECT name FROM d1_migrations ORDER BY id");
      return rows.map(({ name }) => name);
    },
    migrate: (config) => must(["d1", "migrations", "apply", "DB", "--remote", "--config", config]),

    /** The ids that the worker of this name is bound to; `null` if there is no such worker. */
    async bindings(name) {
      const status = ["deployments", "status", "--name", name, "--json"];
      const result = await ask(status);
      if (isMissing(result)) return null;
      if (result.code !== 0) throw failure(status, result.said);
      const id = parsed(status, result).versions[0].version_id;
      const { resources } = await json(["versions", "view", id, "--name", name, "--json"]);
      return resources.bindings.flatMap((binding) => [binding.id, binding.database_id, binding.namespace_id]);
    },
    /** Deploys, and returns where the worker is reached. */
    deploy: (config) => withOutput((env) => must(["deploy", "--config", config], { env })),
    checkDeploy: (config) => must(["deploy", "--dry-run", "--config", config]),
    /** The names of the worker's secrets; none if there is no worker. */
    async secrets(name) {
      const args = ["secret", "list", "--name", name, "--format", "json"];
      const result = await ask(args);
      if (isMissing(result)) return [];
      if (result.code !== 0) throw failure(args, result.said);
      return parsed(args, result).map((secret) => secret.name);
    },
    putSecret: (worker, name, value) => must(["secret", "put", name, "--name", worker], { input: value }),
    deleteSecret: (worker, name) => must(["secret", "delete", name, "--name", worker]),
    async keys(namespace, prefix) {
      const list = ["kv", "key", "list", "--namespace-id", namespace, "--remote", "--prefix", prefix];
      return (await json(list)).map(({ name }) => name);
    },
    putKey: (namespace, name, value) =>
      must(["kv", "key", "put", "--namespace-id", namespace, name, value, "--remote"]),
  };
}

const isMissing = ({ code, said }) => code !== 0 && /\[code: 100(07|90)\]|Worker ".+" not found/.test(said);

function parsed(args, { stdout }) {
  try {
    return JSON.parse(stdout.slice(Math.max(0, stdout.search(/^[[{]/m))));
  } catch {
    throw new Failure(`wrangler answered \`${command(args)}\` with something else than JSON:\n${stdout}`);
  }
}

/** Only these words of a command are shown: others may be long, and mean nothing to people. */
const command = (args) =>
  `wrangler ${args
    .filter((word) => !word.startsWith("-"))
    .slice(0, 3)
    .join(" ")}`;

function failure(args, said) {
  const [, what] = advice.find(([sign]) => sign.test(said)) ?? [];
  return new Failure(
    `\`${command(args)}\` failed:\n${indented(errorOf(said))}\n\n${what ? `${what}\n` : ""}` +
      "Then run the same command again: it goes on where it stopped.",
  );
}

/** Wrangler's message without what it says about its log. */
const errorOf = (said) => said.split(/\n🪵 /u)[0].trim();
const indented = (text) => text.replace(/^(?=.)/gm, "  ");

/** Lets wrangler write its events into a file, and returns the targets of the one that tells of a deploy. */
async function withOutput(work) {
  const dir = mkdtempSync(join(tmpdir(), "peyk-deploy-"));
  const file = join(dir, "events");
  try {
    await work({ WRANGLER_OUTPUT_FILE_PATH: file });
    const events = readFileSync(file, "utf8").trim().split("\n").map(JSON.parse);
    return events.findLast(({ type }) => type === "deploy")?.targets ?? [];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
