// The first steps of a shop in the console: who sees them, and when each is done.
import assert from "node:assert/strict";
import { test } from "node:test";
import { doneOf, isBeginning, stepsOf } from "../../console/src/pages/overview/first-day.ts";

const day = (total) => ({ date: "2026-01-01", total });
const usageOf = (...totals) => ({ days: totals.map(day), unit: "IRR" });

test("the first day ends with a second day of messages", () => {
  for (const totals of [[], [0, 0], [0, 5]]) assert.ok(isBeginning(usageOf(...totals)));
  assert.ok(!isBeginning(usageOf(1, 0, 1)));
});

test("who may not send has no steps, and others have those that they may do", () => {
  assert.deepEqual(stepsOf(["account:read", "sms:read", "phonebook", "keys"]), []);
  assert.deepEqual(stepsOf(["account:read", "sms:send", "phonebook"]), ["credit", "people", "message"]);
});

test("each step is done by what the service tells", () => {
  const nothing = { balance: 0, usage: usageOf(0), books: undefined, keys: undefined, patterns: undefined };
  assert.deepEqual(doneOf(nothing), { credit: false, people: false, message: false, program: false });
  const session = { id: "s", current: true, sessionOf: "k", revokedAt: null };
  const own = { id: "k", current: false, sessionOf: null, revokedAt: null };
  const other = { ...own, id: "p" };
  const begun = { books: [{ count: 0 }], keys: [session, own, { ...other, revokedAt: "2026-01-01" }], patterns: [] };
  assert.deepEqual(doneOf({ ...nothing, ...begun }), doneOf(nothing));
  const all = { balance: 1, usage: usageOf(0, 1), books: [{ count: 0 }, { count: 1 }], keys: [session, own, other] };
  assert.deepEqual(doneOf({ ...all, patterns: [] }), { credit: true, people: true, message: true, program: true });
  assert.ok(doneOf({ ...nothing, patterns: [{}] }).program);
});
