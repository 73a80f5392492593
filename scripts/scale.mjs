// `npm run scale` computes the tables of docs/scale.md from what was measured, and writes them into the page.
import { readFileSync, writeFileSync } from "node:fs";
import { run, say } from "./lib/base/command.mjs";
import { page, readFigures, readPins } from "./lib/scale/compute.mjs";
import { filled, tables } from "./lib/scale/tables.mjs";

await run(async () => {
  const text = readFileSync(page, "utf8");
  const now = filled(text, tables(readFigures(), readPins()));
  writeFileSync(page, now);
  say(now === text ? "docs/scale.md is up to date" : "docs/scale.md was brought up to date");
});
