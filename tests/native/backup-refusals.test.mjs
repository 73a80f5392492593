// What `npm run backup` and `npm run restore` refuse so that a service goes on, and what they say of a disk that doesn't do its part.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { readArchive } from "../../scripts/lib/backup/archive.mjs";
import { backup } from "../../scripts/lib/backup/backup.mjs";
import { restore } from "../../scripts/lib/backup/restore.mjs";
import { environment, Failure } from "../../scripts/lib/base/command.mjs";
import { inWords } from "../../scripts/lib/base/disk-errors.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";

const home = mkdtempSync(join(tmpdir(), "peyk-backup-refusals-"));
after(() => rmSync(home, { recursive: true, force: true }));
let made = 0;

/** A new folder of data with so many databases, and the path of an archive of it. The first database takes 4 MiB. */
function newData(databases = 1) {
  made += 1;
  const place = join(home, `${made}`);
  const [data, to] = [join(place, "data"), join(place, "to.tar.gz")];
  mkdirSync(join(data, "state"), { recursive: true });
  for (let index = 0; index < databases; index += 1) {
    const db = new DatabaseSync(join(data, "state", `${index}.sqlite`));
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; CREATE TABLE one (n)");
    if (index === 0) db.exec("INSERT INTO one VALUES (zeroblob(4000000))");
    db.close();
  }
  writeFileSync(join(data, "version.json"), "{}");
  return { place, data, to, make: (options) => backup({ data, to, say: () => {}, ...options }) };
}

const command = (name, ...words) => [process.execPath, inRoot("scripts", `${name}.mjs`), ...words];
const run = ([program, ...words]) => spawnSync(program, words, { env: environment(), encoding: "utf8" });

/** Nothing is left of a backup that failed. */
function assertNothingLeft({ place, data }) {
  assert.deepEqual(readdirSync(place), ["data"]);
  assert.deepEqual(readdirSync(data).toSorted(), ["state", "version.json"]);
}

test("a backup that would fill the disk of the data is not begun, or ends, and leaves nothing", async () => {
  const it = newData();
  // The archive stands on the same disk.
  const needed = (2 * statSync(join(it.data, "state", "0.sqlite")).size) / (1 << 20) + 512;
  const told = new RegExp(
    `has 100 MiB of room, and this backup needs ${Math.ceil(needed)}: .* or name a file on another`,
  );
  await assert.rejects(it.make({ room: () => 100 << 20 }), told);
  assertNothingLeft(it);
  const rooms = [2 ** 40, 100 << 20];
  await assert.rejects(it.make({ room: () => rooms.shift() }), told);
  assertNothingLeft(it);
  await it.make({ room: () => Math.ceil(needed) << 20 });
  assert.ok(existsSync(it.to));
});

test("where a process may open too few files for all databases, a backup names the limit and leaves nothing", () => {
  const it = newData(60);
  const limited = (files) =>
    run(["sh", "-c", `ulimit -n ${files}; exec "$@"`, "sh", ...command("backup", "--data", it.data, "--to", it.to)]);
  const { status, stderr } = limited(120);
  assert.equal(status, 1);
  const [, needed] = /peyk: a backup opens all 60 databases .*`ulimit -n (\d+)` .* LimitNOFILE=\1 /.exec(stderr) ?? [];
  assert.ok(needed, stderr);
  assertNothingLeft(it);
  const again = limited(needed);
  assert.equal(again.status, 0, again.stderr);
});

test("settings and secrets that are links, also to another disk, come into a backup as what they lead to", async () => {
  const it = newData();
  const elsewhere = existsSync("/dev/shm") ? mkdtempSync("/dev/shm/peyk-") : mkdtempSync(join(it.place, "elsewhere-"));
  try {
    writeFileSync(join(elsewhere, "secret"), "SECRET_KEY=x");
    symlinkSync(join(elsewhere, "secret"), join(it.data, "secret"));
    writeFileSync(join(it.data, ".settings"), "MAX_PARTS = 3");
    symlinkSync(".settings", join(it.data, "peyk.toml"));
    await it.make();
    const found = {};
    await readArchive(it.to, async (path, body) => {
      found[path] = `${Buffer.concat(await body.toArray())}`;
    });
    assert.deepEqual([found.secret, found["peyk.toml"]], ["SECRET_KEY=x", "MAX_PARTS = 3"]);
  } finally {
    rmSync(elsewhere, { recursive: true });
  }
});

const otherDisk = existsSync("/dev/shm") && statSync("/dev/shm").dev !== statSync(home).dev;

test("stores on another disk than their folder are refused in words", {
  skip: otherDisk ? false : "/dev/shm is no disk of its own",
}, async () => {
  const it = newData();
  const elsewhere = mkdtempSync("/dev/shm/peyk-");
  try {
    rmSync(join(it.data, "state"), { recursive: true });
    symlinkSync(elsewhere, join(it.data, "state"));
    await assert.rejects(it.make(), /state stands on another disk than .*, and a backup needs both on one/);
    assertNothingLeft(it);
  } finally {
    rmSync(elsewhere, { recursive: true });
  }
});

test("no backup and no restore puts the secret where git could take it along", async () => {
  const it = newData();
  const inside = inRoot("backup-of-a-test.tar.gz");
  after(() => rmSync(inside, { force: true }));
  await assert.rejects(
    it.make({ to: inside }),
    /is in the checkout, where git could take it along, and it has the secret/,
  );
  await it.make();
  const data = inRoot("restored-by-a-test", "data");
  await assert.rejects(
    restore({ from: it.to, data, say: () => {} }),
    /is in the checkout, where git could take the secret/,
  );
  assert.ok(!existsSync(inside) && !existsSync(dirname(data)));
});

test("errors of the disk are told in a sentence, and others as they are", async () => {
  const failing = (error) => () => Promise.reject(Object.assign(new Error("told by the system"), error));
  for (const [error, reason] of [
    [{ code: "ENOSPC" }, "the disk is full"],
    [{ code: "EDQUOT" }, "the quota of this user is used up"],
    [{ code: "EMFILE" }, "this process may open no more files; `ulimit -n` says how many"],
    [{ code: "EACCES" }, "this user may not do that"],
    [{ code: "ERR_SQLITE_ERROR", errcode: 13 }, "the disk is full"],
    [{ code: "ERR_SQLITE_ERROR", errcode: 10 | (3 << 8) }, "the disk does not work"],
  ])
    await assert.rejects(inWords("nothing was done", failing(error)), (told) => {
      assert.ok(told instanceof Failure);
      assert.equal(told.message, `nothing was done: ${reason} (told by the system).`);
      return true;
    });
  for (const error of [{ code: "ERR_SQLITE_ERROR", errcode: 1 }, {}, { code: "ENOENT" }])
    await assert.rejects(inWords("nothing was done", failing(error)), { name: "Error", message: "told by the system" });
});

/** Runs a program of a shell on small disks of its own, in namespaces of the kernel. */
const apart = (program, ...words) => run(["unshare", "-rm", "sh", "-c", `set -e\n${program}`, "sh", ...words]);
const { status, stderr, error } = apart(`mkdir "$1"; mount -t tmpfs tmpfs "$1"`, join(home, "probe"));
const skip = status === 0 ? false : `no disk can be made here: ${stderr ?? error?.message}`;

test("a backup and a restore onto a disk that is full say so in a sentence, and leave nothing", { skip }, () => {
  const it = newData();
  const disk = join(it.place, "disk");
  mkdirSync(disk);
  const db = new DatabaseSync(join(it.data, "state", "0.sqlite"));
  db.exec("INSERT INTO one VALUES (randomblob(3000000))");
  db.close();
  const onDisk = (size, ...words) =>
    apart(
      `mount -t tmpfs -o size=${size} tmpfs "$1"; shift; "$@" || true; ls -A "$0"`.replace("$0", disk),
      disk,
      ...words,
    );
  const full = onDisk("1m", ...command("backup", "--data", it.data, "--to", join(disk, "to.tar.gz")));
  assert.match(full.stderr, /^\npeyk: the backup was not made: the disk is full \(.*\)\.\n$/);
  assert.equal(full.stdout, "");
  const whole = run(command("backup", "--data", it.data, "--to", it.to));
  assert.equal(whole.status, 0, whole.stderr);
  const back = onDisk("3m", ...command("restore", "--from", it.to, "--data", disk));
  assert.match(back.stderr, /^\npeyk: nothing was restored: the disk is full \(.*\)\.\n$/);
  assert.equal(back.stdout, "");
});

test("the root of a disk of its own may take a restore, and what belongs to the file system stays in it", async () => {
  const it = newData();
  const root = join(it.place, "root");
  mkdirSync(join(root, "lost+found"), { recursive: true });
  await it.make();
  await assert.rejects(restore({ from: it.to, data: root, say: () => {} }), /has no directory/);
  assert.deepEqual(readdirSync(root), ["lost+found"]);
  const db = new DatabaseSync(join(it.data, "state", "0.sqlite"));
  for (const table of ["restore (account, number, target, reason, kept)", "plan (slug)", "d1_migrations (id)"])
    db.exec(`CREATE TABLE ${table}`);
  db.close();
  const to = join(it.place, "whole.tar.gz");
  await it.make({ to });
  await restore({ from: to, data: root, say: () => {} });
  assert.deepEqual(readdirSync(root).toSorted(), ["lost+found", "state", "version.json"]);
});
