// Runs the client libraries, each in a program of its language, and the code of their READMEs.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "../../scripts/lib/base/command.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";

/** How long a program may take, ms. Only what never ends takes so long, however slow the machine is. */
const patience = 15 * 60_000;

const folder = (...parts) => inRoot("clients", ...parts);

/** Makes a folder in which `import "@peyk/client"` finds the package, as npm makes one. */
function withNodePackage(dir) {
  mkdirSync(join(dir, "node_modules", "@peyk"), { recursive: true });
  symlinkSync(folder("typescript"), join(dir, "node_modules", "@peyk", "client"));
}

/** A program without its types, which an older Node.js does not take. tests/native/types.test.mjs checks them. */
async function withoutTypes(code) {
  const { default: ts } = await import("typescript");
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  return ts.transpileModule(code, { compilerOptions }).outputText;
}

/** Makes a folder in which `require 'vendor/autoload.php'` finds the classes, as Composer makes one. */
function withComposerPackage(dir) {
  mkdirSync(join(dir, "vendor"));
  writeFileSync(join(dir, "vendor", "autoload.php"), `<?php require '${folder("php", "tests", "autoload.php")}';`);
}

/**
 * `fence` marks the language's code in the README; `install` makes a folder from which a program finds the library;
 * `compiled` makes of it what the program runs; `manifest` has its version; `feed` is code behind the README's receiver that hands it an event and prints the status.
 */
export const libraries = {
  typescript: {
    fence: "ts",
    program: process.execPath,
    driver: "driver.mjs",
    extension: "mjs",
    install: withNodePackage,
    compiled: withoutTypes,
    manifest: "package.json",
    feed: `
      let input = "";
      for await (const piece of process.stdin) input += piece;
      const request = new Request("http://shop.example/", { method: "POST", ...JSON.parse(input) });
      console.log((await receive(request)).status);`,
  },
  python: {
    fence: "python",
    program: "python3",
    driver: "driver.py",
    extension: "py",
    env: { PYTHONPATH: folder("python"), PYTHONDONTWRITEBYTECODE: "1", PYTHONWARNINGS: "error", PYTHONUTF8: "1" },
    install: () => {},
    manifest: join("peyk", "_version.py"),
    feed: `
import json
import sys
given = json.load(sys.stdin)
print(receive(given["body"].encode(), given["headers"]))`,
  },
  php: {
    fence: "php",
    program: "php",
    driver: "driver.php",
    extension: "php",
    install: withComposerPackage,
    manifest: "composer.json",
  },
};

export const readFileOf = (language, path) => readFileSync(folder(language, path), "utf8");

/** The version that a library's manifest names. */
export const versionOf = (language) =>
  /version"?\s*[:=]\s*"([\d.]+)"/i.exec(readFileOf(language, libraries[language].manifest))[1];

/** Runs a program to its end and returns its output. Fails if it fails. */
export async function runProgram(program, args, { env = {}, input = "", cwd } = {}) {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: "pipe", timeout: patience });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"])
    child[name].setEncoding("utf8").on("data", (chunk) => (output[name] += chunk));
  // A program that ends before it has read its input is judged by its status.
  child.stdin.on("error", () => {}).end(input);
  const { code, signal } = await finished(child);
  if (code !== 0)
    throw new Error(`${program} ${args.join(" ")} failed (${signal ?? code}):\n${output.stdout}${output.stderr}`);
  return output.stdout;
}

/** A call with each of its parts: `{method, args, options}`. */
const wholeCall = (call) => {
  if (!Array.isArray(call)) return { method: call.method, args: call.args, options: call.options };
  const [method, first, options = {}] = call;
  return { method, args: first === undefined ? [] : [first], options };
};

/**
 * Lets a library make `calls`, each `{method, args, options}` or `[method, argument, options]`, by the names of
 * TypeScript and with times in seconds. `options` are those of the client. Returns an outcome for each call: `{value}`,
 * where the bytes of a file are `{base64}`, or `{error}`.
 */
export async function drive(language, { baseUrl, apiKey, ...options }, calls) {
  const { program, driver, env } = libraries[language];
  const input = JSON.stringify({ baseUrl, apiKey, ...options, calls: calls.map(wholeCall) });
  return JSON.parse(await runProgram(program, [folder(language, "tests", driver)], { env, input }));
}

/** A text before a heading, and behind it. */
function parted(text, heading) {
  const parts = text.split(`\n## ${heading}\n`);
  if (parts.length !== 2) throw new Error(`a README has not one part "${heading}"`);
  return parts;
}

/** The programs of a README: the blocks before "Webhooks", and the receiver. */
export function programsOfReadme(language) {
  const { sends, receiver } = codeOfReadme(language);
  return [sends, receiver];
}

/** All code of a README: the commands that install, the blocks before "Webhooks", as one program, and the receiver. */
function codeOfReadme(language) {
  const [install, rest] = parted(readFileOf(language, "README.md"), "A first message");
  const [sends, receiver] = parted(rest, "Webhooks");
  const { fence } = libraries[language];
  return { install: blocksOf("sh", install), sends: blocksOf(fence, sends), receiver: blocksOf(fence, receiver) };
}

/** The blocks of a text as one program. In PHP, a block after the first one goes on where that ended. */
function blocksOf(language, text) {
  const blocks = [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)];
  const other = blocks.find(([, fence]) => fence !== language);
  if (other) throw new Error(`nothing runs the block of ${other[1]} among those of ${language}`);
  return blocks.map(([, , code]) => code).join("\n");
}

/** Runs the commands of a README that install the library, in this folder and with this environment. */
export const runInstall = (language, cwd, env) =>
  runProgram("bash", ["-euo", "pipefail", "-c", codeOfReadme(language).install], { cwd, env });

/** Runs the code of a README before "Webhooks" with this environment. Returns its output. */
export function runReadme(language, env) {
  const { program, env: own } = libraries[language];
  const code = codeOfReadme(language).sends;
  return withProgram(language, code, (file, cwd) => runProgram(program, [file], { env: { ...own, ...env }, cwd }));
}

/**
 * Lets `use` work with a function that hands a webhook (`{body, headers}`) to the receiver of a README and returns the
 * status of the answer.
 */
export const withReceiver = (language, secret, use) =>
  withReceiverOf(language, codeOfReadme(language).receiver, secret, use);

/** The same for any code of a receiver. */
export function withReceiverOf(language, receiver, secret, use) {
  const { program, env: own, feed } = libraries[language];
  const env = { ...own, PEYK_WEBHOOK_SECRET: secret };
  const code = receiver + (feed ?? "");
  return withProgram(language, code, async (file, cwd) => {
    if (!feed) return withPhpServer(file, { cwd, env }, use);
    const receive = async (event) => {
      const output = await runProgram(program, [file], { cwd, env, input: JSON.stringify(event) });
      return Number(output.trim().split("\n").at(-1));
    };
    await use(receive);
  });
}

/** PHP's own server chooses its port, and says it in its log. */
async function withPhpServer(file, { cwd, env }, use) {
  const child = spawn("php", ["-S", "127.0.0.1:0", file], { cwd, env: { ...process.env, ...env }, stdio: "pipe" });
  const ended = finished(child);
  try {
    const baseUrl = await new Promise((resolve, reject) => {
      let log = "";
      child.stderr.on("data", (chunk) => {
        log += chunk;
        const started = /\((http:\S+)\) started/.exec(log);
        if (started) resolve(started[1]);
      });
      ended.then(() => reject(new Error(`PHP's server ended: ${log}`)), reject);
    });
    await use(async (event) => (await fetch(baseUrl, { method: "POST", ...event })).status);
  } finally {
    child.kill();
    await ended;
  }
}

/** Makes a folder with a program and the installed library, lets `use` work with the program's path, and removes it. */
export async function withProgram(language, code, use) {
  const { install, extension, compiled = (same) => same } = libraries[language];
  const dir = mkdtempSync(join(tmpdir(), "peyk-client-"));
  try {
    install(dir);
    const file = join(dir, `program.${extension}`);
    writeFileSync(file, await compiled(code));
    return await use(file, dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
