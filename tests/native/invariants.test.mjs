// Each invariant has tests that exist. With `INVARIANTS=write` in the environment, docs/invariants.md is written anew.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { allTests, faultsOf, pageOf, testsIn } from "../support/invariants.mjs";

const groups = JSON.parse(readFileSync(inRoot("tests", "invariants.json"), "utf8"));
const tests = allTests();
const page = inRoot("docs", "invariants.md");

test("each invariant names tests that are there, once", () => {
  assert.deepEqual(faultsOf(groups, tests), []);
  for (const { invariants } of groups)
    for (const { says, tests: names } of invariants) assert.ok(/\.$/.test(says) && names.length > 0, says);
});

test("docs/invariants.md is what tests/invariants.json makes", () => {
  const made = pageOf(groups, tests);
  if (process.env.INVARIANTS === "write") writeFileSync(page, made);
  assert.equal(
    readFileSync(page, "utf8"),
    made,
    "Write it anew: INVARIANTS=write node --test tests/native/invariants.test.mjs",
  );
});

test("the check sees a name that is gone, and one that two tests have", () => {
  const of = (name) => [{ about: "", invariants: [{ says: "", tests: [name] }] }];
  const two = new Map([["a", ["x.rs", "y.rs"]]]);
  assert.deepEqual(faultsOf(of("b"), two), ["no test is named b"]);
  assert.deepEqual(faultsOf(of("a"), two), ["several tests are named a: x.rs, y.rs"]);
  const rust = "    #[test]\n    #[ignore]\n    fn one(a: u8) {}\n    fn no_test() {}\n";
  assert.deepEqual(testsIn("tests/it/a.rs", rust), ["one"]);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a test.
  assert.deepEqual(testsIn("a.test.mjs", 'test("a \\"b\\"", () => {});\ntestEach(\n  `c ${d} e`, run);'), [
    'a "b"',
    "c … e",
  ]);
  assert.deepEqual(testsIn("support.mjs", 'test("a", run);'), []);
});
