// One word a thing in Persian, too: the words of the glossary, in what people read of the console and the site.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { filesUnder, inRoot } from "../../scripts/lib/base/paths.mjs";

const text = (file) => readFileSync(inRoot(file), "utf8");

const [, table] = text("docs/glossary.md").split("## In Persian");
const rows = [...table.matchAll(/^\| (?!word)([^|-]+) \| [^|]+ \| ([^|]+) \|$/gm)].map(([, word, others]) => ({
  word,
  others: [...others.matchAll(/`([^`]+)`/g)].map(([, other]) => other),
}));

/** `site/problems.json` has the texts of the Rust sources. */
const files = [
  ...filesUnder("console/messages").filter((file) => file.endsWith("fa.ts")),
  ...filesUnder("site/guides/fa").filter((file) => file.endsWith(".md")),
  ...["site/persian.json", "site/advice.json", "site/problems.json", "site/lib/texts.mjs"],
];

test("what people read in Persian has one word for a thing", () => {
  assert.ok(rows.length > 5 && files.length > 10);
  const found = files.flatMap((file) => {
    const page = text(file);
    return rows.flatMap(({ word, others }) =>
      others.filter((other) => page.includes(other)).map((other) => `${file}: ${other} for ${word}`),
    );
  });
  assert.deepEqual(found, []);
});

test("each word of the glossary is one that people read", () => {
  const all = files.map(text).join("\n");
  for (const { word } of rows) assert.ok(all.includes(word), word);
});
