// What must stay true, and the tests that hold it: from `tests/invariants.json` to `docs/invariants.md`.
import { readFileSync } from "node:fs";
import { filesUnder, inRoot } from "../../scripts/lib/base/paths.mjs";

const RUST = /#\[test\]\s*(?:#\[[^\]]*\]\s*|\/\/.*\s*)*fn (\w+)/g;
const SCRIPT = /\btest\w*\(\s*(?:"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`)/g;

/** The names of the tests in a file. What a name has from a variable is `…`. */
export function testsIn(file, text) {
  if (file.endsWith(".rs")) return [...text.matchAll(RUST)].map(([, name]) => name);
  if (!file.endsWith(".test.mjs")) return [];
  return [...text.matchAll(SCRIPT)].map(([, plain, template]) =>
    template === undefined ? JSON.parse(`"${plain}"`) : template.replace(/\$\{[^}]*\}/g, "…"),
  );
}

/** The files that have a test of each name. */
export function allTests() {
  const found = new Map();
  for (const file of ["src", "crates", "tests"].flatMap(filesUnder))
    if (/\.(rs|mjs)$/.test(file))
      for (const name of testsIn(file, readFileSync(inRoot(file), "utf8")))
        found.set(name, [...(found.get(name) ?? []), file]);
  return found;
}

/** What is wrong with the names: each must be that of one test. */
export function faultsOf(groups, tests) {
  const names = groups.flatMap(({ invariants }) => invariants.flatMap((invariant) => invariant.tests));
  return [...new Set(names)].flatMap((name) => {
    const files = tests.get(name) ?? [];
    if (files.length === 1) return [];
    return [files.length === 0 ? `no test is named ${name}` : `several tests are named ${name}: ${files.join(", ")}`];
  });
}

const head = `# Invariants

This page says what must stay true, and which tests hold it. Write a new invariant into \`tests/invariants.json\`, and then this
page anew: \`INVARIANTS=write node --test tests/native/invariants.test.mjs\`. The same test fails if a test with a name below is
gone.
`;

/** The page. */
export function pageOf(groups, tests) {
  const held = (name) => `[\`${name.replaceAll("`", "'")}\`](../${tests.get(name)?.[0]})`;
  const line = ({ says, tests: names }) => `- ${says}\n${names.map((name) => `  - ${held(name)}\n`).join("")}`;
  return head + groups.map(({ about, invariants }) => `\n## ${about}\n\n${invariants.map(line).join("")}`).join("");
}
