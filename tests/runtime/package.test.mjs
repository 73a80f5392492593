// The package for a machine of one's own, unpacked where there is Node.js and nothing else of Peyk, no network, and nothing that can be
// written but the data: started, used and copied by the commands that the Dockerfile and the unit name.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { inRoot, root } from "../../scripts/lib/base/paths.mjs";
import { contents } from "../../scripts/lib/package/contents.mjs";
import { makePackage } from "../../scripts/lib/package/package.mjs";
import { configured } from "../../scripts/lib/runtime/runtime.mjs";
import { ended, openRoom, said } from "../support/package-room.mjs";
import { until } from "../support/server.mjs";

const place = mkdtempSync(join(tmpdir(), "peyk-package-"));
const own = join(place, "package");
const { arch } = process;
const archive = await makePackage({ arch, say: () => {}, into: place });
mkdirSync(own);
run("tar", "-xzf", archive, "-C", own, "--strip-components=1");
const room = await openRoom(place);
const children = [];
after(() => {
  for (const child of children) child.kill("SIGKILL");
  room.close();
  rmSync(place, { recursive: true, force: true, maxRetries: 10 });
});

function run(program, ...args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: "utf8", maxBuffer: 64 << 20 });
  assert.equal(status, 0, stderr ?? error?.message);
  return stdout;
}

/** What the container does, by the name of the instruction: words of a command, or a text. */
const container = Object.fromEntries(
  readFileSync(inRoot("packaging", "Dockerfile"), "utf8")
    .replaceAll("\\\n", " ")
    .split(/^FROM /m)
    .at(-1)
    .split("\n")
    .flatMap((line) => [...line.matchAll(/^([A-Z]+) (.*?)(\[.*\])?$/g)])
    .map(([, name, text, words]) => [name, words ? JSON.parse(words) : text]),
);
const port = room.isApart ? [] : ["--port", room.at.port];
const peyk = room.words(container.ENTRYPOINT);
const baseUrl = `http://127.0.0.1:${room.at.port}`;

function start(words, env) {
  const child = room.start(words, env);
  children.push(child);
  return child;
}

const command = (...words) => ended(start([...peyk, ...words]));
const isHealthy = async () => (await ended(start(room.words(container.HEALTHCHECK)))).status === 0;
const javascript = (code) => ended(start(["node", "--input-type=module", "-e", code]));

/** Starts the service, and resolves with the child when it serves. */
async function serving(words) {
  const child = start(words);
  child.told = await said(child, /^Peyk serves [\s\S]*\n\n/m);
  return child;
}

async function stop(child) {
  const over = new Promise((resolve) => child.once("close", (status, signal) => resolve({ status, signal })));
  child.kill("SIGTERM");
  assert.deepEqual(await over, { status: 0, signal: null });
}

/** Runs code of a shell as somebody on the machine, with the service's address and a key. */
async function shell(code, key) {
  const { status, output } = await ended(room.visit(["sh", "-c", code], { BASE: baseUrl, KEY: key }));
  assert.equal(status, 0, output);
  return JSON.parse(output);
}

/** The form of a file in a package. */
const formOf = (path, mode, bytes) => `${path} ${mode.toString(8)} ${createHash("sha256").update(bytes).digest("hex")}`;

test("the same tree gives the same package: its files are those of a second list, and it says nothing of when and where it was made", async () => {
  const { name, files } = await contents(arch);
  // As docs/self-hosting.md says.
  assert.ok(statSync(archive).size < 60e6 && files.reduce((sum, { size }) => sum + size, 0) < 210e6);
  const listed = files.map(({ path, mode, file, bytes }) => formOf(path, mode, bytes ?? readFileSync(file)));
  const found = readdirSync(own, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => formOf(file.slice(own.length + 1), statSync(file).mode & 0o777, readFileSync(file)));
  assert.deepEqual(found.toSorted(), listed.toSorted());
  const lines = run("tar", "--list", "--verbose", "--numeric-owner", "--full-time", "--utc", "-zf", archive)
    .trim()
    .split("\n");
  assert.ok(lines.length > files.length);
  for (const line of lines) assert.match(line, new RegExp(`^\\S+ 0/0 +\\d+ 2020-01-01 00:00:00 ${name}/`));
  const { rootPath } = (await configured(inRoot("wrangler.toml"))).workerOptions;
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), ".cargo");
  for (const { path, file, bytes } of files.filter(({ path }) => !path.endsWith("/bin/workerd"))) {
    const text = (bytes ?? readFileSync(file)).toString("latin1");
    // What wrangler.toml says was read in this checkout, or in one that lent its build.
    const places = [root, cargoHome, ...(path.startsWith("build/configured/") ? [rootPath] : [])];
    for (const one of places) assert.ok(!text.includes(one), `${path} names ${one}`);
  }
});

test("the room has no network, and in it nothing can be written but the data and /tmp", {
  skip: room.why ?? false,
}, async () => {
  const { output } = await javascript(`
    import { writeFileSync } from "node:fs";
    const codes = await Promise.all(["1.1.1.1", "[2606:4700:4700::1111]"].map((host) => fetch("http://" + host).catch((error) => error.cause.code)));
    for (const dir of ["/opt/peyk", "/", "/etc", "/var/lib", "/tmp", "/var/lib/peyk"])
      try { writeFileSync(dir + "/.probe", ""); codes.push(dir); } catch (error) { codes.push(error.code); }
    console.log(codes.join(" "));`);
  assert.equal(output.trim(), "ENETUNREACH ENETUNREACH EROFS EROFS EROFS EROFS /tmp /var/lib/peyk");
  rmSync(join(place, "data", ".probe"));
});

test("without Node.js, a package says what is missing", async () => {
  const { status, output } = await ended(start([...peyk, "serve"], { PATH: "/nowhere" }));
  assert.equal(status, 1);
  assert.match(output, /^peyk: Node\.js is missing: .*Install Node\.js 22\.16 or newer\.\n$/);
});

let service;

test("the container's command serves, and its check of health says so", async () => {
  assert.equal(await isHealthy(), false);
  service = await serving([...peyk, ...room.words(container.CMD), ...port, "--demo"]);
  await until(isHealthy, { what: "a healthy container" });
  assert.match(container.USER, /^[1-9]\d*:[1-9]\d*$/);
  assert.equal(container.STOPSIGNAL, "SIGTERM");
  assert.equal(container.EXPOSE, "8787");
  for (const name of ["backup", "restore", "operator-key", "rotate", "export", "import"]) {
    const { status, output } = await command(name, "--help");
    assert.equal(status, 0, output);
    assert.ok(output.startsWith(`peyk ${name} `) && !output.includes("npm run"), output);
  }
  const { output } = await command("--version");
  assert.equal(output.trim(), JSON.parse(readFileSync(inRoot("package.json"), "utf8")).version);
});

let key;
let uid;

test("the README's first request sends a message, which is delivered", async () => {
  key = /API key {2,}(\S+)/.exec(service.told)[1];
  const readme = readFileSync(inRoot("README.md"), "utf8");
  const [curl] = /^curl .*"\$BASE\/sms\/send"[\s\S]*?'$/m.exec(readme);
  ({ uid } = (await shell(curl, key)).data);
  const statusOf = async () => (await messageOf()).recipients[0].status;
  await until(async () => (await statusOf()) === "DELIVERED", { what: "the delivery" });
});

const messageOf = async () =>
  (await shell(`curl -s "$BASE/messages/${uid}" -H "Authorization: Bearer $KEY"`, key)).data;

test("a whole service can be moved from a package", async () => {
  const { output: operator } = await ended(start(["cat", `${room.at.temporary}/operator-key`]));
  const words = [...peyk, "export", "--from", baseUrl, "--dry-run"];
  const { status, output } = await ended(start(words, { PEYK_API_KEY: operator.trim() }));
  assert.equal(status, 0, output);
  assert.match(output, /would freeze it and write 1 accounts /);
});

test("a backup is made while it serves, SIGTERM ends it in order, and the unit's command serves what was restored", async () => {
  const [file, restored] = ["backup.tar.gz", "restored"].map((name) => `${room.at.temporary}/${name}`);
  const made = await command("backup", "--data", room.at.data, "--to", file);
  assert.equal(made.status, 0, made.output);
  await stop(service);
  const rotated = await command("rotate", "--data", room.at.data);
  assert.equal(rotated.status, 0, rotated.output);
  const back = await command("restore", "--from", file, "--data", restored);
  assert.equal(back.status, 0, back.output);
  const another = await command("operator-key", "--data", restored, "--key-file", `${room.at.temporary}/another`);
  assert.equal(another.status, 0, another.output);
  const unit = readFileSync(inRoot("packaging", "peyk.service"), "utf8");
  const words = room.words(/^ExecStart=(.*)$/m.exec(unit)[1].split(" "));
  service = await serving([...words.map((word) => (word === room.at.data ? restored : word)), ...port]);
  assert.equal((await messageOf()).recipients[0].status, "DELIVERED");
  await stop(service);
});

test("what a package can't do is refused", async () => {
  for (const [words, told] of [
    [
      ["operator-key", "production", "--key-file", "x"],
      /Unexpected argument 'production'[\s\S]*`peyk operator-key --help`/,
    ],
    [["operator-key", "--key-file", "x"], /--data DIR must name the folder/],
    [["deploy"], /there is no command "deploy"/],
  ]) {
    const { status, output } = await command(...words);
    assert.deepEqual([status, told.test(output)], [1, true], output);
  }
});

const analyze = spawnSync("systemd-analyze", ["--version"]).status === 0;

test("systemd takes the unit", { skip: analyze ? false : "systemd-analyze is not installed" }, async () => {
  const checks = [
    "systemd-analyze",
    "verify",
    "--man=no",
    room.isApart ? "/opt/peyk/packaging/peyk.service" : inRoot("packaging", "peyk.service"),
  ];
  const { output } = await ended(room.visit(checks));
  const ours = output.split("\n").filter((line) => line.includes("peyk"));
  // Outside a room, the package is not where the unit has it.
  assert.deepEqual(room.isApart ? ours : ours.filter((line) => !line.includes("/opt/peyk/bin/peyk")), []);
});
