// The migrations that a release has brought to databases. D1 knows a migration by the name of its file, so a file that changes later
// changes no database that has it already.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { outputOf } from "../base/command.mjs";
import { inRoot } from "../base/paths.mjs";

export const advice = "a migration that was released never changes: add a new file";

const fileOf = (dir) => join(dir, "migrations.json");

/** The hashes of the files of a folder, by their names. */
export function hashesIn(dir = inRoot("migrations")) {
  const hash = (name) =>
    createHash("sha256")
      .update(readFileSync(join(dir, name)))
      .digest("hex");
  return Object.fromEntries(
    readdirSync(dir)
      .sort()
      .map((name) => [name, hash(name)]),
  );
}

/** Notes the migrations of today as those of a version, and returns the path of the note. */
export function noteReleased(version, dir = inRoot("tests", "released", version)) {
  mkdirSync(dir, { recursive: true });
  writeFileSync(fileOf(dir), `${JSON.stringify(hashesIn(), null, 2)}\n`);
  return fileOf(dir);
}

/** What each noted version has released: `[version, hashes]`. */
export function releasedIn(dir = inRoot("tests", "released")) {
  if (!existsSync(dir)) return [];
  const versions = readdirSync(dir).filter((version) => existsSync(fileOf(join(dir, version))));
  return versions.map((version) => [version, JSON.parse(readFileSync(fileOf(join(dir, version)), "utf8"))]);
}

/** The names of the released files that are other ones now, or gone. */
export const changedFiles = (released, now = hashesIn()) =>
  Object.keys(released).filter((name) => released[name] !== now[name]);

/** The same for the newest tag of a version. A clone may have no tags, and an archive no git: nothing is known of these then. */
export function changedSinceTag(git = (...args) => outputOf("git", args)) {
  const tags = git("tag", "--list", "v*", "--sort=-version:refname")?.split("\n") ?? [];
  const newest = tags.find((tag) => /^v\d+\.\d+\.\d+$/.test(tag));
  const changed = newest && git("diff", "--no-renames", "--name-only", "--diff-filter=a", newest, "--", "migrations");
  return changed ? changed.split("\n").map((path) => `${path}, of ${newest}`) : [];
}
