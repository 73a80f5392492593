// What the composer makes of a draft, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { filled, groupsOf, sendAtOf, sendsOf } from "../../console/src/pages/compose/sends.ts";
import { sumOf } from "../../console/src/pages/compose/sum.ts";
import { directionOf } from "../../console/src/parts/direction.ts";

const book = (id, count) => ({ id, count });
const idsOf = (groups) => groups.map((books) => books.map(({ id }) => id).join(""));

test("phonebooks go together as long as one message takes them", () => {
  assert.deepEqual(idsOf(groupsOf([])), []);
  assert.deepEqual(idsOf(groupsOf([book("a", 4_000), book("b", 6_000), book("c", 1)])), ["ab", "c"]);
  assert.deepEqual(idsOf(groupsOf([book("a", 10_000), book("b", 10_000)])), ["a", "b"]);
  assert.deepEqual(
    groupsOf(Array.from({ length: 21 }, (_, index) => book(String(index), 1))).map(({ length }) => length),
    [20, 1],
  );
});

test("a pattern's text has the values that are there, and each only once", () => {
  const text = "50% for %NAME%: %CODE%";
  assert.equal(filled(text, { NAME: "%CODE%" }), "50% for %CODE%: %CODE%");
  assert.equal(filled(text, { NAME: "Ali", CODE: "7" }), "50% for Ali: 7");
});

test("a text has the direction of its own words", () => {
  assert.equal(directionOf("%name% عزیز"), "rtl");
  assert.equal(directionOf("%نام% hello"), "ltr");
  assert.equal(directionOf("50 %"), undefined);
});

test("a Persian text with names of brands and addresses in it goes from right to left, and an English one with a Persian name does not", () => {
  for (const text of [
    "Peyk: سفارش شما ارسال شد",
    "VIP مشتریان",
    "Samsung Galaxy رسید، با ۱۰٪ تخفیف",
    "سفارش شما: https://shop.example/orders/status/4711",
  ])
    assert.equal(directionOf(text), "rtl", text);
  for (const text of ["Your order from علی is ready", "سلام is how people say hello", "https://shop.example hello"])
    assert.equal(directionOf(text), "ltr", text);
});

const draft = { kind: "phonebooks", text: "hello", line: "", isLater: false, day: "", time: "" };

test("each group of phonebooks is a message, with the numbers left out and the time", () => {
  const later = { ...draft, isLater: true, day: "2030-01-31", time: "09:30" };
  const sendAt = new Date("2030-01-31T09:30").toISOString();
  assert.equal(sendAtOf(later), sendAt);
  assert.equal(sendAtOf({ ...later, time: "" }), undefined);
  const groups = [[book("a", 1), book("b", 1)], [book("c", 1)]];
  const common = { message: "hello", sourceNumber: "", exclude: ["+989121234567"], blacklisted: "SKIP", sendAt };
  assert.deepEqual(sendsOf(later, { numbers: [], groups, exclude: ["+989121234567"] }), [
    { phonebook: { ...common, phonebooks: ["a", "b"] } },
    { phonebook: { ...common, phonebooks: ["c"] } },
  ]);
});

test("several messages are summed up, and a fault of any is told once", () => {
  const fault = { code: 2001, detail: "no credit" };
  const one = { recipients: 2, cost: 10, parts: 1, encoding: "GSM7", unit: "IRR", test: false, sourceNumber: "1" };
  const sum = sumOf([
    { ...one, faults: [fault], samples: ["a"] },
    { ...one, parts: 2, encoding: "UCS2", faults: [fault] },
  ]);
  const { recipients, cost, parts, encoding, faults, samples } = sum;
  assert.deepEqual(
    { recipients, cost, parts, encoding, faults, samples },
    { recipients: 4, cost: 20, parts: 2, encoding: "UCS2", faults: [fault], samples: ["a"] },
  );
});
