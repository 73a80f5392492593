// What the pages of the doors say of calls and of programs is what the documents, the sources and the tests have. With `PROGRAMS=write` in
// the environment, the table of docs/doors.md is written anew.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { callsOfDocument, callsOfPage, doors, pathsOf, pathsOfSource, tableOf } from "../support/doors/tables.mjs";

const programs = JSON.parse(readFileSync(inRoot("tests", "doors", "programs.json"), "utf8"));
const page = inRoot("docs", "doors.md");
/** Their pages have no method where there is one for each path, or any will do. */
const withoutMethods = ["kavenegar", "ippanel"];

for (const door of doors) {
  test(`${door}: its page, its document and its source have the same calls`, () => {
    const document = callsOfDocument(door);
    const [onPage, inDocument] = withoutMethods.includes(door)
      ? [callsOfPage(door), document].map(pathsOf)
      : [callsOfPage(door), document];
    assert.ok(inDocument.length > 10, inDocument.join(", "));
    assert.deepEqual(onPage, inDocument);
    assert.deepEqual(pathsOfSource(door), pathsOf(document));
  });
}

test("docs/doors.md has the table that tests/doors/programs.json makes", () => {
  const text = readFileSync(page, "utf8");
  const made = text.replace(/^\| door \| program \|.*(\n\|.*)*/m, () => tableOf(programs));
  if (process.env.PROGRAMS === "write") writeFileSync(page, made);
  assert.ok(made.includes(tableOf(programs)), "docs/doors.md has no table of programs");
  assert.equal(
    readFileSync(page, "utf8"),
    made,
    "Write it anew: PROGRAMS=write node --test tests/native/doors.test.mjs",
  );
});

test("each program is run in a file that is there, and each library in the version that is pinned", () => {
  const pins = ["requirements.txt", "requirements-apart.txt"].map((file) => inRoot("tests", "support", "doors", file));
  const python = pins.map((file) => `\n${readFileSync(file, "utf8")}`).join("");
  const read = (...file) => JSON.parse(readFileSync(inRoot(...file), "utf8"));
  const npm = {
    ...read("package.json").devDependencies,
    ...read("tests", "support", "doors", "npm", "package.json").dependencies,
  };
  for (const { program, package: called = program, version, how, test, looked, door } of programs) {
    assert.ok(existsSync(inRoot("tests", "doors", `${test}.test.mjs`)), test);
    assert.ok(["library", "requests"].includes(how), how);
    assert.ok(
      door.split(", ").every((name) => doors.includes(name)),
      door,
    );
    assert.match(looked, /^\d{4}-\d\d-\d\d$/);
    const [name, registry] = called.replace(")", "").split(" (");
    // What Debian has is that of its release.
    const isPinned = {
      PyPI: python.includes(`\n${name}==${version} `),
      npm: npm[name] === version,
      Debian: true,
    };
    if (how === "library")
      assert.ok(registry ? isPinned[registry] : isPinned.PyPI || isPinned.npm, `${program} ${version}`);
  }
});
