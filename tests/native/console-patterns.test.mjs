// How the console reads placeholders: as the service does.
import assert from "node:assert/strict";
import { test } from "node:test";
import { filled } from "../../console/src/pages/compose/sends.ts";
import { emptyDraft, filledIn, newVersionOf } from "../../console/src/pages/patterns/version-draft.ts";
import { joined, namesIn, wordsIn } from "../../console/src/parts/placeholders.ts";

test("a name between two % is a placeholder, in any script", () => {
  for (const name of ["OTP", "_a", "first-name", "کد", "نام‌کاربر", "a1", "سفارش۲", "x".repeat(50)])
    assert.deepEqual(namesIn(`to %${name}%, 50%`), [name]);
  for (const name of ["", "1", " a", "a b", "a.b", "a\n", "-", "x".repeat(51)])
    assert.deepEqual(namesIn(`to %${name}%, 50`), [], name);
  assert.deepEqual(namesIn("%B% %A% %B% %1% %a b%"), ["B", "A"]);
  assert.deepEqual(namesIn("%unknown%OTP%"), ["unknown"]);
  assert.deepEqual(namesIn("50% of %OTP%, from 5% to 10%"), ["OTP"]);
});

test("a Persian name is a variable of a pattern, and is filled in", () => {
  const draft = { ...emptyDraft, text: "سلام %نام%، سفارش %کد‌سفارش%" };
  assert.deepEqual(
    newVersionOf(draft).variables.map(({ name }) => name),
    ["نام", "کد‌سفارش"],
  );
  assert.equal(filledIn(draft), "سلام نام، سفارش کد‌سفارش");
  assert.equal(filled(draft.text, { نام: "سارا" }), "سلام سارا، سفارش %کد‌سفارش%");
});

test("words with blanks between two % are told, and made a name", () => {
  const text = "سلام %نام مشتری%، %first name% %name%";
  assert.deepEqual(wordsIn(text), ["نام مشتری", "first name"]);
  assert.deepEqual(namesIn(joined(text, "نام مشتری")), ["نام_مشتری", "name"]);
  for (const other of ["50% off and 20% more", "from 5% to 10%", "%name% and %city%", "100 %"])
    assert.deepEqual(wordsIn(other), [], other);
});
