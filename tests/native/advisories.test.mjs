// What `npm run audit` makes of its sources (scripts/lib/supply/advisories.mjs): a hole, none, or that nobody has looked.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ofCrates, ofNpm } from "../../scripts/lib/supply/advisories.mjs";

/** Programs that answer so, by their last argument. */
const programs = (answers) => (_, args) => ({ status: 0, stdout: "", stderr: "", ...answers[args.at(-1)] });

test("a hole is told from none", () => {
  assert.deepEqual(ofCrates(programs({})), { holes: "" });
  assert.deepEqual(ofCrates(programs({ check: { status: 1, stderr: "RUSTSEC-2026-0001" } })), {
    holes: "RUSTSEC-2026-0001",
  });
  const npm = (total) =>
    JSON.stringify({ vulnerabilities: { x: { severity: "high" } }, metadata: { vulnerabilities: { total } } });
  assert.deepEqual(ofNpm(programs({ "--json": { stdout: npm(0) } })), { holes: "" });
  assert.match(ofNpm(programs({ "--json": { status: 1, stdout: npm(1) } })).holes, /high/);
});

test("a source that can't be asked is no good news", () => {
  assert.match(ofCrates(programs({ "--version": { status: 101 } })).unreached, /cargo-deny is missing/);
  const down = { status: 1, stderr: "a warning\nfailed to fetch the database\n" };
  assert.deepEqual(ofCrates(programs({ db: down })), { unreached: "failed to fetch the database" });
  const error = JSON.stringify({ message: "request failed", error: { code: "ENOTFOUND", summary: "" } });
  assert.deepEqual(ofNpm(programs({ "--json": { status: 1, stdout: error } })), { unreached: "request failed" });
  assert.deepEqual(ofNpm(programs({ "--json": { status: null } })), { unreached: "there was no answer" });
});
