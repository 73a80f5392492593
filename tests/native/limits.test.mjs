// The guide to prices and limits says what openapi.json declares, in both languages.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { guideSource } from "../../site/lib/build.mjs";

const { components } = JSON.parse(readFileSync(inRoot("openapi.json"), "utf8"));
const { schemas, parameters } = components;
const member = (schema, name) => schemas[schema].properties[name];

/** What the row of a limit must say, by how the row begins. */
const bounds = {
  "recipients of one text or pattern": [member("SendSms", "recipients").maxItems],
  "texts of a bulk": [member("SendBulk", "messages").maxItems],
  "recipients of a send to phonebooks": [member("Tariff", "maxPhonebookRecipients").maximum],
  "a text": [member("SendSms", "message").maxLength],
  "a pattern": [
    member("PatternWithVersion", "text").maxLength,
    member("PatternWithVersion", "variables").maxItems,
    member("FreeVariableInput", "maxLength").maximum,
  ],
  "characters of a title": [member("PhonebookInput", "title").maxLength],
  "characters of a `clientRef`": [member("SendSms", "clientRef").maxLength],
  "attributes of a number in a phonebook": [member("NumberInput", "attributes").maxProperties],
  "addresses in `ips` of a key": [member("OwnKeyInput", "ips").maxItems],
  "items of a page of a list": [parameters.Limit.schema.maximum],
};

/** The rows of the table of limits, as lists of cells. */
const rowsOf = (edition) =>
  guideSource("prices-and-limits", edition)
    .split(/^## (?:Limits|محدودیت‌ها)$/m)[1]
    .match(/^\| .* \|$/gm)
    .slice(1)
    .map((row) => row.slice(2, -2).split(" | "));

const numbersIn = (text) => (text.match(/\d[\d,]*/g) ?? []).map((number) => Number(number.replaceAll(",", "")));

test("each limit of the guide that openapi.json declares is that of openapi.json", () => {
  const rows = new Map(rowsOf("en"));
  for (const [what, numbers] of Object.entries(bounds))
    for (const number of numbers) assert.ok(numbersIn(rows.get(what) ?? "").includes(number), `${what}: ${number}`);
});

test("both languages tell the same limits in the same order", () => {
  const numbers = (edition) => rowsOf(edition).map(([, most]) => numbersIn(most));
  assert.ok(numbers("en").length > 10);
  assert.deepEqual(numbers("fa"), numbers("en"));
});
