// Every page of the documentation in a real browser, as the runtime serves it: in both languages, on a phone and on a screen,
// light and dark.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { siteFiles } from "../../site/lib/build.mjs";
import { languages, languagesOf, localized } from "../../site/lib/paths.mjs";
import { scriptTexts } from "../../site/lib/texts.mjs";
import { themes, themesAt, violations } from "../support/accessible/violations.mjs";
import { movedAt, noteShifts } from "../support/layout-shift.mjs";
import { api, sharedServer } from "../support/server.mjs";
import { issueKey, openShop } from "../support/shop.mjs";
import { clipped, launch, openPage, overflow } from "../support/site-browser.mjs";

const widths = [390, 1_280];
const sizeOf = (width) => ({ width, height: 900 });
/** How many tabs are open at once: the machine has two cores. */
const lanes = 2;

// The browser is closed first, also if the server did not start.
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

let shop;
let testKey;
const server = sharedServer(async (server) => {
  shop = await openShop(server, 1_000_000);
  testKey = (await issueKey(server, shop.id, { mode: "test" })).key;
});

const addresses = siteFiles()
  .map(([path]) => path)
  .filter((path) => path.endsWith(".html") && !path.endsWith("/404.html"))
  .map((path) => `/${path.slice(0, -".html".length)}`);

/** Holds what must be true of a page at a width: in one theme, or in both if there is no other language to show the other one. */
async function auditAt(page, address, width) {
  await page.setViewportSize(sizeOf(width));
  const found = [];
  const wider = await overflow(page);
  if (wider > 0) found.push(`the page is ${wider} pixels too wide`);
  found.push(...(await clipped(page)).map((table) => `a table is clipped: ${table}`));
  const isFirstLanguage = !/^\/docs\/fa(?:\/|$)/.test(address);
  const shownIn = languagesOf(address).length > 1 ? themesAt(width, widths, isFirstLanguage) : themes;
  found.push(...(await violations(page, shownIn)));
  return found.map((fault) => `at ${width}: ${fault}`);
}

/** Loads what the page would load when it is scrolled to, and waits for it. Returns the pictures that are broken. */
const brokenPictures = (page) =>
  page.evaluate(async () => {
    for (const picture of document.images) picture.loading = "eager";
    const loaded = [...document.images].map((picture) =>
      picture.decode().then(
        () => [],
        () => [picture.src],
      ),
    );
    return (await Promise.all(loaded)).flat();
  });

/** Opens an address and looks at it at each width. It takes long to load a page and to bring axe to it, so that is done once. */
async function audit({ page, faults }, address) {
  const found = [];
  await page.setViewportSize(sizeOf(widths[0]));
  const answer = await page.goto(address);
  if (answer.status() !== 200) found.push(`status ${answer.status()}`);
  const policy = answer.headers()["content-security-policy"] ?? "";
  if (!policy.includes("default-src 'none'") || policy.includes("unsafe")) found.push(`policy ${policy}`);
  // What is folded up is shown too, as a reader would see it.
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details:not(.menu)")) details.open = true;
  });
  for (const width of widths) found.push(...(await auditAt(page, address, width)));
  // A picture that is on its way when the page is left would be a request that fails.
  found.push(...(await brokenPictures(page)).map((src) => `a picture is broken: ${src}`));
  return [...found, ...faults.splice(0)].map((fault) => `${address}: ${fault}`);
}

/** Looks at the addresses of a queue one after another, in one tab. Returns what it has found. */
async function auditAll(queue) {
  const opened = await openPage(browser, server.baseUrl);
  const found = [];
  for (let address = queue.shift(); address !== undefined; address = queue.shift())
    found.push(...(await audit(opened, address)));
  await opened.close();
  return found;
}

test(`every page is whole, accessible and from this host alone at ${widths.join(" and ")} px`, async () => {
  assert.ok(addresses.length > 80, `${addresses.length}`);
  const queue = [...addresses];
  const found = await Promise.all(Array.from({ length: lanes }, () => auditAll(queue)));
  assert.deepEqual(found.flat(), []);
});

/** What a page may lack when it is first seen. Its words and their style are there. */
const comesLate = ({ pathname }) => /\.(?:js|woff2)$/.test(pathname) && !/\/(?:theme|language)\.js$/.test(pathname);

test("a page stays where it is when its scripts and its font come late", async () => {
  const kinds = ["/docs", "/docs/guides/webhooks"];
  const shown = languages.flatMap((language) => kinds.map((kind) => localized(kind, language)));
  const found = [];
  for (const width of widths) {
    const { page, close } = await openPage(browser, server.baseUrl, { viewport: sizeOf(width) });
    await noteShifts(page);
    const whole = () => page.locator("[data-theme-switch]").waitFor();
    for (const address of shown) found.push(...(await movedAt(page, address, comesLate, whole)));
    await close();
  }
  assert.deepEqual(found, []);
});

const answer = (page) => page.locator("form.first .answer");
const confirm = (scope) => scope.locator("[data-confirm]");

/** Fills in the form of a first message and sends it. */
async function sendFirst(page, key, number) {
  await page.locator("#first-key").fill(key);
  await page.locator("#first-number").fill(number);
  await page.locator("form.first [type=submit]").click();
}

for (const language of languages)
  for (const width of widths)
    test(`a message is sent with a pasted key and delivered, in ${language} at ${width} px`, async () => {
      const { page, faults, close } = await openPage(browser, server.baseUrl, { viewport: sizeOf(width) });
      await page.goto(localized("/docs", language));
      await sendFirst(page, shop.key, "09121234567");
      await confirm(page).click();
      await answer(page).locator(".good b").filter({ hasText: "DELIVERED" }).waitFor();
      const [{ uid }] = (await api(server, "GET", "/messages?limit=1", { key: shop.key })).json.data;
      const sent = await api(server, "GET", `/messages/${uid}`, { key: shop.key });
      assert.deepEqual(sent.json.data.counts, { DELIVERED: 1 });
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(faults, []);
      await close();
    });

test("no number is filled in, and none is sent to before the reader has written one", async () => {
  const { page, close } = await openPage(browser, server.baseUrl);
  for (const language of languages) {
    await page.goto(localized("/docs", language));
    assert.equal(await page.locator("#first-number").inputValue(), "");
    await sendFirst(page, testKey, "");
    await answer(page).filter({ hasText: scriptTexts[language].noNumber }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.id), "first-number");
  }
  await close();
});

test("a send with a live key asks first, and one with a test key does not", async () => {
  const own = await openShop(server, 1_000_000);
  const { page, close } = await openPage(browser, server.baseUrl);
  await page.goto("/docs");
  await sendFirst(page, own.key, "09121234567");
  await answer(page).filter({ hasText: scriptTexts.en.asksSend }).waitFor();
  await page.locator(".answer button.quiet").click();
  await page.goto("/docs/reference/sending");
  const form = page.locator("form[data-path='/sms/send']");
  await page.locator("details.try", { has: form }).locator("summary").first().click();
  await form.locator("[type=submit]").click();
  await form.locator(".answer").filter({ hasText: scriptTexts.en.noNumber }).waitFor();
  await form.locator("[data-body]").fill('{"message": "Hello", "recipients": ["09121234567"]}');
  await form.locator("[type=submit]").click();
  await form.locator(".answer").filter({ hasText: scriptTexts.en.asksSend }).waitFor();
  assert.deepEqual((await api(server, "GET", "/messages", { key: own.key })).json.data, []);
  await page.goto("/docs");
  await sendFirst(page, testKey, "09121234567");
  await answer(page).locator(".good b").filter({ hasText: "DELIVERED" }).waitFor();
  await close();
});

test("a message that failed is shown as a failure, with its reason in words", async () => {
  for (const language of languages) {
    const { page, close } = await openPage(browser, server.baseUrl);
    await page.goto(localized("/docs", language));
    await sendFirst(page, testKey, "09129990902");
    const line = answer(page).locator(".bad", { hasText: "UNDELIVERED" });
    await line.waitFor();
    const { statuses, reasons } = scriptTexts[language];
    const text = await line.textContent();
    const [reason] = Object.keys(reasons).filter((name) => text.endsWith(name));
    assert.ok(text.includes(statuses.UNDELIVERED) && text.includes(reasons[reason]), text);
    await close();
  }
});

test("a DELETE asks first and refuses an empty field of the path", async () => {
  const { page, close } = await openPage(browser, server.baseUrl);
  const made = await api(server, "POST", "/phonebook", { key: shop.key, body: { title: "To be deleted" } });
  await page.goto("/docs/reference/phonebooks");
  const form = page.locator("form[data-path='/phonebook/{id}'][data-method=DELETE]");
  await page.locator("details.try", { has: form }).locator("summary").first().click();
  await form.locator("[data-key]").fill(shop.key);
  await form.locator("[type=submit]").click();
  await form.locator(".answer").filter({ hasText: "Fill in id." }).waitFor();
  await form.locator("[data-name=id]").fill(made.json.data.id);
  await form.locator("[type=submit]").click();
  await form.locator(".answer").filter({ hasText: scriptTexts.en.asksDelete }).waitFor();
  const get = () => api(server, "GET", `/phonebook/${made.json.data.id}`, { key: shop.key });
  assert.equal((await get()).status, 200);
  await confirm(form).click();
  await form.locator(".answer .good").filter({ hasText: "204" }).waitFor();
  assert.equal((await get()).status, 404);
  await close();
});

test("a file from the reader's disk is imported as it is, also in UTF-16", async () => {
  const { page, close } = await openPage(browser, server.baseUrl);
  const { json } = await api(server, "POST", "/phonebook", { key: shop.key, body: { title: "From a file" } });
  await page.goto("/docs/fa/reference/phonebooks");
  const form = page.locator("form[data-path='/phonebook/{id}/import']");
  await page.locator("details.try", { has: form }).locator("summary").first().click();
  await form.locator("[data-key]").fill(shop.key);
  await form.locator("[data-name=id]").fill(json.data.id);
  const content = Buffer.from("\ufeffشماره,نام\n09121234567,علی\n", "utf16le");
  await form.locator("[data-file]").setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer: content });
  await form.locator("[type=submit]").click();
  await form.locator(".answer .good").filter({ hasText: "201" }).waitFor();
  const { data } = (await api(server, "GET", `/phonebook/number/${json.data.id}`, { key: shop.key })).json;
  assert.deepEqual(
    data.map(({ number, name }) => [number, name]),
    [["+989121234567", "علی"]],
  );
  await close();
});

test("the form of an operation sends it with its parameters and its body, and shows the answer", async () => {
  const { page, faults, close } = await openPage(browser, server.baseUrl);
  await page.goto("/docs/reference/sending");
  const form = page.locator("form[data-path='/sms/estimate']");
  await page.locator("details.try", { has: form }).locator("summary").click();
  await form.locator("[data-key]").fill(shop.key);
  await form.locator("[data-body]").fill('{"send":{"message":"x","recipients":["09121234567"]}}');
  await form.locator("[type=submit]").click();
  await form.locator(".answer .good").filter({ hasText: "200" }).waitFor();
  assert.equal(JSON.parse(await form.locator(".answer pre").textContent()).data.cost, 1_000);
  await page.goto("/docs/reference/messages");
  const list = page.locator("form[data-path='/messages']");
  await page.locator("details.try", { has: list }).locator("summary").click();
  await list.locator("[data-name=limit]").fill("1");
  await list.locator("[type=submit]").click();
  await list.locator(".answer .good").filter({ hasText: "200" }).waitFor();
  assert.ok(JSON.parse(await list.locator(".answer pre").textContent()).data.length <= 1);
  assert.deepEqual(faults, []);
  await close();
});

test("an error is shown in words first, with a link to the page that explains it", async () => {
  const { key } = await issueKey(server, shop.id, { scopes: ["sms:read"] });
  const { page, close } = await openPage(browser, server.baseUrl);
  await page.goto("/docs/fa");
  await sendFirst(page, key, "09121234567");
  await confirm(page).click();
  await page.locator(".answer a").waitFor();
  const whole = JSON.parse(await page.locator(".answer pre").textContent());
  const [status, words] = await page.locator(".answer > p").allTextContents();
  assert.match(status, /^403/);
  assert.ok(words.startsWith(whole.title), words);
  assert.ok(words.includes(whole.detail.replaceAll("`", "")), words);
  assert.ok(await page.locator(".answer pre").isHidden());
  await page.locator(".answer a").click();
  await page.waitForURL("**/docs/fa/problems/forbidden");
  await close();
});

test("the key stays in its tab, and is gone when the reader forgets it", async () => {
  const { page, close } = await openPage(browser, server.baseUrl);
  await page.goto("/docs");
  await page.locator("#first-key").fill("peyk_test_x");
  await page.goto("/docs/reference/sending");
  assert.equal(await page.locator("[data-key]").first().inputValue(), "peyk_test_x");
  const kept = await page.evaluate(() => [JSON.stringify(localStorage), document.cookie]);
  assert.ok(!kept.join().includes("peyk_test_x"), kept.join());
  const second = await page.context().newPage();
  await second.goto("/docs");
  assert.equal(await second.locator("#first-key").inputValue(), "");
  await page.locator("details.try summary").first().click();
  await page.locator("[data-forget]").first().click();
  assert.equal(await page.locator("[data-key]").first().inputValue(), "");
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  await close();
});

test("the language of code that the reader chooses holds for all code, on all pages", async () => {
  const { page, faults, close } = await openPage(browser, server.baseUrl);
  await page.goto("/docs/reference/sending");
  const shown = () =>
    page.evaluate(() => [
      ...new Set(
        [...document.querySelectorAll(".tabs > [data-tab]")]
          .filter((tab) => !tab.hidden)
          .map(({ dataset }) => dataset.tab),
      ),
    ]);
  assert.deepEqual(await shown(), ["sh"]);
  await page.locator("[role=tab]", { hasText: "Python" }).first().click();
  assert.deepEqual(await shown(), ["python"]);
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await shown(), ["php"]);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "PHP");
  await page.goto("/docs/fa/reference/messages");
  assert.deepEqual(await shown(), ["php"]);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(faults, []);
  await close();
});

test("the search leads to what somebody types, by the keyboard alone", async () => {
  for (const [language, asked, address] of [
    ["en", "not found 3012", "/docs/problems/sms-head-number-not-found"],
    ["fa", "وب هوک", "/docs/fa/guides/webhooks"],
  ]) {
    const { page, faults, close } = await openPage(browser, server.baseUrl, { viewport: sizeOf(390) });
    await page.goto(localized("/docs", language));
    await page.keyboard.press("/");
    await page.keyboard.type(asked);
    const link = page.locator(`.found a[href="${address}"]`);
    await link.waitFor();
    assert.deepEqual(await violations(page), []);
    assert.equal(await overflow(page), 0);
    await page.keyboard.press("ArrowDown");
    while ((await page.evaluate(() => document.activeElement.getAttribute("href"))) !== address)
      await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**${address}`);
    assert.deepEqual(faults, []);
    await close();
  }
});

test("a search without results says so", async () => {
  const { page, close } = await openPage(browser, server.baseUrl);
  await page.goto("/docs");
  await page.locator(".search input").fill("qwertyuiop");
  await page.locator(".found [role=status]").filter({ hasText: scriptTexts.en.noResults }).waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".found [role=status]").textContent(), "");
  await close();
});

test("language models get the documentation as text", async () => {
  for (const path of ["/llms.txt", "/llms-full.txt", "/docs/guides/first-message.md"]) {
    const answer = await fetch(server.baseUrl + path);
    assert.equal(answer.status, 200, path);
    assert.match(answer.headers.get("content-type"), /^text\/(?:plain|markdown)/, path);
    assert.match(await answer.text(), /^# /);
  }
});

test("the switch of colors outlives a reload", async () => {
  const { page, close } = await openPage(browser, server.baseUrl, { colorScheme: "light" });
  await page.goto("/docs");
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.locator("[data-theme-switch]").click();
  assert.equal(await paper(), light);
  await page.locator("[data-theme-switch]").click();
  const dark = await paper();
  assert.notEqual(dark, light);
  await page.reload();
  assert.equal(await paper(), dark);
  await close();
});

test("who opens the service comes to the documentation in the language of the browser, and from there to the sign-in", async () => {
  for (const [locale, address] of [
    ["en-US", "/docs"],
    ["fa-IR", "/docs/fa"],
  ]) {
    const { page, close } = await openPage(browser, server.baseUrl, { locale });
    await page.goto("/");
    assert.equal(new URL(page.url()).pathname, address);
    await page.locator(".ways a[href='/console']").click();
    await page.locator(".sign-in h1").waitFor();
    await close();
  }
});

test("the beginning follows the browser's language, and what a reader has chosen counts more", async () => {
  const { page, faults, close } = await openPage(browser, server.baseUrl, { locale: "fa-IR", givesUp: true });
  const path = () => new URL(page.url()).pathname;
  await page.goto("/docs");
  await page.waitForURL("**/docs/fa");
  await page.locator("a.language").click();
  await page.waitForURL("**/docs");
  await page.locator("[data-theme-switch]").waitFor();
  assert.equal(path(), "/docs");
  // Somebody comes again.
  await page.goto("about:blank");
  await page.goto("/docs");
  await page.locator("[data-theme-switch]").waitFor();
  assert.equal(path(), "/docs");
  await page.goto("/docs/guides/webhooks");
  await page.locator("[data-theme-switch]").waitFor();
  assert.equal(path(), "/docs/guides/webhooks");
  assert.deepEqual(faults, []);
  await close();
  const english = await openPage(browser, server.baseUrl, { locale: "en-US" });
  await english.page.goto("/docs");
  await english.page.locator("[data-theme-switch]").waitFor();
  assert.equal(new URL(english.page.url()).pathname, "/docs");
  await english.close();
});

test("the type of an error is the address of its page, and unknown pages have one of their own", async () => {
  const { json } = await api(server, "GET", "/no/such/path");
  assert.equal(json.type, `${server.baseUrl}/docs/problems/not-found`);
  const page = await fetch(json.type);
  assert.equal(page.status, 200);
  assert.match(page.headers.get("content-type"), /^text\/html/);
  assert.match(await page.text(), /What to do/);
  const { status, headers } = await fetch(`${server.baseUrl}/docs/problems/no-such-error`);
  assert.deepEqual([status, headers.get("content-type")?.split(";")[0]], [404, "text/html"]);
  const slash = await fetch(`${server.baseUrl}/docs/`, { redirect: "manual" });
  assert.deepEqual([slash.status, slash.headers.get("location")], [307, "/docs"]);
});
