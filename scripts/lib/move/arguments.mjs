import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { Failure } from "../base/command.mjs";
import { providers } from "./providers.mjs";

const kinds = [...providers, "phonebook", "keys"];

export const help = `npm run move -- WHAT FILE [options]

Brings a table (CSV) from another provider into Peyk. Without --go it changes nothing and says what it would do.

  kavenegar FILE     makes patterns of templates of Kavenegar
  ippanel FILE       makes patterns of patterns of ippanel
  smsir FILE         makes patterns of templates of sms.ir
  twilio FILE        makes patterns of Content templates of Twilio
  phonebook FILE     adds numbers to the phonebook that --name names, and makes it if there is none
  keys FILE          imports keys as they are; needs the key of an operator

  --name TITLE       the title of the phonebook
  --go               does it
  --help             prints this

The environment has the address of the service (PEYK_URL) and a live key (PEYK_API_KEY) with the scope "pattern" or
"phonebook". docs/doors/moving.md says what a table looks like.`;

const known = {
  go: { type: "boolean", default: false },
  name: { type: "string" },
  help: { type: "boolean", default: false },
};

/** Reads the command line and the environment. Fails with all that is wrong with them. */
export function readArguments(args, env) {
  const { values, positionals } = parsed(args);
  if (values.help) return { help: true };
  const [what, file, ...more] = positionals;
  const faults = [];
  const fault = (text) => faults.push(text) && undefined;
  if (!kinds.includes(what)) fault(`say first what to move: ${kinds.join(", ")}`);
  if (file === undefined) fault("name a file");
  if (more.length > 0) fault(`one file at a time: "${more[0]}" is too much`);
  if (what === "phonebook" && !values.name?.trim()) fault('a phonebook needs its title: --name "Customers"');
  if (what !== "phonebook" && values.name !== undefined) fault("--name is for a phonebook only");
  const url = address(env.PEYK_URL, fault);
  const key = keyOf(env.PEYK_API_KEY, fault);
  if (faults.length > 0) throw new Failure(`${faults.join("\n      ")}\n      \`npm run move -- --help\` says more`);
  // npm runs a program in the folder of the package, and says where it was called.
  return { what, file: resolve(env.INIT_CWD ?? ".", file), go: values.go, name: values.name?.trim(), url, key };
}

function parsed(args) {
  try {
    return parseArgs({ args, options: known, allowPositionals: true });
  } catch (error) {
    // Node's own words name the option; what follows the first sentence is about positional arguments.
    const said = error.message.split(". To specify")[0].replace(/\n/g, " ");
    throw new Failure(`${said}\n      \`npm run move -- --help\` says more`);
  }
}

/** The address without a slash at its end. A key goes over plain HTTP to this machine only. */
function address(text, fault) {
  if (!text) return fault("PEYK_URL is not set: the address of the service, like https://sms.example.com");
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url?.hostname ?? "");
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLocal);
  if (!isSafe || url.username || url.search || url.hash)
    return fault(`PEYK_URL must be an address like https://sms.example.com, not "${text}"`);
  return url.href.replace(/\/+$/, "");
}

function keyOf(key, fault) {
  if (!key) return fault("PEYK_API_KEY is not set: an API key");
  if (!/^[\x21-\x7e]+$/.test(key)) return fault("PEYK_API_KEY is not an API key");
  if (key.startsWith("peyk_test_")) return fault("PEYK_API_KEY is a test key, which changes nothing live");
  return key;
}
