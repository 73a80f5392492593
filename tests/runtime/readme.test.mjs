// The README, from top to bottom, as a reader follows it: each command runs, and what the text says comes true.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { call } from "../../scripts/lib/base/client.mjs";
import { finished } from "../../scripts/lib/base/command.mjs";
import { inRoot, root } from "../../scripts/lib/base/paths.mjs";
import { readArguments } from "../../scripts/lib/deploy/deploy.mjs";
import { until } from "../support/server.mjs";

const readme = readFileSync(inRoot("README.md"), "utf8");
const parts = Object.fromEntries(
  readme.split(/^## /m).map((part) => [part.slice(0, part.indexOf("\n")), part.slice(part.indexOf("\n"))]),
);
const blocks = (title, language = "sh") =>
  [...parts[title].matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(([, code]) => code);

/** The commands of npm, without their comments. The others are for a shell. */
const npmCommands = (code) =>
  code
    .split("\n")
    .filter((line) => /^np[mx] /.test(line))
    .map((line) => line.replace(/\s+#.*/, ""));
const forShell = (title) => blocks(title).filter((code) => npmCommands(code).length === 0);

const stateDir = mkdtempSync(join(tmpdir(), "peyk-readme-"));
const env = { ...process.env, STATE_DIR: stateDir };
let started;

/** Runs `npm start` on a port that is free, and returns what it prints when it serves. */
async function npmStart() {
  const { start } = JSON.parse(readFileSync(inRoot("package.json"), "utf8")).scripts;
  const [, , ...args] = start.split(" ");
  const child = spawn(process.execPath, args, { cwd: root, env: { ...env, PORT: String(await freePort()) } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  let over = false;
  const ended = finished(child).then(() => (over = true));
  const served = () => (over ? assert.fail(output) : output.includes("Ctrl-C stops it."));
  await until(served, { what: "npm start" });
  const found = (pattern) =>
    pattern.exec(output)?.[1] ?? assert.fail(`npm start does not print ${pattern}:\n${output}`);
  return {
    child,
    ended,
    base: found(/serving on (http:\S+)/),
    key: found(/API key {2,}(\S+)/),
    testKey: found(/test key {2,}(\S+)/),
    adminKey: found(/operator key {2,}(\S+)/),
    curl: found(/^(curl .+)$/m),
  };
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const asUsual = ". .wrangler/state/demo.sh";

/**
 * Runs code in a shell of its own, as the reader does who begins with this block. Returns what it prints, and the statuses of its
 * requests.
 */
async function shell(code) {
  const told = "curl() { command curl -w '%{stderr}status %{http_code}\\n' \"$@\"; }\n";
  const child = spawn("bash", ["-u", "-c", told + typed(code)], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  for (const name of Object.keys(output))
    child[name].setEncoding("utf8").on("data", (chunk) => (output[name] += chunk));
  await finished(child);
  const statuses = [...output.stderr.matchAll(/^status (\d+)$/gm)].map(([, status]) => Number(status));
  assert.equal(output.stderr.replace(/^status \d+\n/gm, ""), "", code);
  return { text: output.stdout, statuses };
}

/** The block as a reader would type it: with their own state, keys and address, and an SMSC that is not there. */
function typed(code) {
  const keys = [
    [asUsual, `. ${join(stateDir, "demo.sh")}`],
    [/^BASE=.*/m, `BASE=${started.base}`],
    [/^ADMIN_KEY=.*/m, `ADMIN_KEY=${started.adminKey}`],
    ["smsc.example.com", "127.0.0.1"],
  ];
  return keys.reduce((text, [from, to]) => text.replace(from, to), code);
}

/** What a shape of the README says of a value: the same members, in any order, with values of the same types. */
function shape(value) {
  if (Array.isArray(value)) return value.map(shape);
  if (value === null || typeof value !== "object") return value === null ? "null" : typeof value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, shape(value[name])]),
  );
}

before(async () => {
  started = await npmStart();
});
after(async () => {
  started?.child.kill("SIGTERM");
  await started?.ended;
  rmSync(stateDir, { recursive: true, force: true, maxRetries: 10 });
});

const isGood = (status) => status >= 200 && status < 300;

test("what npm start prints sends a message", async () => {
  const { text, statuses } = await shell(started.curl);
  assert.deepEqual(statuses, [201], text);
});

test("the test key of npm start sends, and pays nothing", async () => {
  const body = { message: "hello", recipients: ["09121234567"] };
  const { status, text, json } = await call(started.base, "POST", "/sms/send", { key: started.testKey, body });
  assert.deepEqual([status, json?.data.cost], [201, 0], text);
});

test("the first message is answered as shown, is delivered, and is paid", async () => {
  const [first, look] = forShell("Try it");
  const before = (await call(started.base, "GET", "/account/info", { key: started.key })).json.data.wallet;
  const { text, statuses } = await shell(first);
  assert.deepEqual(statuses, [201], text);
  const [answer, shown] = [text, blocks("Try it", "json")[0]].map((json) => JSON.parse(json));
  assert.deepEqual(shape(answer), shape(shown));
  const { uid: _, recipients: __, ...rest } = answer.data;
  const { uid: ___, recipients: ____, ...shownRest } = shown.data;
  assert.deepEqual(rest, shownRest);

  await until(async () => {
    const { text } = await shell(`${asUsual}\ncall GET /messages/${answer.data.uid}`);
    return JSON.parse(text).data.recipients[0].status === "DELIVERED";
  });
  const seen = await shell(look);
  assert.deepEqual(seen.statuses, [200, 200]);
  assert.match(seen.text, /"status":"DONE"/);
  assert.ok(seen.text.includes(`"availableBalance":${before.availableBalance - answer.data.cost},`), seen.text);
});

test("each command of using it is accepted, but for the one that shows an error", async () => {
  const wrong = /^(.*)# 422: (.*)$/gm;
  for (const code of forShell("Use it")) {
    const { text, statuses } = await shell(code);
    const errors = [...code.matchAll(wrong)];
    assert.ok(statuses.length > 0, code);
    assert.deepEqual(
      statuses.filter((status) => !isGood(status)),
      errors.map(() => 422),
      `${code}\n${text}`,
    );
    for (const [, , detail] of errors) assert.equal(JSON.parse(text).detail, detail);
  }
  const { text } = await shell(`${asUsual}\ncall GET '/messages?type=PHONEBOOK'; call GET '/messages?type=PATTERN'`);
  assert.match(text, /سلام %name%/);
  assert.match(text, /کد تحویل: 48213/);
});

test("each command of running it is accepted", async () => {
  for (const code of forShell("Run it")) {
    const { text, statuses } = await shell(code);
    assert.ok(statuses.length > 0 && statuses.every(isGood), `${statuses}\n${code}\n${text}`);
  }
  const ask = async (path) => JSON.parse((await shell(`${asUsual}\nadmin GET '${path}'`)).text).data;
  const { id } = (await ask("/accounts?limit=200")).find(({ username }) => username === "shop");
  const shop = await ask(`/accounts/${id}`);
  assert.deepEqual([shop.wallet.availableBalance, shop.defaultLine, shop.plan.slug], [1_000_000, "10003", "basic"]);
});

test("the load of the README runs", () => {
  const [command] = blocks("Try it")
    .flatMap(npmCommands)
    .filter((line) => line.includes("load"));
  const [, , , , ...args] = command.split(" ");
  const options = { cwd: root, env: { ...env, PORT: new URL(started.base).port }, encoding: "utf8" };
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/load.mjs", ...args], options);
  assert.equal(status, 0, stdout + stderr);
});

test("the other commands of the README are there, with arguments that they take", () => {
  const { scripts, dependencies } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
  const commands = [...readme.matchAll(/^(np[mx] .+?)(?:\s+#.*)?$/gm), ...readme.matchAll(/`(npm [^`]+)`/g)];
  assert.ok(commands.length > 5);
  for (const [, command] of commands) {
    const [program, ...words] = command.split(" ");
    const name = words[0] === "run" ? words[1] : words[0];
    assert.ok(program === "npx" ? dependencies[name] : scripts[name], command);
    if (name === "deploy") readArguments(words.slice(words.includes("--") ? words.indexOf("--") + 1 : words.length));
  }
});

test("each of the three readers finds what they need within two screens", () => {
  for (const title of ["Try it", "Use it", "Run it"])
    assert.ok(
      parts[title].trim().split("\n").length <= 70,
      `${title}: ${parts[title].trim().split("\n").length} lines`,
    );
});
