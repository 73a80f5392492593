// The plain worker of the benchmark writes what its tables take.
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import * as schema from "../../bench/plain/schema.mjs";

test("the plain worker stores a message of two chunks, as it is given", () => {
  const database = new DatabaseSync(":memory:");
  database.exec(schema.tables);
  const sendAtMs = 1_767_268_800_000;
  const chunk = (number, recipients) => [7, number, number * 500, number * 500, "10001/", sendAtMs, 1, recipients];
  const message = ["uid", "10001", "GSM7", 1, 2_000, sendAtMs - 1, 2, "hello"];
  database.prepare(schema.insertFirstChunk).run(...chunk(0, "[[0]]"), ...message);
  database.prepare(schema.insertOtherChunk).run(...chunk(1, "[[500]]"));
  const read = database.prepare(
    "SELECT number, first, queue, state, due_ms, queued, uid, line, send_at_ms, created_ms, total, text, recipients FROM chunk ORDER BY number",
  );
  const rows = read.all().map((row) => Object.values(row));
  const own = ["uid", "10001", sendAtMs, sendAtMs - 1, 2, "hello"];
  assert.deepEqual(rows, [
    [0, 0, "10001/", 1, sendAtMs, 1, ...own, "[[0]]"],
    [1, 500, "10001/", 1, sendAtMs, 1, ...own.map(() => null), "[[500]]"],
  ]);
});
