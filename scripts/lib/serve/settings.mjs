// The settings of a folder: peyk.toml, and the environment before it. What each may be is said by the worker, which is asked at the start.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parse } from "smol-toml";
import { Failure } from "../base/command.mjs";
import { serviceAddress } from "../base/options.mjs";
import { networkIn, networksIn } from "./gate/addresses.mjs";

const isNetworks = (text) => text.split(",").every((network) => !network.trim() || networkIn(network));
const networkForm = "addresses or networks between commas, such as 127.0.0.1 or 10.0.0.0/8";

/** The settings that only a service on a machine of one's own has: what is right, in words. docs/self-hosting.md has them. */
const own = { TRUSTED_PROXIES: networkForm, PRIVATE_NETWORKS: networkForm, LOG_FORMAT: "text or json" };

/** What is looked at here, because the worker can't know it or refuses it later. */
const checks = {
  TRUSTED_PROXIES: isNetworks,
  PRIVATE_NETWORKS: isNetworks,
  LOG_FORMAT: (text) => ["text", "json"].includes(text),
  PUBLIC_URL: (text) => /^https:|^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::|$)/.test(serviceAddress(text) ?? ""),
};
const forms = { ...own, PUBLIC_URL: "an address like https://sms.example.com" };

/** The names of the worker's settings (src/base/config.rs). */
export const workerSettings = [
  "MAX_RECIPIENTS",
  "MAX_PHONEBOOK_RECIPIENTS",
  "MAX_PARTS",
  "PHONEBOOK_BYTES",
  "PATTERN_BYTES",
  "CUSTOMER_BYTES",
  "D1_BYTES",
  "PATTERN_APPROVAL",
  "RETENTION_DAYS",
  "AUDIT_DAYS",
  "AUDIT_BYTES_A_DAY",
  "DESTINATIONS",
  "CREDIT_APPROVAL_ABOVE",
  "OPT_OUT_WORDS",
  "OPT_IN_WORDS",
  "PUBLIC_URL",
  "DOCS_URL",
  "SIGN_IN_ACCOUNT",
  "DOORS",
  "DEFAULT_LANGUAGE",
  "WEBHOOK_ALLOW_LOOPBACK",
  "PLAIN_HTTP_HOSTS",
  "WEBHOOK_RETRY_SECONDS",
  "LOG_REQUESTS",
  "CURRENCY_UNIT",
];

/**
 * Reads the settings of a folder. Returns `{settings, trustedProxies, networks, fromEnvironment, faults}`: the worker's as texts, the
 * proxies between commas, the private networks as a list, the names that the environment sets, and a sentence for each fault.
 */
export function readSettings({ settings: file }, env = process.env) {
  const names = [...workerSettings, ...Object.keys(own)];
  const faults = [];
  const texts = {};
  for (const [name, value] of Object.entries(existsSync(file) ? tomlIn(file) : {})) {
    const text = textOf(value);
    if (!names.includes(name)) faults.push(`${name} in ${file} is no setting. Did you mean ${nearest(name, names)}?`);
    else if (text === undefined)
      faults.push(`${name} in ${file} must be a text, a whole number, true or false, or a list of these.`);
    else texts[name] = text;
  }
  const fromEnvironment = names.filter((name) => env[name] !== undefined);
  for (const name of fromEnvironment) texts[name] = env[name];
  for (const [name, isRight] of Object.entries(checks)) {
    if (texts[name] === undefined || isRight(texts[name])) continue;
    faults.push(`${name}="${texts[name]}" must be ${forms[name]}.`);
    delete texts[name];
  }
  // The log has its form already, by `logFormatOf`.
  const {
    TRUSTED_PROXIES: trustedProxies = "",
    PRIVATE_NETWORKS: privateNetworks = "",
    LOG_FORMAT: _,
    ...settings
  } = texts;
  // The runtime takes no address without the number of its bits.
  const networks = networksIn(privateNetworks).map(({ address, bits }) => `${address}/${bits}`);
  return { settings, trustedProxies, networks, fromEnvironment, faults };
}

/** What the settings say of the log, before anything else is looked at. A file that is not TOML says nothing; `readSettings` tells that. */
export function logFormatOf({ settings: file }, env = process.env) {
  if (env.LOG_FORMAT !== undefined) return env.LOG_FORMAT;
  try {
    return parse(readFileSync(file, "utf8")).LOG_FORMAT;
  } catch {
    return undefined;
  }
}

/** Fails with all faults, one a line. */
export function failForSettings(faults) {
  if (faults.length > 0) throw new Failure(["the settings have faults:", ...faults].join("\n      "));
}

function tomlIn(file) {
  try {
    return parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Failure(`${file} is not TOML: ${error.message.trim()}`);
  }
}

/** The text of a setting as wrangler.toml would have it. Nothing, if the value has no such text. */
function textOf(value) {
  if (Array.isArray(value)) {
    const texts = value.map((item) => (Array.isArray(item) ? undefined : textOf(item)));
    return texts.includes(undefined) ? undefined : texts.join(",");
  }
  return typeof value === "string" || typeof value === "boolean" || Number.isSafeInteger(value)
    ? `${value}`
    : undefined;
}

const nearest = (name, names) => names.map((one) => [distance(name, one), one]).sort(([a], [b]) => a - b)[0][1];

/** How many letters must be put in, taken out or changed (Levenshtein). */
function distance(from, to) {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (const [at, other] of [...to].entries())
      next.push(Math.min(next[at] + 1, row[at + 1] + 1, row[at] + (letter.toUpperCase() === other ? 0 : 1)));
    row = next;
  }
  return row.at(-1);
}

/** Writes the file for a new folder, with nothing set. */
export function writeSettings({ settings }) {
  if (!existsSync(settings)) writeFileSync(settings, template, { mode: 0o600 });
}

const template = `# The settings of this service. docs/self-hosting.md and docs/operating.md ("Settings") say what there is, and what each is for.
# A change takes effect with the next start. A variable of the environment goes before its line here.

# The address under which the world reaches the service:
# PUBLIC_URL = "https://sms.example.com"

# The proxy in front of the service, whose word on clients' addresses counts:
# TRUSTED_PROXIES = ["127.0.0.1"]
`;
