// `npm run serve` as a process of its own, on a folder of the test.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before } from "node:test";
import { environment, finished } from "../../scripts/lib/base/command.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";

/** A new place for folders of data, with the path of a key's file in it. `remove` removes all. */
export function newPlace() {
  const place = mkdtempSync(join(tmpdir(), "peyk-serve-"));
  const remove = () => rmSync(place, { recursive: true, force: true, maxRetries: 10 });
  return { data: join(place, "data"), keyFile: join(place, "key"), remove };
}

/**
 * Starts the command on a folder, with a port that the system chooses. Resolves when it serves or has ended, with `{baseUrl, child,
 * output, exited}`; `baseUrl` is missing if it has ended. `keyFile` is for the first start. `env` are more variables, `began` hears of the
 * process at once, and `inside` takes its words and returns those by which it starts elsewhere.
 */
export const startServing = (place, options) => started(place, options, /^Peyk serves .* on (http:\S+)$/m);

/** The same, of a service whose log is JSON. */
export const startLogging = (place, options) =>
  started(place, options, /"message":"Peyk serves \S+ on (http:[^"\\\s]+)/);

async function started(
  { data, keyFile },
  { args = [], env = {}, began = () => {}, inside = (words) => words } = {},
  serves,
) {
  const handover = keyFile && !existsSync(keyFile) ? ["--key-file", keyFile] : [];
  const words = [process.execPath, inRoot("scripts/serve.mjs"), "--data", data, "--port", "0", ...handover, ...args];
  const [program, ...rest] = inside(words);
  const child = spawn(program, rest, { env: environment(env), stdio: ["ignore", "pipe", "pipe"] });
  began(child);
  let text = "";
  const exited = finished(child);
  const baseUrl = await new Promise((resolve) => {
    const take = (piece) => {
      text += piece;
      const found = serves.exec(text);
      if (found) resolve(found[1]);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", take);
    exited.then(() => resolve(undefined));
  });
  return { baseUrl, child, exited, output: () => text };
}

/**
 * A service with the demo's data in a new folder, for all tests of a file. It is to the tests what `sharedServer` gives them, but for
 * the crashes, and stands behind its gate. A test that fails shows what the command has said.
 */
export function servedServer() {
  const place = newPlace();
  const server = {};
  let running;
  before(async () => {
    running = await startServing(place, { args: ["--demo"] });
    assert.ok(running.baseUrl, running.output());
    Object.assign(server, { baseUrl: running.baseUrl, adminKey: keyIn(place), ...demoIn(running.output()) });
  });
  afterEach((context) => {
    if (!context.passed) console.log(`What the command has said after "${context.name}":\n${running.output()}`);
  });
  after(async () => {
    running?.child.kill("SIGTERM");
    await running?.exited;
    place.remove();
  });
  return server;
}

/** The demo's data, as a first start with `--demo` tells them. */
export function demoIn(output) {
  const of = (what) => new RegExp(`^ +${what} +(\\S+)`, "m").exec(output)[1];
  return { accountId: of("account"), apiKey: of("API key"), testKey: of("test key"), line: of("line") };
}

/** The operator key of the first start. */
export const keyIn = ({ keyFile }) => readFileSync(keyFile, "utf8").trim();

/** The processes that a command has started, by a word of their command line. */
export function childrenOf(pid, word) {
  const ids = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
  return ids.filter((id) => readFileSync(`/proc/${id}/cmdline`, "utf8").includes(word));
}

/** Asks from an address of this machine, under any name, and returns `{status, headers, text, json}`. */
export function askFrom(localAddress, baseUrl, path, { method = "GET", headers = {}, body } = {}) {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const options = { hostname, port, path, method, headers, localAddress, agent: false };
    const asked = request(options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece) => (text += piece));
      response.on("end", () => {
        const json = text.startsWith("{") ? JSON.parse(text) : undefined;
        resolve({ status: response.statusCode, headers: response.headers, text, json });
      });
    });
    asked.on("error", reject).end(body && JSON.stringify(body));
  });
}
