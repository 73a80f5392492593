// What this checkout knows of a deployment: `deployments/ENVIRONMENT.json`, which git ignores, so that `git pull` leaves it
// alone. All of it can be found again by names, so a checkout without the file goes on with the same deployment.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { Failure } from "../base/command.mjs";
import { newKey, writeSecret } from "../base/keys.mjs";
import { inRoot } from "../base/paths.mjs";

export const environments = ["production", "staging"];

const isText = (value) => typeof value === "string" && value !== "";
const isRecord = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** The members of the file: what the user may set, and then what `npm run deploy` notes. */
const members = {
  name: [
    (value) => /^[a-z0-9](-?[a-z0-9])*$/.test(value) && value.length <= 54,
    "up to 54 of a-z, 0-9 and single hyphens",
  ],
  vars: [(value) => isRecord(value) && Object.values(value).every(isText), "an object of texts"],
  routes: [Array.isArray, "a list of routes, as in wrangler's configuration"],
  account: [isText, "a text"],
  kvNamespace: [isText, "a text"],
  d1Database: [isText, "a text"],
  operatorKey: [(value) => isRecord(value) && isText(value.id), "an object with an id"],
  // Later versions may note more in it: an older one takes the file all the same, so one can go back.
  noted: [isRecord, "an object"],
};

/**
 * Reads what is known of the deployment in this environment. `note` adds members and writes them down at once, unless the
 * files are to stay as they are.
 */
export function readDeployment(environment, { dir = inRoot("deployments"), readOnly = false } = {}) {
  const file = join(dir, `${environment}.json`);
  const known = existsSync(file) ? parse(file) : {};
  const deployment = {
    name: environment === "production" ? "peyk" : `peyk-${environment}`,
    vars: {},
    routes: [],
    noted: {},
    ...known,
    environment,
    file,
    note(changes) {
      Object.assign(known, changes);
      Object.assign(deployment, changes);
      if (readOnly) return;
      mkdirSync(dir, { recursive: true });
      writeSecret(file, `${JSON.stringify(known, null, 2)}\n`);
    },
    /** Notes what a deploy has found: the `address` of the service, and whether somebody has a copy of its secret. */
    keep: (values) => deployment.note({ noted: { ...deployment.noted, ...values } }),
    /** The test key of the account that checks the deployment. It can send nothing. */
    checkKey: () => (existsSync(checkKeyFile) ? readFileSync(checkKeyFile, "utf8") : undefined),
    newCheckKey() {
      const key = newKey("test");
      writeSecret(checkKeyFile, key);
      return key;
    },
  };
  const checkKeyFile = join(dir, `${environment}.test-key`);
  return deployment;
}

function parse(file) {
  const known = parseJson(file);
  for (const [name, value] of Object.entries(known)) {
    const [isRight, form] = members[name] ?? [];
    if (!isRight)
      throw new Failure(`${file} has a member "${name}"; there are only ${Object.keys(members).join(", ")}.`);
    if (!isRight(value)) throw new Failure(`"${name}" in ${file} must be ${form}.`);
  }
  return known;
}

function parseJson(file) {
  try {
    const value = JSON.parse(readFileSync(file, "utf8"));
    if (isRecord(value)) return value;
  } catch (error) {
    throw new Failure(`${file} is not JSON: ${error.message}`);
  }
  throw new Failure(`${file} must hold a JSON object.`);
}

/**
 * Writes the configuration of a deployment into a folder, which is `build/`, and returns its path: wrangler.toml with the names, the ids and the
 * settings of the deployment. It is made anew each time, so a change of wrangler.toml arrives with the next deploy.
 */
export async function writeConfig(deployment, into = inRoot("build")) {
  const { environment, name, kvNamespace, d1Database, vars, routes } = deployment;
  // Takes a second to load, so only what needs it loads it.
  const { default: wrangler } = await import("wrangler");
  // The build has been made, and this process knows from which sources.
  const { build, ...base } = wrangler.experimental_readRawConfig({ config: inRoot("wrangler.toml") }).rawConfig;
  const file = join(into, `wrangler.${environment}.json`);
  const here = (path) => relative(dirname(file), inRoot(path));
  const config = {
    ...base,
    name,
    main: here(base.main),
    assets: { ...base.assets, directory: here(base.assets.directory) },
    vars: { ...base.vars, ...vars },
    ...(routes.length > 0 ? { routes } : {}),
    kv_namespaces: base.kv_namespaces.map((entry) => ({ ...entry, id: kvNamespace })),
    d1_databases: base.d1_databases.map((entry) => ({
      ...entry,
      database_name: name,
      database_id: d1Database,
      migrations_dir: here(entry.migrations_dir),
    })),
  };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`);
  return file;
}
