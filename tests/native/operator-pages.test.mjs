// What of the operators' pages needs no service: differences of the audit log, sums of the usage, and what people type.
import assert from "node:assert/strict";
import { test } from "node:test";
import { changeOf } from "../../console/src/pages/operator/account/settings.ts";
import { actOf, differencesOf } from "../../console/src/pages/operator/audit/difference.ts";
import { emptyPlan, planOf } from "../../console/src/pages/operator/plans/draft.ts";
import { daysOf, inOrder, onEachDay, rowOf, totalOf } from "../../console/src/pages/operator/usage/sums.ts";
import { wholeOf } from "../../console/src/parts/whole.ts";

test("a change shows each value that differs, and nothing else", () => {
  const before = { title: "Shops", tariff: { price: 1_000, prices: [] }, note: null, refunds: ["EXPIRED"] };
  const after = {
    title: "Shops",
    tariff: { price: 900, prices: [{ prefix: "971" }] },
    note: "new",
    refunds: ["EXPIRED"],
  };
  assert.deepEqual(differencesOf(before, after), [
    { path: "tariff.price", before: "1000", after: "900" },
    { path: "tariff.prices", before: "[]", after: '[{"prefix":"971"}]' },
    { path: "note", before: undefined, after: "new" },
  ]);
  assert.deepEqual(differencesOf(null, { hold: false }), [{ path: "hold", before: undefined, after: "false" }]);
  assert.deepEqual(differencesOf({ hold: true }, null), [{ path: "hold", before: "true", after: undefined }]);
  assert.deepEqual(
    [actOf(null, after), actOf(before, after), actOf(before, null), actOf(null, { shown: true })],
    ["created", "changed", "removed", "shown"],
  );
});

test("the usage has each day of its range, and a rate of what has ended", () => {
  const statuses = { delivered: 6, undelivered: 1, expired: 1, rejected: 0, unknown: 1, canceled: 1 };
  const sum = { by: "day", key: "2026-01-02", username: null, messages: 2, recipients: 10, parts: 12, ...statuses };
  const row = rowOf({ ...sum, cost: 10_500, returned: 3_500 });
  assert.deepEqual([row.failed, row.canceled, row.other, row.rate, row.spent], [2, 1, 1, 0.75, 7_000]);
  const days = daysOf("2026-01-01", "2026-01-03", 0);
  assert.deepEqual(days, ["2026-01-01", "2026-01-02", "2026-01-03"]);
  assert.deepEqual(
    onEachDay([row], days).map(({ recipients }) => recipients),
    [0, 10, 0],
  );
  assert.equal(daysOf("", "", Date.parse("2026-01-30T10:00:00Z")).length, 30);
  assert.deepEqual(daysOf("", "", Date.parse("2026-01-30T10:00:00Z")).at(-1), "2026-01-30");
  assert.equal(totalOf([row, row]).rate, 0.75);
  assert.equal(totalOf([]).rate, null);
});

test("numbers are read with separators and with digits of either kind, and what is none stays as it was typed", () => {
  assert.deepEqual(["۵٬۰۰۰٬۰۰۰", "5,000", "-1 000", "٧"].map(wholeOf), [5_000_000, 5_000, -1_000, 7]);
  assert.deepEqual(["", "much", "1.5", "99999999999999999"].map(wholeOf), [null, null, null, null]);
  const limit = { limit: "20", windowSeconds: "60", burst: "5" };
  const draft = {
    fullName: "A Shop",
    plan: "default",
    defaultLine: "",
    dailySpend: "",
    destinations: "98",
    rateLimit: limit,
    testRateLimit: limit,
    recipientLimit: { limit: "20", windowSeconds: "60" },
  };
  const none = { limit: "", windowSeconds: "", burst: "" };
  assert.deepEqual(changeOf(draft, draft), {});
  assert.deepEqual(changeOf(draft, { ...draft, dailySpend: "much", destinations: "۹۸، +971", rateLimit: none }), {
    dailySpend: "much",
    destinations: ["98", "971"],
    rateLimit: null,
  });
});

test("a plan's price list is called as the plan, and empty prices are left out", () => {
  const prices = [
    { id: "1", prefix: "+971", price: "24,000" },
    { id: "2", prefix: " ", price: "" },
  ];
  assert.deepEqual(planOf({ ...emptyPlan, slug: "shops", title: "Shops", price: "۹۰۰", prices }), {
    slug: "shops",
    title: "Shops",
    tariff: { slug: "shops", title: "Shops", price: 900, prices: [{ prefix: "971", price: 24_000 }] },
    refunds: [],
  });
});

test("the newest day comes first, and the largest carrier, before what none has taken", () => {
  const rows = [
    ["", 9],
    ["a", 2],
    ["b", 5],
  ].map(([key, recipients]) => ({ key, recipients }));
  const keys = (by) => inOrder(by, rows).map(({ key }) => key);
  assert.deepEqual(keys("carrier"), ["b", "a", ""]);
  assert.deepEqual(keys("day"), ["b", "a", ""]);
  assert.deepEqual(
    rows.map(({ key }) => key),
    ["", "a", "b"],
  );
});
