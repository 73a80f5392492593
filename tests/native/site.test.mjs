// The documentation as files: all that can be held without a browser and without a service.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import MiniSearch from "minisearch";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { guides, siteFiles } from "../../site/lib/build.mjs";
import { inEnglish } from "../../site/lib/paths.mjs";
import { persian } from "../../site/lib/persian.mjs";
import { operationsOf } from "../../site/lib/reference.mjs";
import { scriptTexts, texts } from "../../site/lib/texts.mjs";
import { options } from "../../site/static/search-terms.js";

const files = new Map(siteFiles());
const pages = [...files].filter(([path]) => path.endsWith(".html"));
const readJson = (path) => JSON.parse(readFileSync(inRoot(path), "utf8"));
const api = readJson("openapi.json");
const problems = readJson("site/problems.json");

const isPersian = (text) => /[\u0600-\u06ff]/.test(text);

/** The file that the runtime serves at a path. */
const fileAt = (path) => (files.has(path.slice(1)) ? path.slice(1) : `${path.slice(1)}.html`);

test("the same sources always make the same files", () => {
  const again = new Map(siteFiles());
  assert.deepEqual([...again.keys()], [...files.keys()]);
  for (const [path, content] of again) assert.ok(Buffer.from(content).equals(Buffer.from(files.get(path))), path);
});

test("each form that spends money or ends something asks first, and no other does", () => {
  const asking = (what) => {
    const forms = pages.flatMap(([, html]) => [
      ...html.matchAll(/<form data-method="([A-Z]+)" data-path="([^"]+)"([^>]*)>/g),
    ]);
    const found = forms.filter(([, , , rest]) => rest.includes(`data-asks="${what}"`));
    return [...new Set(found.map(([, method, path]) => `${method} ${path}`))].sort();
  };
  assert.deepEqual(asking("send"), [
    "POST /sms/bulk",
    "POST /sms/pattern",
    "POST /sms/phonebook/send",
    "POST /sms/send",
    "POST /verify",
  ]);
  const ends = asking("delete");
  assert.ok(ends.includes("POST /erasures") && ends.includes("DELETE /verify/{id}"), ends.join());
});

test("every link inside the site leads to a page and, if it names one, to a place on it", () => {
  const idsOf = new Map(
    pages.map(([path, html]) => [path, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
  );
  let seen = 0;
  for (const [page, html] of pages)
    for (const [, link] of html.matchAll(/ (?:href|src)="([^"]+)"/g)) {
      seen += 1;
      const { origin, pathname, hash } = new URL(link, `http://site/${page.slice(0, -".html".length)}`);
      // The build puts them beside the site.
      if (origin !== "http://site" || ["/openapi.json", "/console"].includes(pathname)) continue;
      const file = fileAt(decodeURI(pathname));
      assert.ok(files.has(file), `${page}: ${link}`);
      if (hash) assert.ok(idsOf.get(file).has(decodeURIComponent(hash.slice(1))), `${page}: ${link}`);
    }
  assert.ok(seen > 1_000, `${seen}`);
});

test("a page loads nothing from elsewhere, and has nothing that the policy refuses", () => {
  for (const [page, html] of pages) {
    for (const [tag] of html.matchAll(/<(?:script|link|img|iframe)\b[^>]*>/g))
      assert.doesNotMatch(tag, /(?:src|href)="(?!\/docs)/, `${page}: ${tag}`);
    assert.doesNotMatch(html, /<style|<script>|\sstyle="|\son[a-z]+="|javascript:/, page);
  }
  const css = files.get("docs/assets/site.css").toString();
  for (const [, url] of css.matchAll(/url\("([^"]+)"\)/g)) assert.match(url, /^\/docs\/assets\//);
  assert.doesNotMatch(files.get("_headers"), /unsafe/);
});

test("ids on a page are its own", () => {
  for (const [page, html] of pages) {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    assert.deepEqual(ids, [...new Set(ids)], page);
  }
});

/** The files of the pages for operators, which are in English alone. */
const operating = inEnglish.map((name) => `docs/${name}.html`);

test("both languages have the same pages and the same words of the site", () => {
  const english = pages.map(([path]) => path).filter((path) => !/^docs\/fa(?:\/|\.html)/.test(path));
  const translated = english.filter((path) => !operating.includes(path));
  assert.equal(translated.length + operating.length, english.length);
  for (const path of translated) {
    const other = path === "docs.html" ? "docs/fa.html" : path.replace("docs/", "docs/fa/");
    assert.match(files.get(path), /<html lang="en" dir="ltr">/);
    assert.match(files.get(other) ?? "", /<html lang="fa" dir="rtl">/, other);
  }
  assert.equal(translated.length * 2 + operating.length, pages.length);
  const names = (value) =>
    typeof value === "object" ? Object.entries(value).map(([name, inner]) => [name, names(inner)]) : null;
  assert.deepEqual(names(texts.fa), names(texts.en));
  assert.deepEqual(names(scriptTexts.fa), names(scriptTexts.en));
});

test("every page leads to the console, and the first one offers people the console and programs the first message", () => {
  for (const [path, html] of pages) assert.match(html, /<header>.*href="\/console".*<\/header>/s, path);
  for (const [path, guide] of [
    ["docs.html", "/docs/guides/first-message"],
    ["docs/fa.html", "/docs/fa/guides/first-message"],
  ]) {
    const ways = /<ul class="cards ways">.*?<\/ul>/s.exec(files.get(path))[0];
    const links = [...ways.matchAll(/href="([^"]+)"/g)].map(([, link]) => link);
    assert.deepEqual(links, ["/console", guide], path);
  }
});

test("the pages for operators are those of the repository, with no link of it left", () => {
  for (const name of inEnglish) {
    const html = files.get(`docs/${name}.html`);
    const headings = readFileSync(inRoot("docs", `${name}.md`), "utf8").match(/^## .+$/gm);
    assert.equal(html.match(/<h2 id=/g).length, headings.length, name);
    assert.doesNotMatch(html, /href="[^"]*\.md|\]\(|<!-- /, name);
  }
});

test("a Persian reader sees of a page in English that it is, and comes back from it to Persian", () => {
  const menu = /<nav class="side".*?<\/nav>/s.exec(files.get("docs/fa.html"))[0];
  assert.match(texts.fa.operating, /انگلیسی/);
  assert.ok(menu.includes(`<p>${texts.fa.operating}</p>`));
  for (const name of inEnglish) {
    assert.ok(menu.includes(`<a lang="en" hreflang="en" href="/docs/${name}">`), name);
    const html = files.get(`docs/${name}.html`);
    assert.ok(html.includes('hreflang="fa" href="/docs/fa"'), name);
    assert.doesNotMatch(html, /rel="alternate" hreflang="fa"/, name);
  }
});

/** What the pages of the reference show of the document beside the members of bodies. */
function textsOfReference() {
  const shared = api.components.parameters;
  const operations = operationsOf(api);
  const found = [
    ...api.info.description.split("\n\n"),
    ...api.tags.flatMap(({ name, description }) => [name, description]),
    ...operations.flatMap(({ summary, description }) => [summary, description]),
    ...operations.flatMap(({ parameters = [] }) => parameters.map(({ description }) => description)),
    ...operations.map(({ requestBody }) => requestBody?.description),
    ...operations.flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, { description }]) => (Number(status) < 400 ? [description] : [])),
    ),
    ...Object.values(shared).map(({ description }) => description),
    ...Object.values(api.webhooks).flatMap(({ post }) => [post.summary, post.description]),
  ];
  return new Set(found.filter(Boolean));
}

test("the reference has Persian for every operation, parameter and event", () => {
  const missing = [...textsOfReference()].filter((text) => !(text in persian));
  assert.deepEqual(missing, [], "site/persian.json lacks these");
  for (const [english, text] of Object.entries(persian)) assert.ok(isPersian(text), english);
});

test("nothing is translated that the document does not say any more", () => {
  const all = JSON.stringify(api);
  const stale = Object.keys(persian).filter(
    (text) => !textsOfReference().has(text) && !all.includes(JSON.stringify(text).slice(1, -1)),
  );
  assert.deepEqual(stale, [], "site/persian.json has these in vain");
});

test("each operation is on one page of the reference, none of which is long, and the menu has them all", () => {
  const menu = (html) => /<nav class="side".*?<\/nav>/s.exec(html)[0];
  for (const base of ["docs/reference", "docs/fa/reference"]) {
    const own = pages.filter(([path]) => path.startsWith(`${base}/`));
    const shown = own.map(([path, html]) => [
      path,
      [...html.matchAll(/<h2 id="(?!event-|objects")([^"]+)"/g)].map(([, id]) => id),
    ]);
    assert.deepEqual(
      shown.flatMap(([, ids]) => ids).sort(),
      operationsOf(api)
        .map(({ operationId }) => operationId)
        .sort(),
    );
    for (const [path, ids] of shown) assert.ok(ids.length <= 15, `${path} has ${ids.length}`);
    const linked = own.filter(([path]) => menu(files.get(`${base}.html`)).includes(`href="/${path.slice(0, -5)}"`));
    assert.equal(linked.length, own.length);
  }
});

test("every error has a page in both languages that says what happened and what to do", () => {
  const advice = readJson("site/advice.json");
  assert.deepEqual(Object.keys(advice).sort(), problems.map(({ slug }) => slug).sort());
  for (const { slug, code, title, details } of problems) {
    for (const [language, path] of [
      ["en", `docs/problems/${slug}.html`],
      ["fa", `docs/fa/problems/${slug}.html`],
    ]) {
      const { happened, steps } = advice[slug][language];
      const html = files.get(path);
      for (const part of [String(code), title[language]]) assert.ok(html.includes(part), `${path}: ${part}`);
      assert.ok(happened.length > 20 && steps.length > 1, path);
      assert.equal([happened, ...steps].every(isPersian), language === "fa", path);
      assert.ok(details.length > 0, path);
    }
  }
});

test("the first message is told in words, whatever becomes of it", () => {
  const { RecipientStatus, DeliveryError } = api.components.schemas;
  for (const { statuses, reasons } of Object.values(scriptTexts)) {
    assert.deepEqual(Object.keys(statuses).sort(), [...RecipientStatus.enum].sort());
    assert.deepEqual(Object.keys(reasons).sort(), [...DeliveryError.enum].sort());
  }
});

/** The addresses that a search finds, the best first. */
function found(language, asked) {
  const index = MiniSearch.loadJSON(files.get(`docs/assets/search-${language}.json`), options);
  return index.search(asked).map(({ id }) => id);
}

test("the search finds guides, operations and errors by what people type, in both languages", () => {
  for (const [language, asked, address] of [
    ["en", "idempotency", "/docs/guides/errors#repeat-without-sending-twice"],
    ["en", "/sms/send", "/docs/reference/sending#sendSms"],
    ["en", "3012", "/docs/problems/sms-head-number-not-found"],
    ["en", "SmsHeadNumberNotFound", "/docs/problems/sms-head-number-not-found"],
    ["en", "kavenegr", "/docs/guides/moving-from-kavenegar"],
    ["en", "sendAt", "/docs/guides/campaigns#later-and-not-after-all"],
    ["en", "SECRET_KEY", "/docs/operating#secrets"],
    ["en", "time travel", "/docs/restore#the-directory"],
    ["en", "CARRIER_DOWN", "/docs/watching#what-each-worry-means"],
    ["fa", "وب‌هوک", "/docs/fa/guides/webhooks"],
    ["fa", "وب هوک", "/docs/fa/guides/webhooks"],
    ["fa", "وبهوک", "/docs/fa/guides/webhooks"],
    ["fa", "دفترچه", "/docs/fa/reference/phonebooks"],
    ["fa", "كمپين", "/docs/fa/guides/campaigns"],
    ["fa", "۳۰۱۲", "/docs/fa/problems/sms-head-number-not-found"],
  ])
    assert.ok(found(language, asked).slice(0, 8).includes(address), `${asked}: ${found(language, asked).slice(0, 8)}`);
});

test("the search finds the guide first by what people call its subject, also where the guide has another word", () => {
  for (const [language, asked, address] of [
    ["en", "webhook signature", "/docs/guides/webhooks#verify-then-read"],
    ["en", "delivery report", "/docs/guides/first-message#what-became-of-it"],
    ["en", "price", "/docs/guides/prices-and-limits#how-a-price-comes-about"],
    ["en", "limits", "/docs/guides/prices-and-limits#limits"],
    ["en", "emoji", "/docs/guides/prices-and-limits#parts-and-encodings"],
    ["en", "docker", "/docs/guides/webhooks#containers"],
    ["en", "unicode", "/docs/guides/first-message#good-to-know"],
    ["en", "otp", "/docs/guides/login-codes#send-the-code"],
    ["en", "blacklist", "/docs/guides/campaigns#those-who-want-no-more"],
    ["fa", "تحویل", "/docs/fa/guides/first-message#نتیجه-ی-ارسال"],
    ["fa", "تعرفه", "/docs/fa/guides/prices-and-limits#تعرفه-و-موجودی"],
    ["fa", "محدودیت", "/docs/fa/guides/prices-and-limits#محدودیت-ها"],
    ["fa", "ایموجی", "/docs/fa/guides/prices-and-limits#پارت-و-انکودینگ"],
    ["fa", "هزینه", "/docs/fa/guides/prices-and-limits#هزینه-چطور-حساب-می-شود"],
    ["fa", "یونیکد", "/docs/fa/guides/first-message#نکته-ها"],
    ["fa", "بلک لیست", "/docs/fa/guides/campaigns#کسانی-که-دیگر-پیامک-نمی-خواهند"],
    ["fa", "بلک‌لیست", "/docs/fa/guides/campaigns#کسانی-که-دیگر-پیامک-نمی-خواهند"],
    ["fa", "بلکلیست", "/docs/fa/guides/campaigns#کسانی-که-دیگر-پیامک-نمی-خواهند"],
    ["fa", "امضا", "/docs/fa/guides/webhooks#اول-امضا-را-بررسی-کنید-بعد-بخوانید"],
    ["fa", "لاراول", "/docs/fa/guides/webhook-frameworks#laravel"],
  ])
    assert.equal(found(language, asked)[0], address, `${asked}: ${found(language, asked).slice(0, 4)}`);
});

test("each place that the search knows by other words is there", () => {
  const ids = ["en", "fa"].flatMap((language) =>
    Object.values(JSON.parse(files.get(`docs/assets/search-${language}.json`)).documentIds),
  );
  for (const address of Object.keys(readJson("site/search.json"))) assert.ok(ids.includes(address), address);
});

test("each result of the search is a page or a place on one, in its language", () => {
  for (const language of ["en", "fa"]) {
    const ids = Object.values(JSON.parse(files.get(`docs/assets/search-${language}.json`)).documentIds);
    assert.ok(ids.length > 200, `${ids.length}`);
    for (const id of ids) {
      const [path, hash] = id.split("#");
      const html = files.get(fileAt(path));
      assert.equal(path.startsWith("/docs/fa"), language === "fa");
      assert.ok(html, id);
      if (hash) assert.ok(html.includes(` id="${hash}"`), id);
    }
  }
});

test("a long page has contents, which have all its headings", () => {
  for (const [path, html] of pages) {
    const headings = [...html.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
    const contents = /<nav class="contents".*?<\/nav>/s.exec(html)?.[0] ?? "";
    const linked = [...contents.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    assert.deepEqual(linked, headings.length < 3 ? [] : headings, path);
  }
});

test("what is important stands first in the reference", () => {
  const first = (page) => /<h2 id="([^"]+)"/.exec(files.get(`docs/reference/${page}.html`))[1];
  assert.deepEqual(["sending", "messages", "patterns", "phonebooks"].map(first), [
    "sendSms",
    "listMessages",
    "createPattern",
    "createPhonebook",
  ]);
});

test("language models find the guides, the errors and every operation as text", () => {
  const [index, whole] = [files.get("llms.txt"), files.get("llms-full.txt")];
  for (const [, link] of index.matchAll(/\]\((\/[^)]*)\)/g))
    assert.ok(["/openapi.json", "/docs/reference", "/docs/problems"].includes(link) || files.has(link.slice(1)), link);
  for (const name of guides) assert.ok(index.includes(`/docs/guides/${name}.md`), name);
  for (const name of inEnglish) assert.ok(index.includes(`/docs/${name}.md`), name);
  for (const { method, path } of operationsOf(api)) assert.ok(whole.includes(`\`${method} ${path}\``), path);
  for (const { slug } of problems) assert.ok(whole.includes(`/docs/problems/${slug}`), slug);
  // Nothing of what a fence says to a test, nor a part that only a page has.
  for (const [path, content] of files)
    if (/^llms|\.md$/.test(path)) assert.doesNotMatch(content, /^```\w+ |^<!--/m, path);
});

test("no form has a phone number filled in", () => {
  for (const [path, html] of pages)
    for (const [form] of html.matchAll(/<form.*?<\/form>/gs)) {
      const filled = form.replace(/ placeholder="[^"]*"/g, "");
      assert.doesNotMatch(filled, /(?:\+98|0)9\d{9}/, path);
    }
});
