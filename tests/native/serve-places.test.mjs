// The folders that `npm run serve` works with: the data under one name, what a killed command has left, and where sockets may stand.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { environment, Failure } from "../../scripts/lib/base/command.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { shellWord } from "../../scripts/lib/base/shell-word.mjs";
import { ensureClock, ensureFolder, placesIn } from "../../scripts/lib/serve/folder.mjs";
import { holdFolder } from "../../scripts/lib/serve/hold.mjs";
import { ensureSecretInFile, secretsOf } from "../../scripts/lib/serve/secrets.mjs";
import { makeSockets } from "../../scripts/lib/serve/service/sockets.mjs";

const home = mkdtempSync(join(tmpdir(), "peyk-serve-places-"));
// A start takes away what it finds in the folder for temporary files and takes for its own: it finds nothing of others here.
process.env.TMPDIR = home;
after(() => rmSync(home, { recursive: true, force: true }));
let made = 0;
const newFolder = (name = "data") => {
  made += 1;
  const dir = join(home, `${made}`, name);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return dir;
};

test("a folder has one name before it is there, too, where a link leads to a folder above it", () => {
  const dir = newFolder();
  symlinkSync(dir, `${dir}-link`);
  const [behind, direct] = [`${dir}-link`, dir].map((parent) => placesIn(join(parent, "one", "data")));
  assert.deepEqual(behind, direct);
  mkdirSync(direct.dir, { recursive: true });
  assert.deepEqual(placesIn(join(`${dir}-link`, "one", "data")), direct);
});

test("the root of a disk of its own may take the data: what belongs to the file system is nobody's data", () => {
  const dir = newFolder();
  mkdirSync(join(dir, "lost+found"));
  ensureFolder(placesIn(dir));
  assert.deepEqual(readdirSync(dir), ["lost+found"]);
});

test("a command in a message can be copied whatever the folder is called", () => {
  const names = ["data", "my data", "it's", "$(id)", "a;b", "ü"];
  const words = names.map((name) => join("/srv", name));
  const { stdout } = spawnSync("sh", ["-c", `printf '%s\\n' ${words.map(shellWord).join(" ")}`], { encoding: "utf8" });
  assert.deepEqual(stdout.trim().split("\n"), words);
  assert.equal(shellWord("/var/lib/peyk"), "/var/lib/peyk");
  const dir = newFolder("my data");
  mkdirSync(join(dir, "state", "do"), { recursive: true });
  assert.throws(() => ensureClock(placesIn(dir), 0), { message: /`find '\S* data\/state' -newermt now -exec/ });
});

test("a secret in the environment is refused, and named is the file in which it has an effect", () => {
  const places = placesIn(newFolder());
  ensureSecretInFile(places, {});
  for (const name of ["SECRET_KEY", "SECRET_KEY_OLD"])
    assert.throws(
      () => ensureSecretInFile(places, { [name]: "x" }),
      (error) => error instanceof Failure && error.message.includes(`Put the line ${name}=… into that file`),
    );
  assert.ok(!existsSync(places.secret));
  assert.equal(secretsOf(places).SECRET_KEY.length, 44);
});

/** Has the lock of a folder until a moment after it has said so, as a backup that looks whether anybody serves the folder. */
const looking = `
import { DatabaseSync } from "node:sqlite";
const db = new DatabaseSync(process.argv[1]);
db.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
console.log("looks");
setTimeout(() => db.close(), 100);`;

const begun = (program, ...args) => {
  const words = ["--input-type=module", "-e", program, ...args];
  return spawn(process.execPath, words, { stdio: ["ignore", "pipe", "ignore"] });
};

test("a start waits while somebody has the lock for a moment, and takes away what killed commands for its folder have left", async () => {
  const [places, other] = [placesIn(newFolder()), newFolder("other")];
  const temporary = newFolder("tmp");
  process.env.TMPDIR = temporary;
  const socketsOf = (dir) => {
    process.env.PEYK_FOLDER = dir;
    return makeSockets().dir;
  };
  try {
    const dead = socketsOf(places.dir);
    mkdirSync(join(dead, "miniflare-x"));
    const alive = [socketsOf(other), join(temporary, "peyk-of-nobody")];
    mkdirSync(alive[1]);
    const scratch = join(places.dir, ".backup.unfinished");
    for (const dir of [scratch, join(places.dir, ".backup.lock")]) mkdirSync(dir);
    // A process that is gone.
    writeFileSync(join(places.dir, ".backup.lock", "pid"), `${spawnSync("true").pid}`);
    const child = begun(looking, places.lock);
    const ended = once(child, "exit");
    await once(child.stdout, "data");
    await holdFolder(places, "0.1.0");
    await ended;
    assert.deepEqual([dead, scratch].map(existsSync), [false, false]);
    assert.deepEqual(alive.map(existsSync), [true, true]);
    assert.deepEqual(readdirSync(places.dir), ["lock"]);
  } finally {
    process.env.TMPDIR = home;
  }
});

test("what a backup that is at work has in the folder stays", async () => {
  const places = placesIn(newFolder());
  for (const name of [".backup.unfinished", ".backup.lock"]) mkdirSync(join(places.dir, name));
  writeFileSync(join(places.dir, ".backup.lock", "pid"), `${process.pid}`);
  await holdFolder(places, "0.1.0");
  assert.ok(existsSync(join(places.dir, ".backup.unfinished")));
});

/** Runs the command until it refuses. */
function refusal(args) {
  const words = [inRoot("scripts", "serve.mjs"), ...args];
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: "utf8", env: environment() });
  assert.equal(status, 1, stderr);
  return stderr;
}

test("a host of no letters is refused before anything is made", () => {
  const dir = join(newFolder(), "none");
  for (const host of ["", "[]", " "])
    assert.match(refusal(["--data", dir, "--host", host]), /--host must name an address of this machine/);
  assert.ok(!existsSync(dir));
});

test("a folder for temporary files whose path is too long for a socket, or that is not there, is named", () => {
  const dir = join(newFolder(), "x".repeat(100));
  mkdirSync(dir);
  const program = `
    import { makeSockets } from ${JSON.stringify(inRoot("scripts/lib/serve/service/sockets.mjs"))};
    try { const { dir, pathOf } = makeSockets(); console.log(pathOf("control").length) } catch (error) { console.log(error.constructor.name, error.message) }`;
  const said = (TMPDIR) =>
    spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      encoding: "utf8",
      env: environment({ TMPDIR }),
    }).stdout;
  assert.match(said(dir), /^Failure the folder for temporary files, .* has too long a path for sockets: .*Set TMPDIR/);
  assert.match(said(join(dir, "..", "none")), /^Failure nothing can be written into .*none: .*Set TMPDIR/);
  const parent = newFolder();
  const longest = join(parent, "y".repeat(107 - `${parent}//peyk-XXXXXX/control:0`.length));
  mkdirSync(longest);
  assert.equal(said(longest), "107\n");
});
