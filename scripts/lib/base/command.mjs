import { spawn, spawnSync } from "node:child_process";
import { npmBin, pathWith, root } from "./paths.mjs";

const secret = /SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|(^|_)KEY(_|$)/i;

/** Environment variables without those that look like secrets. */
export const withoutSecrets = (variables) =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !secret.test(name)));

/** The environment of programs that install, build and test: code of others runs in them, so they get no secrets of ours. */
export const environment = (extra = {}) => ({ ...withoutSecrets(process.env), PATH: pathWith(), ...extra });

/** Runs a program with its output on this terminal. Fails if the program fails. */
export async function exec(program, args, options = {}) {
  const settings = { cwd: root, stdio: "inherit", env: environment(), ...options };
  const { code, signal } = await finished(spawn(program, args, settings));
  if (code !== 0) throw new Failure(`\`${[program, ...args].join(" ")}\` failed (${signal ?? `status ${code}`})`);
}

export const finished = (child) =>
  new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal }));
  });

/** Returns the output of a program, or `null` if it does not exist or fails. */
export function outputOf(program, args) {
  const result = spawnSync(program, args, { cwd: root, encoding: "utf8", env: environment(), maxBuffer: 64 << 20 });
  return result.status === 0 ? result.stdout.trim() : null;
}

/** Wrangler deploys, so it gets the token by which it may. */
const wranglerEnvironment = () => ({
  ...process.env,
  ...environment({
    WRANGLER_SEND_METRICS: "false",
    // Otherwise the local runtime asks the network for its location at every start and waits for the answer.
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
  }),
});

export const wranglerCommand = (args) => ({
  program: process.execPath,
  args: [npmBin("wrangler"), ...args],
  env: wranglerEnvironment(),
});

/** Runs wrangler and returns its output. Shows the output only if wrangler fails. */
export async function wrangler(args) {
  const { code, stdout, stderr } = await runWrangler(args);
  const output = stdout + stderr;
  if (code !== 0) throw new Failure(`\`wrangler ${args.slice(0, 3).join(" ")}\` failed:\n${output}`);
  return output;
}

/** Runs wrangler with `input` as its standard input, and returns `{code, stdout, stderr}`. */
export async function runWrangler(args, { input, env = {} } = {}) {
  const command = wranglerCommand(args);
  const child = spawn(command.program, command.args, {
    cwd: root,
    // With `CI`, wrangler answers its own questions with their defaults. Its log would have what it is given.
    env: { ...command.env, CI: "1", NO_COLOR: "1", WRANGLER_WRITE_LOGS: "false", ...env },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  child.stdin?.end(input);
  const output = { stdout: "", stderr: "" };
  for (const name of Object.keys(output)) child[name].on("data", (chunk) => (output[name] += chunk));
  const { code } = await finished(child);
  return { code, ...output };
}

/** An error that the user can fix. It is shown without a stack. */
export class Failure extends Error {}

let voice = {
  say: (text) => console.log(`peyk: ${text}`),
  show: (text) => console.log(text),
  complain: (error) => console.error(error instanceof Failure ? `\npeyk: ${error.message}` : error),
};

/** Lets another one speak for the commands: `say` tells a sentence, `show` a text as it is, and `complain` an error. */
export function speakBy(other) {
  voice = other;
}

export const say = (text) => voice.say(text);
export const show = (text) => voice.show(text);
export const complain = (error) => voice.complain(error);

/** Runs the main function of a command. Turns an error into a message and an exit status. */
export async function run(main) {
  try {
    await main();
  } catch (error) {
    complain(error);
    process.exit(1);
  }
}
