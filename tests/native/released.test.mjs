// What was released stays: a database that has a migration never gets it again.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import {
  advice,
  changedFiles,
  changedSinceTag,
  hashesIn,
  noteReleased,
  releasedIn,
} from "../../scripts/lib/release/released.mjs";

const home = mkdtempSync(join(tmpdir(), "peyk-released-"));
after(() => rmSync(home, { recursive: true, force: true }));

/** A copy of the migrations, in which somebody may change something. */
function copy() {
  const dir = mkdtempSync(join(home, "copy-"));
  cpSync(inRoot("migrations"), join(dir, "migrations"), { recursive: true });
  return { dir, migrations: join(dir, "migrations") };
}

const [first] = Object.keys(hashesIn());

test("no migration of a released version has changed or is gone", () => {
  assert.ok(releasedIn().length > 0);
  for (const [version, released] of releasedIn())
    assert.deepEqual(changedFiles(released), [], `of version ${version}: ${advice}`);
});

test("no migration of the newest tag has changed or is gone", () => {
  assert.deepEqual(changedSinceTag(), [], advice);
});

test("a released migration that changes, or goes, is found; a new one is no fault", () => {
  const released = hashesIn();
  const { migrations } = copy();
  writeFileSync(join(migrations, "9999_new.sql"), "CREATE TABLE later (id INTEGER)");
  assert.deepEqual(changedFiles(released, hashesIn(migrations)), []);
  appendFileSync(join(migrations, first), "\n");
  assert.deepEqual(changedFiles(released, hashesIn(migrations)), [first]);
  rmSync(join(migrations, first));
  assert.deepEqual(changedFiles(released, hashesIn(migrations)), [first]);
});

test("against a tag, too", () => {
  const { dir, migrations } = copy();
  const git = (...args) => {
    const { status, stdout } = spawnSync("git", args, { cwd: dir, encoding: "utf8" });
    return status === 0 ? stdout.trim() : null;
  };
  const person = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgSign=false"];
  const commit = () => {
    git("add", "-A");
    git(...person, "commit", "--quiet", "--no-verify", "-m", "a");
  };
  assert.deepEqual(changedSinceTag(git), [], "without git");
  git("init", "--quiet");
  commit();
  assert.deepEqual(changedSinceTag(git), [], "without a tag");
  for (const tag of ["v0.9.0", "vague"]) git("tag", tag);
  appendFileSync(join(migrations, first), "\n");
  commit();
  git("tag", "v0.10.0");
  writeFileSync(join(migrations, "9999_new.sql"), "SELECT 1");
  commit();
  assert.deepEqual(changedSinceTag(git), [], "0.10.0 is newer than 0.9.0");
  appendFileSync(join(migrations, first), "\n");
  assert.deepEqual(changedSinceTag(git), [`migrations/${first}, of v0.10.0`]);
  rmSync(join(migrations, first));
  assert.deepEqual(changedSinceTag(git), [`migrations/${first}, of v0.10.0`]);
});

test("a release notes its migrations, and other files beside the note are left alone", () => {
  const dir = join(home, "released", "1.2.3");
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "other.json"), "{}");
  mkdirSync(join(home, "released", "1.2.4"));
  noteReleased("1.2.3", dir);
  assert.deepEqual(JSON.parse(readFileSync(join(dir, "migrations.json"), "utf8")), hashesIn());
  assert.deepEqual(releasedIn(join(home, "released")), [["1.2.3", hashesIn()]]);
  assert.deepEqual(readdirSync(dir), ["migrations.json", "other.json"]);
});
