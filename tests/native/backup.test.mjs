// The copy of the stores that `npm run backup` makes, while another process writes them.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { readArchive } from "../../scripts/lib/backup/archive.mjs";
import { backup } from "../../scripts/lib/backup/backup.mjs";
import { markRestored } from "../../scripts/lib/backup/marks.mjs";
import { environment } from "../../scripts/lib/base/command.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { placesIn } from "../../scripts/lib/serve/folder.mjs";
import { copyBeforeUpgrade } from "../../scripts/lib/serve/upgrade-copy.mjs";

/** Runs a program that prints a line when it has begun, while `work` gets it. */
async function beside(program, work, ...args) {
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, ...args], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  try {
    await once(child.stdout, "data");
    return await work(child);
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

async function inFolder(work) {
  const dir = mkdtempSync(join(tmpdir(), "peyk-backup-"));
  try {
    return await work(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** So many that somebody who looks at one after the other finds the last one far ahead of the first. */
const databases = 40;

/** Counts in the last database and then in the first one, each in a transaction of its own. */
const counting = `
import { DatabaseSync } from "node:sqlite";
const open = (_, index) => {
  const db = new DatabaseSync(process.argv[1] + "/state/" + String(index).padStart(2, "0") + ".sqlite");
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; CREATE TABLE count (n INTEGER); INSERT INTO count VALUES (0)");
  return db.prepare("UPDATE count SET n = n + 1");
};
const steps = Array.from({ length: ${databases} }, open);
for (let round = 0; ; round += 1) {
  steps.at(-1).run();
  steps[0].run();
  if (round === 10) console.log("counts");
}`;

/** What the databases of an archive have counted. */
async function countsOf(archive, dir) {
  const counts = [];
  await readArchive(archive, async (path, body) => {
    const bytes = Buffer.concat(await body.toArray());
    if (!path.endsWith(".sqlite")) return;
    const file = join(dir, "read.sqlite");
    writeFileSync(file, bytes);
    const db = new DatabaseSync(file);
    counts.push([path, db.prepare("SELECT n FROM count").get().n]);
    db.close();
  });
  return counts.toSorted().map(([, count]) => count);
}

test("all databases of a backup are those of one instant, and the writer goes on", () =>
  inFolder(async (dir) => {
    const data = join(dir, "data");
    mkdirSync(join(data, "state"), { recursive: true });
    writeFileSync(join(data, "lock"), "");
    await beside(
      counting,
      async () => {
        let last = 0;
        for (let round = 0; round < 3; round += 1) {
          const to = join(dir, `${round}.tar.gz`);
          await backup({ data, to, say: () => {} });
          const counts = await countsOf(to, dir);
          assert.equal(counts.length, databases);
          const [first, second] = [counts.at(-1), counts[0]];
          assert.ok(first === second || first === second + 1, `${first} ${second}`);
          assert.ok(second > last, "the writer has gone on");
          last = second;
        }
      },
      data,
    );
  }));

test("files that are no databases are in a backup, and what SQLite has beside a database is not", () =>
  inFolder(async (dir) => {
    const [data, to] = [join(dir, "data"), join(dir, "to.tar.gz")];
    mkdirSync(join(data, "state", "blobs"), { recursive: true });
    const db = new DatabaseSync(join(data, "state", "a.sqlite"));
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; CREATE TABLE count (n INTEGER)");
    for (const [name, text] of Object.entries({
      "state/blobs/empty": "",
      "state/blobs/x": "text",
      "peyk.toml": "a = 1",
    }))
      writeFileSync(join(data, name), text);
    await backup({ data, to, say: () => {} });
    db.close();
    const found = {};
    const about = await readArchive(to, async (path, body) => {
      found[path] = Buffer.concat(await body.toArray()).length;
    });
    assert.equal(about.format, 1);
    assert.deepEqual(found, { "peyk.toml": 5, "state/a.sqlite": 8192, "state/blobs/empty": 0, "state/blobs/x": 4 });
  }));

test("a backup writes nowhere but into the folder of the data and its archive: the user of a service may have no home", () =>
  inFolder((dir) => {
    const [data, to] = [join(dir, "data"), join(dir, "to.tar.gz")];
    mkdirSync(join(data, "state"), { recursive: true });
    const env = { ...environment(), HOME: "/dev/null", XDG_CACHE_HOME: "" };
    const words = [inRoot("scripts", "backup.mjs"), "--data", data, "--to", to];
    const { status, stderr } = spawnSync(process.execPath, words, { env, encoding: "utf8" });
    assert.equal(status, 0, stderr);
    assert.deepEqual(readdirSync(data), ["state"]);
  }));

/** Makes a database of these statements. */
function made(file, ...statements) {
  const db = new DatabaseSync(file);
  for (const statement of statements) db.exec(statement);
  db.close();
}

const rowsOf = (file, query) => {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare(query).all();
  db.close();
  return rows;
};

test("rests of texts in the object of an SMPP carrier are forgotten by a restore, and no other object's rows", () =>
  inFolder((dir) => {
    const [directory, smpp, other] = ["d1", "smpp", "other"].map((name) => join(dir, `${name}.sqlite`));
    made(
      directory,
      "CREATE TABLE restore (account, number, target, reason, kept)",
      "CREATE TABLE plan (slug)",
      "CREATE TABLE d1_migrations (id)",
    );
    const rest = ["CREATE TABLE rest (id)", "INSERT INTO rest VALUES (1)"];
    made(smpp, ...rest, "CREATE TABLE seen (id)", "INSERT INTO seen VALUES (2)");
    made(other, ...rest);
    assert.equal(markRestored(dir, 0), 0, "there is no account");
    const counts = (file) => rowsOf(file, "SELECT count(*) AS n FROM rest")[0].n;
    assert.deepEqual([counts(smpp), counts(other)], [0, 1]);
    assert.equal(rowsOf(smpp, "SELECT id FROM seen").length, 1);
  }));

test("without a directory, or with two, nothing counts as restored", () =>
  inFolder((dir) => {
    assert.throws(() => markRestored(dir, 0), /no directory, or several/);
    for (const name of ["a", "b"])
      made(
        join(dir, `${name}.sqlite`),
        "CREATE TABLE restore (account, number, target, reason, kept)",
        "CREATE TABLE plan (slug)",
        "CREATE TABLE d1_migrations (id)",
      );
    assert.throws(() => markRestored(dir, 0), /no directory, or several/);
  }));

/** Lets a process stand still, and never returns. */
const holding = `
import { whileStill } from ${JSON.stringify(inRoot("scripts/lib/backup/standstill.mjs"))};
import { writeSync } from "node:fs";
await whileStill([Number(process.argv[1])], () => {
  writeSync(1, "still");
  for (;;);
});`;

const stateOf = ({ pid }) => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1][0];

test("a service goes on when the backup is killed for which it stands still", () =>
  beside('console.log("serves"); setInterval(() => {}, 1_000);', async (service) => {
    await beside(holding, () => assert.equal(stateOf(service), "T"), String(service.pid));
    while (stateOf(service) === "T") await sleep(10);
  }));

/** Holds the lock of a folder, as a service that another container runs. */
const locking = `
import { DatabaseSync } from "node:sqlite";
const db = new DatabaseSync(process.argv[1]);
db.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
console.log("holds");
setInterval(() => {}, 1_000);`;

test("data that somebody serves whom nobody can stop for a moment are not copied, and the file of a key is never", () =>
  inFolder(async (dir) => {
    const data = join(dir, "data");
    mkdirSync(join(data, "state"), { recursive: true });
    new DatabaseSync(join(data, "state", "one.sqlite")).close();
    for (const name of ["version.json", "operator-key"]) writeFileSync(join(data, name), "{}");
    const to = join(dir, "archive");
    const make = () => backup({ data, to, say: () => {} });
    await beside(
      locking,
      () => assert.rejects(make(), /a process serves .* that this command can't see/),
      join(data, "lock"),
    );
    assert.deepEqual(readdirSync(dir), ["data"]);
    await make();
    const paths = [];
    await readArchive(to, async (path, body) => {
      paths.push(path);
      for await (const _ of body);
    });
    assert.ok(paths.includes("version.json"), `${paths}`);
    assert.ok(!paths.includes("operator-key"), `${paths}`);
  }));

/** A folder of data that this version has served last, with one database. */
function dataOf(dir, peyk) {
  const places = placesIn(join(dir, "data"));
  mkdirSync(places.state, { recursive: true });
  const db = new DatabaseSync(join(places.state, "one.sqlite"));
  db.exec("CREATE TABLE IF NOT EXISTS one (n INTEGER)");
  db.close();
  writeFileSync(places.version, JSON.stringify({ peyk, format: 1 }));
  return places;
}

test("an upgrade copies the data of an older version, and those of the last two are kept", () =>
  inFolder(async (dir) => {
    const copied = async (from, to, options = { isWanted: true }) => {
      const places = dataOf(dir, from);
      await copyBeforeUpgrade(places, to, options);
      return existsSync(places.copies) ? readdirSync(places.copies).toSorted() : [];
    };
    assert.deepEqual(await copied("0.9.0", "0.9.0"), [], "it is the same version");
    assert.deepEqual(await copied("0.9.0", "0.10.0", { isWanted: false }), []);
    assert.deepEqual(await copied("0.9.0", "0.10.0"), ["peyk-0.9.0.tar.gz"]);
    assert.deepEqual(await copied("0.10.0", "0.11.0"), ["peyk-0.10.0.tar.gz", "peyk-0.9.0.tar.gz"]);
    assert.deepEqual(await copied("0.11.0", "0.12.0"), ["peyk-0.10.0.tar.gz", "peyk-0.11.0.tar.gz"]);
    const files = [];
    await readArchive(join(dir, "data", "copies", "peyk-0.11.0.tar.gz"), (path, body) => {
      files.push(path);
      body.resume();
    });
    assert.deepEqual(files.toSorted(), ["state/one.sqlite", "version.json"], "the copies are not copied");
  }));

test("an upgrade that has no room for the copy changes nothing", () =>
  inFolder(async (dir) => {
    const places = dataOf(dir, "0.9.0");
    const before = readdirSync(places.dir);
    const room = () => 64 << 20;
    await assert.rejects(
      copyBeforeUpgrade(places, "0.10.0", { isWanted: true, room }),
      /copies the data first, and .* has 64 MiB of room, not 65\. .* start once with --no-copy/,
    );
    assert.deepEqual(readdirSync(places.dir), before);
  }));
