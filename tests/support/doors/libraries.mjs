// The official libraries of other providers, unmodified, each in a program of its own that stays until it is closed.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { environment, finished } from "../../../scripts/lib/base/command.mjs";
import { ensureNpm, ensurePython, ensureSymfony } from "../../../scripts/lib/test/install.mjs";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Finds or installs the Python that has the libraries. */
export const ensurePythonOfDoors = () =>
  ensurePython(here("requirements.txt"), "the tests of doors", here("build-requirements.txt"));

/** Finds or installs the Python of programs that need other versions than these libraries, or have modules of the same name. */
export const ensurePythonApart = () =>
  ensurePython(here("requirements-apart.txt"), "the tests of doors", here("build-requirements.txt"));

/** Finds or installs the programs of npm that bring more than the other tests need, or need packages with known holes. */
export const ensurePackagesOfDoors = () => ensureNpm(here("npm"), "the tests of doors");

const node = () => process.execPath;
const php = async () => {
  await ensureSymfony();
  return "php";
};

/** Each library by name: its driver, what runs that, and where its packages stand if they stand apart. */
const libraries = {
  "kavenegar-python": { driver: "kavenegar-python.py", program: ensurePythonOfDoors },
  "kavenegar-node": { driver: "kavenegar-node.mjs", program: node },
  "twilio-python": { driver: "twilio-python.py", program: ensurePythonOfDoors },
  "twilio-node": { driver: "twilio-node.mjs", program: node },
  "ippanel-python": { driver: "ippanel-python.py", program: ensurePythonOfDoors },
  "smsir-python": { driver: "smsir-python.py", program: ensurePythonOfDoors },
  "smsir-node": { driver: "smsir-node.mjs", program: node },
  "smsir-js": { driver: "smsir-js.mjs", program: node },
  "symfony-php": { driver: "symfony-php.php", program: php },
  "python-programs": { driver: "programs.py", program: ensurePythonOfDoors },
  "programs-apart": { driver: "programs-apart.py", program: ensurePythonApart },
  "django-otp-twilio": { driver: "django-otp-twilio.py", program: ensurePythonOfDoors },
  "npm-programs": { driver: "programs.mjs", program: node, packages: ensurePackagesOfDoors },
};

/**
 * Starts a library in an environment that `standFor` has made. `call(client, method, ...args)` returns what the library's
 * user sees: `{value}`, or `{error: {class, message, …}}`. `client` is what the library's client is made of; `sid` of
 * `on(sid, within)` names a record where the library has such, and `within` the steps to its list, each a name with or
 * without a SID: `[["verify"], ["services", "VA…"]]`. Calls go one after another. `close()` ends the program.
 */
export async function openLibrary(name, env) {
  const { driver, program, packages } = libraries[name];
  const settings = { PYTHONDONTWRITEBYTECODE: "1", PYTHONUTF8: "1", ...env, PEYK_PACKAGES: await packages?.() };
  const child = spawn(await program(), [here(`drivers/${driver}`)], { env: environment(settings), stdio: "pipe" });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (chunk) => (errors += chunk));
  // What a program that has ended does not read is judged by the answer that is missing.
  child.stdin.on("error", () => {});
  const ended = finished(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let last = Promise.resolve();
  const ask = (line) => {
    last = last.then(async () => {
      child.stdin.write(`${JSON.stringify(line)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`${name} ended:\n${errors}`);
      return JSON.parse(value);
    });
    return last;
  };
  return {
    call: (client, method, ...args) => ask({ client, call: method, args }),
    on: (sid, within) => ({ call: (client, method, ...args) => ask({ client, call: method, sid, within, args }) }),
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
