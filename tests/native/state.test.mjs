// The local data of `npm start`.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { prepareState } from "../../scripts/lib/start/state.mjs";

test("local data whose tables were other ones is refused with what to do, and stays as it is", async () => {
  const dir = mkdtempSync(join(tmpdir(), "peyk-state-"));
  try {
    writeFileSync(join(dir, "migrations.json"), JSON.stringify({ "migrations/0001_directory.sql": "of before" }));
    await assert.rejects(prepareState(dir), {
      message: `the local data in ${dir} are of another version, whose migrations were other ones. Delete that folder, or set STATE_DIR to another one, and run the same command again: it makes new demo data.`,
    });
    assert.deepEqual(readdirSync(dir), ["migrations.json"]);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
