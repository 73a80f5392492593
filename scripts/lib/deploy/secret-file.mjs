// The operator's own copy of the secret of a service, because Cloudflare shows a secret to nobody: a file of lines `NAME=value`,
// which only its owner may read. Other lines of it stay.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isForGit } from "../base/checkout.mjs";
import { Failure } from "../base/command.mjs";
import { writeSecret } from "../base/keys.mjs";

/** The lines of ours by what they say. Times are those of ISO 8601. */
const names = {
  worker: "WORKER",
  current: "SECRET_KEY",
  old: "SECRET_KEY_OLD",
  changedAt: "CHANGED_AT",
  carriersSealedAt: "CARRIERS_SEALED_AT",
};

const keyBytes = 32;

export const newSecret = () => randomBytes(keyBytes).toString("base64");

/** The secret in its one form. Fails with where it stands, and never shows it. */
export function checkedSecret(text, where) {
  const secret = text.trim();
  const bytes = Buffer.from(secret, "base64");
  if (bytes.length !== keyBytes || bytes.toString("base64") !== secret)
    throw new Failure(`${where} must be the base64 text of 32 random bytes, as \`openssl rand -base64 32\` makes it.`);
  return secret;
}

/**
 * The file at a path, for the secret of a worker. `read` returns `{current, old, changedAt, carriersSealedAt}`, or nothing if there
 * is no file; `write` writes them, without those that are not given.
 */
export function secretFile(path, worker) {
  const file = existsSync(path) ? realpathSync(path) : resolve(path);
  const fail = (what) => {
    throw new Failure(`${path} ${what}`);
  };
  const lines = () => guarded(() => readFileSync(file, "utf8").split("\n"), "can't be read", fail);
  ensurePlace(file, fail);
  return {
    path,
    read() {
      if (!existsSync(file)) return undefined;
      const values = parsed(lines());
      if (!values.current) fail("has no line SECRET_KEY. Name a new file, or one that this command has written.");
      if (values.worker && values.worker !== worker)
        fail(`has the secret of the worker ${values.worker}, and this is ${worker}. Name another file.`);
      for (const name of ["current", "old"])
        if (values[name]) values[name] = checkedSecret(values[name], `${names[name]} in ${path}`);
      return values;
    },
    write(values) {
      const others = existsSync(file) ? lines().filter((line) => !nameIn(line)) : heading(worker);
      const ours = Object.entries({ worker, ...values }).filter(([, value]) => value);
      const text = others
        .join("\n")
        .trimEnd()
        .concat("\n", ours.map(([name, value]) => `${names[name]}=${value}\n`).join(""));
      guarded(() => writeSecret(file, text, { flush: true }), "can't be written", fail);
    },
  };
}

const heading = (worker) => [
  `# The secret of the service ${worker}. Keep a copy of this file where your passwords are: without the secret, the`,
  "# passwords of carriers and the secrets of webhooks are lost. docs/operating.md says more.",
];

/** Git could take a file of the checkout along, but for those that it ignores. */
function ensurePlace(file, fail) {
  const dir = dirname(file);
  if (!existsSync(dir)) fail(`can't be written: there is no folder ${dir}.`);
  if (isForGit(file))
    fail("is in the checkout, where git could take it along. Name a file elsewhere, or one in deployments/.");
}

function guarded(work, what, fail) {
  try {
    return work();
  } catch (error) {
    return fail(`${what}: ${error.message}`);
  }
}

/** Which of our values a line has. */
const nameIn = (line) => Object.keys(names).find((name) => line.trimStart().startsWith(`${names[name]}=`));

function parsed(lines) {
  const values = {};
  for (const line of lines) {
    const name = nameIn(line);
    if (name)
      values[name] = line
        .slice(line.indexOf("=") + 1)
        .trim()
        .replace(/^(["'])(.*)\1$/, "$2");
  }
  return values;
}
