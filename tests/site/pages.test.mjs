// Every page of the documentation in a real browser, as the runtime serves it: in both languages, on a phone and on a screen,
// light and dark.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { siteFiles } from "../../site/lib/build.mjs";
import { languages, localized } from "../../site/lib/paths.mjs";
import { api, sharedServer } from "../support/server.mjs";
import { issueKey, openShop } from "../support/shop.mjs";
import { launch, openPage, overflow, violations } from "../support/site-browser.mjs";

const widths = [390, 1_280];
/** How many pages are open at once: the machine has two cores. */
const lanes = 2;

// The browser is closed first, also if the server did not start.
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

let shop;
const server = sharedServer(async (server) => {
  shop = await openShop(server, 1_000_000);
});

const addresses = siteFiles()
  .map(([path]) => path)
  .filter((path) => path.endsWith(".html") && !path.endsWith("/404.html"))
  .map((path) => `/${path.slice(0, -".html".length)}`);

/** Calls `work` for each item, a few at a time. */
async function each(items, work) {
  const queue = [...items];
  const lane = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Opens an address at a width, and holds what must be true of each page in both themes. */
async function audit(address, width) {
  const { page, faults, close } = await openPage(browser, server.baseUrl, {
    viewport: { width, height: 900 },
    colorScheme: "light",
  });
  const found = [];
  const answer = await page.goto(address);
  if (answer.status() !== 200) found.push(`status ${answer.status()}`);
  const policy = answer.headers()["content-security-policy"] ?? "";
  if (!policy.includes("default-src 'none'") || policy.includes("unsafe")) found.push(`policy ${policy}`);
  // What is folded up is shown too, as a reader would see it.
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details:not(.menu)")) details.open = true;
  });
  const wider = await overflow(page);
  if (wider > 0) found.push(`the page is ${wider} pixels too wide`);
  found.push(...(await violations(page)).map((violation) => `light: ${violation}`));
  // Of all the rules, only this one depends on the colors.
  await page.emulateMedia({ colorScheme: "dark" });
  found.push(...(await violations(page, "color-contrast")).map((violation) => `dark: ${violation}`));
  await close();
  return [...found, ...faults].map((fault) => `${address} at ${width}: ${fault}`);
}

for (const width of widths)
  test(`every page is whole, accessible and from this host alone at ${width} px`, async () => {
    assert.ok(addresses.length > 80, `${addresses.length}`);
    const found = [];
    await each(addresses, async (address) => found.push(...(await audit(address, width))));
    assert.deepEqual(found, []);
  });

const status = (page) => page.locator(".answer b");

for (const language of languages)
  for (const width of widths)
    test(`a message is sent with a pasted key and delivered, in ${language} at ${width} px`, async () => {
      const { page, faults, close } = await openPage(browser, server.baseUrl, { viewport: { width, height: 900 } });
      await page.goto(localized("/docs", language));
      await page.locator("#first-key").fill(shop.key);
      await page.locator("#first-number").fill("09121234567");
      await page.locator("form.first [type=submit]").click();
      await status(page).filter({ hasText: "DELIVERED" }).waitFor();
      const [{ uid }] = (await api(server, "GET", "/messages?limit=1", { key: shop.key })).json.data;
      const sent = await api(server, "GET", `/messages/${uid}`, { key: shop.key });
      assert.deepEqual(sent.json.data.counts, { DELIVERED: 1 });
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(faults, []);
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

test("an error is shown with a link to the page that explains it", async () => {
  const { key } = await issueKey(server, shop.id, { scopes: ["sms:read"] });
  const { page, close } = await openPage(browser, server.baseUrl);
  await page.goto("/docs/fa");
  await page.locator("#first-key").fill(key);
  await page.locator("form.first [type=submit]").click();
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

test("a browser that opens the service comes to the documentation in its language", async () => {
  for (const [locale, address] of [
    ["en-US", "/docs"],
    ["fa-IR", "/docs/fa"],
  ]) {
    const { page, close } = await openPage(browser, server.baseUrl, { locale });
    await page.goto("/");
    assert.equal(new URL(page.url()).pathname, address);
    await close();
  }
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
