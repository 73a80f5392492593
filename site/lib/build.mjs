// Makes the documentation: all files below `/docs`, from the guides, the OpenAPI document and the table of errors. The same
// inputs always make the same files.
import { readFileSync } from "node:fs";
import { filesUnder } from "../../scripts/lib/base/paths.mjs";
import { escaped, inline } from "./html.mjs";
import { menuOf, pageFile } from "./layout.mjs";
import { llmsFiles } from "./llms.mjs";
import { renderGuide, withCode } from "./markdown.mjs";
import { operatingPages, operatingSection, operatingSources } from "./operating.mjs";
import { languages, languagesOf, localized } from "./paths.mjs";
import { problemPages } from "./problems.mjs";
import { referencePages } from "./reference.mjs";
import { searchIndex, searchLibrary } from "./search.mjs";
import { scriptTexts, texts } from "./texts.mjs";
import { firstMessage } from "./try.mjs";

/** The guides, in the order in which a newcomer reads them. */
export const guides = [
  "first-message",
  "login-codes",
  "patterns",
  "campaigns",
  "webhooks",
  "webhook-frameworks",
  "errors",
  "prices-and-limits",
  "going-live",
  "console-for-shops",
  "console-for-operators",
  "moving",
  "moving-from-kavenegar",
  "moving-from-ippanel",
  "moving-from-sms-ir",
  "moving-from-twilio",
];

const site = new URL("../", import.meta.url);
const read = (path, base = site) => readFileSync(new URL(path, base));
const readJson = (path, base) => JSON.parse(read(path, base));

/** Nothing may come from elsewhere, and nothing in a page may run or style it but the site's own files. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const headers = `/*
  Strict-Transport-Security: max-age=31536000; includeSubDomains
/docs*
  Content-Security-Policy: ${policy}
  X-Content-Type-Options: nosniff
  Referrer-Policy: same-origin
  Cross-Origin-Opener-Policy: same-origin
  Permissions-Policy: camera=(), geolocation=(), microphone=()
/llms*.txt
  X-Content-Type-Options: nosniff
/openapi.json
  Access-Control-Allow-Origin: *
  X-Content-Type-Options: nosniff
`;

/** The files of the site: `[path, content]` each. */
export function siteFiles() {
  const api = readJson("../openapi.json");
  const problems = readJson("problems.json");
  const advice = readJson("advice.json");
  const sources = guides.map((name) => ({ name, source: guideSource(name, "en") }));
  const fonts = new URL("../node_modules/@fontsource-variable/vazirmatn/", site);
  return [
    ["_headers", headers],
    ...languages.flatMap((language) => pagesOf(language, api, problems, advice)),
    ...filesUnder("site/static").map((path) => [
      `docs/assets/${path.slice("site/static/".length)}`,
      read(`../${path}`),
    ]),
    ...filesUnder("site/doors").map((path) => [`docs/openapi/${path.slice("site/doors/".length)}`, read(`../${path}`)]),
    ["docs/assets/vazirmatn.woff2", read("files/vazirmatn-arabic-wght-normal.woff2", fonts)],
    ["docs/assets/vazirmatn-license.txt", read("LICENSE", fonts)],
    ["docs/assets/words.js", `export const words = ${JSON.stringify(scriptTexts)};\n`],
    ["docs/assets/minisearch.js", searchLibrary()],
    ["docs/assets/minisearch-license.txt", read("../node_modules/minisearch/LICENSE.txt")],
    ...llmsFiles({ guides: sources, operating: operatingSources() }, api, problems, advice),
  ];
}

/** All pages of a language as files. */
function pagesOf(language, api, problems, advice) {
  const text = texts[language];
  const own = guides.map((name) => guidePage(name, language));
  const reference = referencePages(api, language, problems);
  const errors = problemPages(problems, advice, language);
  const operating = operatingPages();
  const sections = [
    { title: text.guides, pages: [{ address: "/docs", title: text.home }, ...own] },
    { title: text.reference, pages: [{ ...reference[0], title: text.overview }, ...withoutGroup(reference.slice(1))] },
    ...groupsOf(reference),
    operatingSection(operating, language),
    { title: text.problems, pages: [{ ...errors[0], title: text.allProblems }] },
  ];
  const file = (page) => [
    `${localized(page.address, language).slice(1)}.html`,
    pageFile(page, language, menuOf(sections, language, page.address)),
  ];
  const inThisLanguage = operating.filter(({ address }) => languagesOf(address).includes(language));
  const found = [home(language, own), ...own, ...reference, ...inThisLanguage, ...errors];
  return [
    ...[...found, notFound(language)].map(file),
    [`docs/assets/search-${language}.json`, searchIndex(found, language)],
  ];
}

const withoutGroup = (pages) => pages.filter(({ group }) => !group);

/** The sections of the menu for the groups of pages. */
const groupsOf = (pages) =>
  [...new Set(pages.map(({ group }) => group).filter(Boolean))].map((title) => ({
    title,
    pages: pages.filter(({ group }) => group === title).map((page) => ({ ...page, title: page.inGroup })),
  }));

/**
 * The source of a guide. A Persian guide has lines that stand for the code of the English one, in which `samples.json` puts
 * Persian texts in place of the English ones.
 */
export function guideSource(name, language) {
  const source = (tag) => read(`guides/${tag}/${name}.md`).toString();
  if (language === "en") return source("en");
  return withCode(source(language), source("en"), readJson(`guides/${language}/samples.json`));
}

function guidePage(name, language) {
  const widgets = { "first-message": firstMessage(texts[language]) };
  const { title, lead, html } = renderGuide(guideSource(name, language), { language, widgets });
  return { address: `/docs/guides/${name}`, title, about: lead, html, weight: 2 };
}

function home(language, own) {
  const text = texts[language];
  const card = ({ address, title, about }) =>
    `<li><a href="${localized(address, language)}"><b>${escaped(title)}</b></a><p>${escaped(about)}</p></li>`;
  const extra = [
    { address: "/docs/reference", title: text.reference, about: text.referenceLead },
    { address: "/docs/operating", title: text.operating, about: text.operatingLead },
    { address: "/docs/problems", title: text.problems, about: text.problemsLead },
  ];
  const ways = [
    { address: "/console", title: text.forPeople, about: text.forPeopleLead },
    { address: "/docs/guides/first-message", title: text.forPrograms, about: text.forProgramsLead },
  ];
  const html = `<p class="lead">${inline(text.homeLead)}</p>
<ul class="cards ways">${ways.map(card).join("")}</ul>
<h2 id="try">${text.homeTry}</h2>${firstMessage(text)}
<h2 id="guides">${text.guides}</h2><ul class="cards">${[...own, ...extra].map(card).join("")}</ul>`;
  return { address: "/docs", title: "Peyk", heading: escaped(text.homeHeading), about: text.homeLead, html };
}

function notFound(language) {
  const text = texts[language];
  return { address: "/docs/404", title: text.notFound, about: text.notFoundText, html: `<p>${text.notFoundText}</p>` };
}
