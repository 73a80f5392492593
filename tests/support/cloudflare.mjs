// Plays Cloudflare for the tests of `npm run deploy` and `npm run rotate`: what wrangler 4 prints for each command, over an account
// in memory whose databases are real ones, and the service that a deploy brings up. At any moment, a command or a request may
// fail, or the command may die.
import { createHash, randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { proofKeyOf } from "../../scripts/lib/deploy/proof-key.mjs";
import { migrationsIn } from "../../scripts/lib/deploy/schema.mjs";

/** The deploy is killed here: nothing after it happens. */
export class Death extends Error {}

const accountId = "a".repeat(32);
const hex = () => randomUUID().replaceAll("-", "");
const sha256 = (text) => createHash("sha256").update(text).digest("hex");

/** As wrangler prints an error. */
const error = (text) => ({
  code: 1,
  stdout: "",
  stderr: `\n✘ [ERROR] ${text}\n\n\n🪵  Logs were written to "/root/.config/.wrangler/logs/wrangler.log"\n`,
});
const apiError = (path, code, text) =>
  error(`A request to the Cloudflare API (${path}) failed.\n\n  ${text} [code: ${code}]`);
const printed = (value) => ({ code: 0, stdout: `${JSON.stringify(value, null, 2)}\n`, stderr: "" });
const done = (stdout) => ({ code: 0, stdout: `\n ⛅️ wrangler 4.164.0\n───────────────────\n${stdout}\n`, stderr: "" });

/** The value behind an option of a command. */
const option = (args, name) => args[args.indexOf(name) + 1];

/** A database as D1 makes it, with a table of its own. */
function newDatabase(name) {
  const sql = new DatabaseSync(":memory:");
  sql.exec("CREATE TABLE _cf_KV (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID");
  return { uuid: randomUUID(), name, sql };
}

/** The table in which wrangler keeps the names of the migrations that a database has. */
const migrationsTable =
  "CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, " +
  "applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)";

export class StandIn {
  loggedIn = true;
  /** The version that the service tells. */
  version = JSON.parse(readFileSync(inRoot("package.json"), "utf8")).version;
  accounts = [{ id: accountId, name: "Ours" }];
  namespaces = [];
  databases = [];
  workers = new Map();
  /** What the service behind each worker keeps. */
  #services = new Map();
  /** Makes a database without a deploy. */
  addDatabase(name) {
    const database = newDatabase(name);
    this.databases.push(database);
    return database.sql;
  }

  /** The names of the migrations that a database has. */
  migrationsOf({ sql }) {
    sql.exec(migrationsTable);
    const rows = sql.prepare("SELECT name FROM d1_migrations ORDER BY id").all();
    return rows.map(({ name }) => name);
  }

  /** The commands and requests so far; `changes` are those that changed something. */
  commands = [];
  changes = [];
  secrets = [];
  /** `fault(moment)` is asked at each command and request, and returns nothing or one of the faults below. */
  fault = () => undefined;
  moment = 0;

  /** What the service behind a worker keeps, as its API shows it. */
  service(name = "peyk") {
    if (!this.#services.has(name))
      this.#services.set(name, {
        operators: new Map(),
        accounts: [],
        lines: [],
        keys: [],
        messages: 0,
        carriers: [],
      });
    return this.#services.get(name);
  }

  run = (args, { input, env = {} } = {}) =>
    this.#guarded(
      () => this.#answer(args, input, env),
      () => apiError("/accounts/…", 10013, "An unknown error has occurred."),
      { args, env },
    );

  request = (baseUrl, method, path, { key, body } = {}) =>
    this.#guarded(
      () => this.#serve(method, path, key, body, baseUrl),
      () => reply(503, { code: 503, detail: "unavailable" }),
      { args: [method, path], env: {} },
    );

  /** Faults: "error" fails before anything happened, "death" dies before it, and "death after" after it. */
  async #guarded(work, failed, { args, env }) {
    this.moment += 1;
    const fault = this.fault(this.moment);
    this.commands.push(args);
    if (fault === "death") throw new Death();
    if (fault === "error") return failed();
    const before = this.changes.length;
    const answer = work();
    if (this.changes.length > before) this.lastChange = this.moment;
    if (fault === "death after") throw new Death();
    if (env.WRANGLER_OUTPUT_FILE_PATH && answer.targets)
      writeFileSync(env.WRANGLER_OUTPUT_FILE_PATH, this.#events(answer.targets));
    return answer;
  }

  #events(targets) {
    const session = { type: "wrangler-session", version: 1, wrangler_version: "4.164.0", timestamp: "…" };
    const deploy = { type: "deploy", version: 1, targets, timestamp: "…" };
    return `${JSON.stringify(session)}\n${JSON.stringify(deploy)}\n`;
  }

  #answer(args, input, env) {
    if (args[0] === "whoami") return this.#whoami();
    if (!this.loggedIn)
      return error(
        "In a non-interactive environment, it's necessary to set a CLOUDFLARE_API_TOKEN environment variable for wrangler to work.",
      );
    if (!this.accounts.some(({ id }) => id === env.CLOUDFLARE_ACCOUNT_ID))
      return error("More than one account available");
    const name = args.filter((word) => !word.startsWith("-"));
    const handler = this.#commands[name.slice(0, 3).join(" ")] ?? this.#commands[name.slice(0, 2).join(" ")];
    const found = handler ?? this.#commands[name[0]];
    if (!found) throw new Error(`the stand-in knows no command \`wrangler ${args.join(" ")}\``);
    return found(args, input);
  }

  #whoami() {
    if (!this.loggedIn) return { code: 1, stdout: `{"loggedIn":false}\n`, stderr: "" };
    return printed({ loggedIn: true, authType: "OAuth Token", email: "ops@example.com", accounts: this.accounts });
  }

  #commands = {
    "kv namespace list": () =>
      printed(this.namespaces.map(({ id, title }) => ({ id, title, supports_url_encoding: true }))),
    "kv namespace create": (args) => {
      const title = args[3];
      if (this.namespaces.some((entry) => entry.title === title))
        return error(`A KV namespace with the title "${title}" already exists.`);
      this.#change(args);
      this.namespaces.push({ id: hex(), title, entries: new Map() });
      return done(`🌀 Creating namespace with title "${title}"\n✨ Success!`);
    },
    "kv key list": (args) => {
      const { entries } = this.#namespace(args);
      const names = [...entries.keys()].filter((name) => name.startsWith(option(args, "--prefix")));
      return printed(names.map((name) => ({ name })));
    },
    "kv key put": (args) => {
      this.#change(args);
      const [name, value] = args.slice(args.indexOf("--namespace-id") + 2);
      this.#namespace(args).entries.set(name, value);
      return done(`Writing the value "${value}" to key "${name}" on namespace …`);
    },
    "d1 list": () => printed(this.databases.map(({ uuid, name }) => ({ uuid, name, version: "production" }))),
    "d1 create": (args) => {
      const name = args[2];
      if (this.databases.some((entry) => entry.name === name)) return error("A database with that name already exists");
      this.#change(args);
      this.databases.push(newDatabase(name));
      return done(`✅ Successfully created DB '${name}'`);
    },
    "d1 execute": (args) => {
      try {
        const results = this.#database(args).sql.prepare(option(args, "--command")).all();
        return printed([{ results, success: true, meta: { duration: 0.1 } }]);
      } catch (fault) {
        return apiError("/accounts/…/d1/database/…/query", 7500, `${fault.message}: SQLITE_ERROR`);
      }
    },
    "d1 migrations apply": (args) => {
      const database = this.#database(args);
      const applied = this.migrationsOf(database);
      const dir = resolve(dirname(option(args, "--config")), this.#config(args).d1_databases[0].migrations_dir);
      const left = migrationsIn(dir).filter(({ name }) => !applied.includes(name));
      if (left.length === 0) return done("✅ No migrations to apply!");
      this.#change(args);
      for (const { name, sql } of left) {
        database.sql.exec(sql);
        database.sql.prepare("INSERT INTO d1_migrations (name) VALUES (?)").run(name);
      }
      return done(`Migrations to be applied:\n${left.map(({ name }) => `│ ${name} │ ✅ │`).join("\n")}`);
    },
    "deployments status": (args) => {
      const worker = this.workers.get(option(args, "--name"));
      if (!worker) return apiError("/accounts/…/deployments", 10007, "This Worker does not exist on your account.");
      return printed({ id: randomUUID(), versions: [{ version_id: worker.version, percentage: 100 }] });
    },
    "versions view": (args) => {
      const { version, bindings } = this.workers.get(option(args, "--name"));
      return printed({ id: version, resources: { script: { handlers: ["fetch"] }, bindings } });
    },
    "secret list": (args) => {
      const name = option(args, "--name");
      const worker = this.workers.get(name);
      if (!worker)
        return error(`Worker "${name}" not found.\n\nIf this is a new Worker, run \`wrangler deploy\` first.`);
      return printed([...worker.secrets.keys()].map((name) => ({ name, type: "secret_text" })));
    },
    "secret put": (args, input) => {
      this.#change(args);
      this.secrets.push(input);
      this.workers.get(option(args, "--name")).secrets.set(args[2], input);
      return done(`🌀 Creating the secret for the Worker\n✨ Success! Uploaded secret ${args[2]}`);
    },
    "secret delete": (args) => {
      const { secrets } = this.workers.get(option(args, "--name"));
      if (!secrets.has(args[2])) return error(`Secret "${args[2]}" not found. [code: 10056]`);
      this.#change(args);
      secrets.delete(args[2]);
      return done(`🌀 Deleting the secret ${args[2]} on the Worker\n✨ Success! Deleted secret ${args[2]}`);
    },
    deploy: (args) => {
      if (args.includes("--dry-run")) return done("--dry-run: exiting now.");
      this.#change(args);
      const { name, kv_namespaces, d1_databases } = this.#config(args);
      const bindings = [
        { type: "d1", name: "DB", id: d1_databases[0].database_id },
        { type: "kv_namespace", name: "KEYS", namespace_id: kv_namespaces[0].id },
      ];
      const { secrets = new Map() } = this.workers.get(name) ?? {};
      this.workers.set(name, { version: randomUUID(), bindings, secrets });
      return { ...done(`Uploaded ${name} (5.12 sec)`), targets: [`https://${name}.ours.workers.dev`] };
    },
  };

  #change(args) {
    this.changes.push(args.slice(0, 3).join(" "));
  }

  #config = (args) => JSON.parse(readFileSync(option(args, "--config"), "utf8"));
  #namespace = (args) => this.namespaces.find(({ id }) => id === option(args, "--namespace-id"));
  #database(args) {
    const id = this.#config(args).d1_databases[0].database_id;
    return this.databases.find(({ uuid }) => uuid === id);
  }

  /** The service: as much of it as the commands ask for. The runtime tests let the deploy ask a real one. */
  #serve(method, path, key, body, baseUrl) {
    const name = new URL(baseUrl).hostname.split(".")[0];
    if (!this.workers.get(name)) throw new TypeError("fetch failed", { cause: new Error("ENOTFOUND") });
    if (path === "/.well-known/jwks.json")
      return reply(200, { keys: [...new Set(this.secretsOf(name))].map((secret) => ({ x: proofKeyOf(secret) })) });
    if (path === "/health") return reply(200, { data: { status: "UP", version: this.version } });
    const service = this.service(name);
    if (path.startsWith("/admin/")) return this.#serveOperator(name, method, path.slice("/admin".length), key, body);
    if (!service.keys.includes(key)) return reply(401, {});
    if (method === "GET") return reply(200, { data: { recipients: [{ status: "DELIVERED" }] } });
    service.messages += 1;
    return reply(201, { data: { uid: randomUUID() } });
  }

  /** The secrets by which a worker works, the current one first. */
  secretsOf(name = "peyk") {
    const { secrets } = this.workers.get(name);
    return ["SECRET_KEY", "SECRET_KEY_OLD"].map((secret) => secrets.get(secret)).filter(Boolean);
  }

  /** A change of a carrier opens its password, and seals it with the current secret. */
  #changeCarrier(name, path) {
    const carrier = this.service(name).carriers.find((entry) => path === `/carriers/${entry.name}`);
    const secrets = this.secretsOf(name);
    if (!secrets.includes(carrier.sealedWith)) return reply(409, { detail: "what is sealed can't be opened" });
    this.changes.push(`PATCH ${path}`);
    carrier.sealedWith = secrets[0];
    return reply(200, { data: {} });
  }

  #serveOperator(name, method, path, key, body) {
    const { operators, accounts, lines, keys } = this.service(name);
    const id = this.#operator(name, key);
    if (!id) return reply(401, {});
    operators.set(id, key);
    if (method === "GET" && path.startsWith("/accounts"))
      return reply(200, { data: accounts, meta: { nextCursor: null } });
    if (method === "GET" && path.startsWith("/carriers"))
      return reply(200, this.#page(this.service(name).carriers, path));
    if (method === "PATCH") return this.#changeCarrier(name, path);
    if (method === "GET") return reply(200, { data: [] });
    if (method === "DELETE") return operators.delete(path.slice("/keys/".length)) ? reply(204) : reply(404, {});
    const [list, entry, is] = {
      "/accounts": [accounts, { id: "shop", ...body }, ({ username }) => username === body.username],
      "/lines": [lines, body, ({ number }) => number === body.number],
    }[path] ?? [keys, body.key, (known) => known === body.key];
    if (list.some(is)) return reply(409, {});
    this.changes.push(`POST ${path}`);
    list.push(entry);
    return reply(201, { data: entry });
  }

  /** Pages of two, so that who asks for one page only misses something. */
  #page(list, path) {
    const from = Number(new URLSearchParams(path.split("?")[1]).get("cursor") ?? 0);
    const data = list.slice(from, from + 2).map(({ name, kind }) => ({ name, kind }));
    return { data, meta: { nextCursor: from + 2 < list.length ? String(from + 2) : null } };
  }

  /** The id of an operator's key, from the namespace to which the worker is bound. */
  #operator(name, key) {
    const { namespace_id } = this.workers.get(name).bindings.find(({ type }) => type === "kv_namespace");
    const record = key && this.namespaces.find(({ id }) => id === namespace_id).entries.get(sha256(key));
    return record && JSON.parse(record).key;
  }
}

const reply = (status, json) => ({ status, json, text: JSON.stringify(json ?? "") });
