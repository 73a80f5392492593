// What people expect to find in a project, and what would go out of step unnoticed.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { filesUnder, inRoot } from "../../scripts/lib/base/paths.mjs";

const text = (...parts) => readFileSync(inRoot(...parts), "utf8");
const json = (file) => JSON.parse(text(file));

test("the project has one version", () => {
  const { version } = json("package.json");
  const inToml = (file, pattern) => pattern.exec(text(file))?.[1];
  assert.equal(inToml("Cargo.toml", /^\[workspace\.package\]\nversion = "(.+)"$/m), version, "Cargo.toml");
  assert.equal(inToml("Cargo.lock", /^name = "peyk"\nversion = "(.+)"$/m), version, "Cargo.lock");
  assert.equal(json("package-lock.json").version, version, "package-lock.json");
  assert.equal(json("openapi.json").info.version, version, "openapi.json");
});

test("the changelog has the form of Keep a Changelog, and begins with what is not released", () => {
  const headings = [...text("CHANGELOG.md").matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  assert.equal(headings[0], "[Unreleased]");
  for (const heading of headings.slice(1)) assert.match(heading, /^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/);
  const kinds = [...text("CHANGELOG.md").matchAll(/^### (.+)$/gm)].map(([, kind]) => kind);
  for (const kind of kinds) assert.match(kind, /^(Added|Changed|Deprecated|Removed|Fixed|Security)$/);
});

test("the forge's CI runs what CI runs", () => {
  const workflow = text(".github", "workflows", "ci.yml");
  assert.match(workflow, /^ {6}- run: \.ci\/run$/m);
  assert.match(text(".ci", "run"), /^npm test$/m);
  const [, major] = /container: node:(\d+)/.exec(workflow);
  assert.equal(major, json("package.json").dependencies.node.split(".")[0]);
});

/** The anchor that a forge gives a heading. */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- _]/gu, "")
    .replaceAll(" ", "-");

const clients = ["typescript", "python", "php"].map((language) => `clients/${language}/README.md`);
const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"].concat(
  clients,
  filesUnder("docs").filter((file) => file.endsWith(".md")),
);

test("every link between the pages leads to a page and a heading that are there", () => {
  for (const page of pages) {
    const links = [...text(page).matchAll(/\]\((?!https?:)([^)\s]*)\)/g)].map(([, link]) => link);
    for (const link of links) {
      const [path, anchor] = link.split("#");
      const target = path ? join(dirname(page), path) : page;
      assert.ok(existsSync(inRoot(target)), `${page} links to ${link}`);
      if (!anchor) continue;
      const headings = [...text(target).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading));
      assert.ok(headings.includes(anchor), `${page} links to ${link}, which is no heading`);
    }
  }
});

test("the glossary has each word once, and names files that are there", () => {
  const rows = [...text("docs/glossary.md").matchAll(/^\| (?!word)([^|]+) \|.*\| ([^|]+) \|$/gm)];
  const words = rows.flatMap(([, words]) => words.split(", "));
  assert.ok(words.length > 50);
  assert.deepEqual([...new Set(words)], words);
  const places = ["src", "."];
  for (const [, word, where] of rows) {
    for (const [, path] of where.matchAll(/`([a-z_/]+(?:\.rs|\/))`/g))
      assert.ok(
        places.some((place) => existsSync(inRoot(place, path))),
        `${word}: ${path}`,
      );
  }
});

test("the page of the API has each error, status and event and, in its contents, each of its parts, and stays as long as a reader bears", () => {
  const page = text("docs/api.md");
  const errors = json("site/problems.json").map(({ status, code, name }) => `| ${status} | ${code} | ${name} |`);
  assert.deepEqual(page.match(/^\| \d+ \| \d+ \| \w+ \|$/gm).toSorted(), errors.toSorted());
  const { schemas } = json("openapi.json").components;
  const names = [schemas.DeliveryError, schemas.RecipientStatus].flatMap((schema) => schema.enum);
  for (const name of [...names, ...Object.keys(json("openapi.json").webhooks)])
    assert.ok(page.includes(`\`${name}\``), name);
  const contents = /^Contents: [\s\S]*?\n\n/m.exec(page)[0];
  const named = [...contents.matchAll(/\[([^\]]+)\]/g)].map(([, heading]) => heading);
  const headings = (level) => [...page.matchAll(level)].map(([, heading]) => heading);
  const all = headings(/^###? (.+)$/gm);
  assert.deepEqual(
    named,
    all.filter((heading) => named.includes(heading)),
  );
  for (const heading of headings(/^## (.+)$/gm)) assert.ok(named.includes(heading), heading);
  assert.ok(page.split(/\s+/).filter(Boolean).length <= 7_000);
});

test("no documentation of the service has an example that Cargo would run, for it runs none there", () => {
  const sources = filesUnder("src").filter((file) => file.endsWith(".rs"));
  assert.ok(sources.length > 300);
  for (const file of sources) {
    const fences = [...text(file).matchAll(/^ *\/\/[/!] ```(.*)$/gm)].map(([, word]) => word);
    for (const word of fences.filter((_, at) => at % 2 === 0)) assert.equal(word, "text", file);
  }
});
