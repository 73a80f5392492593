// The client libraries know every member of the bodies that they send.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inRoot } from "../../scripts/lib/base/paths.mjs";

const read = (...path) => readFileSync(inRoot(...path), "utf8");
const { schemas } = JSON.parse(read("openapi.json")).components;

/** The members that a body of this name may have, in any of its forms. */
function membersOf(name) {
  const { oneOf, properties = {} } = schemas[name];
  if (oneOf) return [...new Set(oneOf.flatMap(({ $ref }) => membersOf($ref.split("/").at(-1))))];
  const isThere = ([, schema]) => schema.type !== "null" && !schema.not;
  return Object.entries(properties)
    .filter(isThere)
    .map(([member]) => member);
}

/** The text of a type and of the types that it is made of. */
function typeOf(declarations, name, pattern) {
  const [own] = pattern(name).exec(declarations) ?? assert.fail(`there is no type ${name}`);
  return own;
}

const bodies = { SendSms: "Send", SendPattern: "PatternSend", SendToPhonebook: "PhonebookSend", SendBulk: "BulkSend" };
const all = { ...bodies, BulkItem: "BulkItem", EstimateSend: "EstimateRequest" };

const libraries = [
  {
    language: "typescript",
    declarations: read("clients", "typescript", "src", "index.d.mts"),
    pattern: (name) => new RegExp(`^export (?:interface|type) ${name}\\b[\\s\\S]*?(?=^export |\\n/\\*\\*)`, "m"),
    shared: () => ["SendMembers"],
  },
  {
    language: "python",
    declarations: read("clients", "python", "peyk", "types.py"),
    pattern: (name) => new RegExp(`^class ${name}\\([\\s\\S]*?(?=^class |(?![\\s\\S]))`, "m"),
    shared: (own) => ["SendMembers", /^class \w+\((\w+)/.exec(own)[1]].filter((name) => name !== "TypedDict"),
  },
];

for (const { language, declarations, pattern, shared } of libraries)
  test(`${language}: the types of the requests have all members of their bodies`, () => {
    for (const [body, type] of Object.entries(all)) {
      const own = typeOf(declarations, type, pattern);
      const text = [own, ...shared(own).map((name) => typeOf(declarations, name, pattern))].join("\n");
      for (const member of membersOf(body))
        assert.match(text, new RegExp(`\\b${member}\\??:`), `${type} has no ${member}, which ${body} has`);
    }
  });
