// The code of the guides as both languages show it: all that can be held without running it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { filesUnder, inRoot } from "../../scripts/lib/base/paths.mjs";
import { guideSource, guides } from "../../site/lib/build.mjs";
import { codeOf, fenceOf, renderGuide, withCode } from "../../site/lib/markdown.mjs";
import { tabNames } from "../../site/lib/tabs.mjs";

const textOf = (path) => readFileSync(inRoot("site", "guides", path), "utf8");
const samples = JSON.parse(textOf("fa/samples.json"));

/** The places of code of a guide as lists of blocks, each with what its fence says. */
const placesOf = (name, edition) =>
  codeOf(guideSource(name, edition)).map(({ tabs, ...token }) =>
    (tabs?.flatMap(({ blocks }) => blocks) ?? [token]).map(({ lang, text }) => ({ ...fenceOf(lang), text })),
  );

const programsOf = (name, edition) =>
  placesOf(name, edition)
    .flat()
    .filter(({ tab }) => tab !== null);

test("both guides of a name have the same blocks in the same places, and as many headings", () => {
  const headings = (source) => source.replace(/^```.*\n[\s\S]*?^```$/gm, "").match(/^#+ /gm);
  for (const name of guides) {
    const fences = (edition) => placesOf(name, edition).map((place) => place.map(({ text, ...fence }) => fence));
    assert.deepEqual(fences("fa"), fences("en"), name);
    assert.deepEqual(headings(guideSource(name, "fa")), headings(guideSource(name, "en")), name);
  }
});

test("each step of a guide is there in each language", () => {
  // What a framework adds is in the language of the framework.
  const inOneLanguage = /^moving-from-|^webhook-frameworks$/;
  for (const name of guides.filter((one) => !inOneLanguage.test(one)))
    for (const { type, tabs, lang } of codeOf(guideSource(name, "en"))) {
      // A receiver of webhooks is no command. An event and a page are no programs.
      const isReceiver = tabs?.some(({ blocks }) => fenceOf(blocks[0].lang).flag === "receiver");
      if (["json event", "html page"].includes(lang)) continue;
      assert.equal(type, "tabs", `${name}: ${lang}`);
      const expected = Object.keys(tabNames).filter((tab) => tab !== "sh" || !isReceiver);
      assert.deepEqual(
        tabs.map(({ tab }) => tab),
        expected,
        name,
      );
    }
});

test("no two guides make a pattern of the same name, so a reader may follow them all", () => {
  const made = guides.flatMap((name) => {
    const texts = programsOf(name, "en").map(({ text }) => text);
    const slugs = texts.flatMap((text) => [...text.matchAll(/\bslug["']?\s*(?::|=>)\s*["']([\w-]+)["']/g)]);
    return [...new Set(slugs.map(([, slug]) => slug))];
  });
  assert.ok(made.length > 4, `${made}`);
  assert.deepEqual([...new Set(made)], made);
});

test("programs that follow one another are tabs, each with its output, and nothing else is", () => {
  const fence = (info, text) => `\`\`\`${info}\n${text}\n\`\`\`\n`;
  const html = (...blocks) => renderGuide(["# T", "lead", ...blocks].join("\n\n"), { language: "en" }).html;
  const [curl, output, python] = [fence("sh", "curl"), fence("json", "{}"), fence("python", "print()")];
  const tabs = html(python, curl, output);
  assert.deepEqual(tabs.match(/data-tab="\w+"/g), ['data-tab="sh"', 'data-tab="python"']);
  assert.match(tabs, /data-tab="sh">.*curl.*\{\}.*data-tab="python">.*print/s);
  assert.match(html(curl, fence("sh for=js not-run: why", "npm")), /data-tab="js">.*data-language="sh".*npm/s);
  for (const alone of [html(curl, output, curl), html(curl, "and", python)]) assert.doesNotMatch(alone, /data-tab/);
  for (const wrong of [
    [output, curl, python],
    [curl, python, curl],
  ])
    assert.throws(() => html(...wrong), /one program a language/);
});

test("each Persian sample is shown", () => {
  const shown = (table) => guides.map((name) => withCode(textOf(`fa/${name}.md`), textOf(`en/${name}.md`), table));
  const all = shown(samples);
  for (const english of Object.keys(samples)) {
    const { [english]: left, ...others } = samples;
    assert.notDeepEqual(shown(others), all, `site/guides/fa/samples.json has this in vain: ${english}`);
    assert.match(left, /[\u0600-\u06ff]|UCS2/, english);
  }
});

/** What a reader reads in a program as text: what it sends and keeps, what it prints, names in a file, and its comments. */
const sampleForms = [
  /\b(?:message|messageText|body|text|title|name|description)["']?\s*(?::|=>|=)\s*["']([^"']*)["']/g,
  /\b(?:console\.log|print|echo)[( ]["']([^"']*)["']/g,
  /\d{11},([^,\\]+)/g,
  /["']([A-Z][a-z]+ (?:[A-Za-z]+ )+[a-z]+\.)["']/g,
  /(?:^|\s)(?:\/\/|#) (.*)$/gm,
];

/** Names of variables, tokens of a format, and values that a program puts into a text. */
const isNoSample = (text) =>
  !/[A-Za-z]{2}/.test(text.replace(/\\n|%\w+%|\$\w+(?:->\w+|\[\w+\])?|\{[^}]*\}/g, "")) || /^[A-Z]+$/.test(text);

test("a Persian page has Persian samples in its programs", () => {
  const left = guides.flatMap((name) =>
    programsOf(name, "fa").flatMap(({ text }) =>
      sampleForms
        .flatMap((form) => [...text.matchAll(form)].map(([, sample]) => sample))
        .filter((sample) => !/[\u0600-\u06ff]/.test(sample) && !isNoSample(sample))
        .map((sample) => `${name}: ${sample}`),
    ),
  );
  assert.deepEqual(left, []);
});

const readme = readFileSync(inRoot("README.md"), "utf8");
/** The pictures that a guide shows, each with what it says to who can't see it. */
const picturesIn = (source) => [...source.matchAll(/!\[([^\]]*)\]\((?:site\/static\/pictures\/)?([^)]+)\)/g)];

test("each picture is shown in its language, says in words what it shows, and is small", () => {
  const shown = picturesIn(readme).map(([, about, file]) => [about, file]);
  for (const edition of ["en", "fa"])
    for (const name of guides)
      for (const [, about, picture] of picturesIn(guideSource(name, edition))) {
        assert.equal(/[\u0600-\u06ff]/.test(about), edition === "fa", about);
        shown.push([about, `${edition}/${picture}.webp`]);
      }
  for (const [about, file] of shown) assert.ok(about.length > 20, `${file}: ${about}`);
  const files = filesUnder("site/static/pictures").map((path) => path.slice("site/static/pictures/".length));
  assert.deepEqual([...new Set(shown.map(([, file]) => file))].sort(), files.sort());
  for (const file of files)
    assert.ok(readFileSync(inRoot("site", "static", "pictures", file)).length <= 80_000, `${file} is large`);
});
