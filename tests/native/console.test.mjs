// What of the console needs no service: its size, its texts, and how it reads what people paste.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { en } from "../../console/messages/en.ts";
import { en as operatorEn } from "../../console/messages/operator/en.ts";
import { entriesOf, numberOf, replaced, without } from "../../console/src/pages/compose/numbers.ts";
import { summaryOf, usageOf } from "../../console/src/pages/overview/usage.ts";
import { filesUnder, inRoot } from "../../scripts/lib/base/paths.mjs";
import { consoleFiles } from "../../scripts/lib/build/console.mjs";

/** What a slow phone loads for the first view, gzipped. */
const budget = 250_000;

let files;
let page;
before(async () => {
  files = new Map(await consoleFiles());
  page = files.get("console/index.html").toString();
});

test("the first view is small enough for a slow phone", () => {
  const first = [...page.matchAll(/"\/(console\/assets\/[^"]+\.(?:js|css))"/g)].map(([, name]) => name);
  assert.ok(first.some((name) => name.endsWith(".js")) && first.some((name) => name.endsWith(".css")));
  const bytes = first.reduce((sum, name) => sum + gzipSync(files.get(name)).length, 0);
  assert.ok(bytes <= budget, `${bytes}`);
});

test("what reads workbooks is loaded by who chooses one alone", () => {
  const readers = [...files].filter(([name, file]) => name.endsWith(".js") && file.includes("sharedStrings"));
  assert.equal(readers.length, 1);
  const [[name, file]] = readers;
  assert.match(name, /\/workbook-/);
  assert.ok(!page.includes(name) && gzipSync(file).length < 20_000, name);
});

test("the page has no script and no style of its own, and names no other host", () => {
  assert.doesNotMatch(page, /<script(?![^>]* src=)|<style|\sstyle=|https?:/);
});

test("what is bundled comes with its licences", () => {
  const licences = files.get("console/assets/licenses.md");
  for (const name of [
    "react",
    "react-dom",
    "react-aria-components",
    "@tanstack/react-query",
    "openapi-fetch",
    "read-excel-file",
  ])
    assert.ok(licences.includes(`## ${name} - `), name);
  assert.ok(files.has("console/assets/vazirmatn-license.txt"));
});

/** The names of all texts, such as `app.name`, each with that of its group. What the API names may have a dot in it. */
const namesOf = (texts, group = "") =>
  Object.entries(texts).flatMap(([own, text]) => {
    const name = group ? `${group}.${own}` : own;
    return typeof text === "object" ? namesOf(text, name) : [{ name, group }];
  });

/** A group, and those that it is in, but for whole pages: `roles.OWNER` and `roles`. */
const groupsOf = (group) => [group, group.slice(0, group.lastIndexOf("."))].filter(Boolean);

test("every text is used", () => {
  const source = filesUnder("console/src")
    .map((file) => readFileSync(inRoot(file), "utf8"))
    .join("\n");
  // A choice such as `t.statuses[status]`, or all of a group at once as in `t.statuses)`, uses each text of its group.
  const isUsed =
    (texts) =>
    ({ name, group }) =>
      source.includes(`${texts}.${name}`) ||
      source.includes(`${texts}().${name}`) ||
      groupsOf(group).some((group) =>
        new RegExp(`\\b${texts}\\.${group.replaceAll(".", "\\.")}(?:\\[|\\))`).test(source),
      );
  const unused = (texts, all) => namesOf(all).filter((text) => !isUsed(texts)(text));
  assert.deepEqual([...unused("t", en), ...unused("o", operatorEn)], []);
});

test("a customer loads nothing of operators' pages", () => {
  const first = [...page.matchAll(/"\/(console\/assets\/[^"]+\.js)"/g)].map(([, name]) => files.get(name).toString());
  assert.ok(first.every((script) => !script.includes(operatorEn.pages.reconciliation)));
});

/** The folders of `console/src`, the highest first, as docs/architecture.md has them. */
const layers = ["app", "pages", "parts", "format", "api", "base"];

test("no folder names a higher one", () => {
  for (const [place, folder] of layers.entries()) {
    const higher = new RegExp(`from "(?:\\.\\./)+(?:${layers.slice(0, place).join("|")})/`);
    for (const file of place > 0 ? filesUnder(`console/src/${folder}`) : [])
      assert.doesNotMatch(readFileSync(inRoot(file), "utf8"), higher, file);
  }
});

const textsOf = (entries) => entries.map(({ text, number }) => [text, number]);

test("numbers are found in what people paste", () => {
  assert.deepEqual(textsOf(entriesOf("0912 123 4567\n۰۹۳۵۱۲۳۴۵۶۷, 09361234567;\t+971501234567")), [
    ["0912 123 4567", "+989121234567"],
    ["۰۹۳۵۱۲۳۴۵۶۷", "+989351234567"],
    ["09361234567", "+989361234567"],
    ["+971501234567", "+971501234567"],
  ]);
  assert.deepEqual(textsOf(entriesOf("09121234567 09351234567")), [
    ["09121234567", "+989121234567"],
    ["09351234567", "+989351234567"],
  ]);
  assert.deepEqual(textsOf(entriesOf("Ali Rezaei\t09121234567")), [
    ["Ali Rezaei", null],
    ["09121234567", "+989121234567"],
  ]);
  assert.deepEqual(entriesOf(" \n ,, \t"), []);
});

test("what is no number is mended or left out where it stands, and all else stays", () => {
  const text = "09121234567\n0912\nabc, 09351234567\n";
  const bad = entriesOf(text).filter(({ number }) => number === null);
  assert.deepEqual(
    bad.map((entry) => entry.text),
    ["0912", "abc"],
  );
  assert.equal(replaced(text, bad[0], "09361234567"), "09121234567\n09361234567\nabc, 09351234567\n");
  assert.equal(without(text, bad), "09121234567\n09351234567\n");
  assert.equal(numberOf("0912"), null);
});

test("the overview counts days without messages, and tells how long the balance lasts", () => {
  const statuses = { CANCELED: 3, DELIVERED: 6, EXPIRED: 1, REJECTED: 0, UNDELIVERED: 1, UNKNOWN: 1 };
  const live = { cost: 10_500, messages: 1, parts: 13, pending: 1, recipients: 13, returned: 3_500, statuses };
  const dates = ["2026-01-01", "2026-01-02"];
  const row = { date: "2026-01-01", live, test: live, simulated: 0, unit: "IRR" };
  const usage = usageOf([row], dates, "live");
  assert.deepEqual(usage.days, [
    { date: "2026-01-01", delivered: 6, simulated: 0, failed: 2, canceled: 3, other: 2, total: 13, spent: 7_000 },
    { date: "2026-01-02", delivered: 0, simulated: 0, failed: 0, canceled: 0, other: 0, total: 0, spent: 0 },
  ]);
  const { rate, aDay, lasts, sentToday } = summaryOf(usage, 5_500);
  assert.deepEqual({ rate, aDay, lasts, sentToday }, { rate: 0.75, aDay: 1_000, lasts: 5, sentToday: 0 });
  assert.equal(summaryOf(usageOf([], dates, "live"), 5_500).lasts, null);
  const summaryFor = (simulated, mode = "live") => summaryOf(usageOf([{ ...row, simulated }], dates, mode), 0);
  assert.deepEqual(
    [summaryFor(4), summaryFor(6), summaryFor(0, "test")].map(({ delivered, simulated, rate }) => [
      delivered,
      simulated,
      rate,
    ]),
    [
      [2, 4, 0.75],
      [0, 6, 0.75],
      [0, 6, 0.75],
    ],
  );
});
