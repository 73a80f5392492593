// The configuration of a collector that comes with the pages (docs/watching/collector.yaml) names what the service has.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inRoot } from "../../scripts/lib/base/paths.mjs";

const page = (name) => readFileSync(inRoot("docs", name), "utf8");
const collector = page("watching/collector.yaml")
  .split("\n")
  .filter((line) => !/^ *#/.test(line))
  .join("\n");
const found = (text, pattern) => [...new Set([...text.matchAll(pattern)].map(([, one]) => one))];
/** The rows of the first table behind a heading: the values of a column, without their backquotes. */
const column = (text, heading, index) => {
  const [, rest] = text.split(`## ${heading}\n`);
  const [, body] = rest.split("\n## ")[0].split(/^\|-.*$/m);
  const rows = body.match(/^\| `.*$/gm);
  return rows.flatMap((row) => found(row.split(" | ")[index], /`([^`]+)`/g));
};
const logs = (index) => column(page("operating.md"), "Logs", index);

test("it takes the members and the events that the log has, and knows each level", () => {
  const members = column(page("self-hosting.md"), "The log", 0);
  const parsed = found(collector, /attributes\.(\w+)/g);
  assert.deepEqual(parsed.toSorted(), ["event", "level", "time"]);
  for (const name of parsed) assert.ok(members.includes(name), name);
  const events = found(collector, /attributes\.event == "(\w+)"/g);
  assert.ok(events.length > 0);
  for (const event of events) assert.ok(logs(0).includes(event), event);
  const mapped = found(collector, /mapping: \{ \w+: (\w+) \}/g);
  const levels = new Set([...logs(1), ...found(collector, /attributes\.level == "(\w+)"/g)]);
  // The collector itself knows the first three.
  for (const level of levels) assert.ok(["debug", "info", "error", ...mapped].includes(level), level);
});

test("it reads times in the form in which they are written", () => {
  const [layout] = found(collector, /layout: "(.*)"/g);
  const digits = { "%Y": 4, "%m": 2, "%d": 2, "%H": 2, "%M": 2, "%S": 2, "%L": 3 };
  const form = layout.replace(".", "\\.").replace(/%\w/g, (one) => `\\d{${digits[one]}}`);
  assert.match(new Date(0).toISOString(), new RegExp(`^${form}$`));
});

test("it scrapes as the page says, by a scope that there is, and hands on what it has", () => {
  const watching = page("watching.md");
  for (const name of ["job_name", "scrape_interval", "scrape_timeout"]) {
    const [value] = found(watching, new RegExp(`${name}: (\\S+)`, "g"));
    assert.deepEqual(found(collector, new RegExp(`${name}: (\\S+)`, "g")), [value], name);
  }
  const [scope] = found(page("watching/collector.yaml"), /scope (admin:\w+)/g);
  assert.ok(page("operating.md").includes(`| \`${scope}\` |`), scope);
  const pipelines = collector.split("pipelines:")[1];
  for (const kind of ["receivers", "exporters"]) {
    const [, rest] = collector.split(`${kind}:\n`);
    const defined = found(rest.split(/^\w/m)[0], /^ {2}(\w+):$/gm);
    const named = found(pipelines, new RegExp(`${kind}: \\[(\\w+)\\]`, "g"));
    assert.ok(named.length > 0);
    for (const name of named) assert.ok(defined.includes(name), name);
  }
});
