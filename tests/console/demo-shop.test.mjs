// Every page of a customer on the data that `npm start` makes, in both languages, on a phone and on a screen: it shows what the API
// tells, and its links lead on.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { makeFormat } from "../../console/src/format/format.ts";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { goTo, openConsole } from "../support/console-browser.mjs";
import { assertGoodAt, languages, movedWhileLoading, sizeOf, widths, widthsIn } from "../support/console-views.mjs";
import { rows } from "../support/demo-shop.mjs";
import { historyState } from "../support/fresh-state.mjs";
import { api, sharedServer } from "../support/server.mjs";
import { launch } from "../support/site-browser.mjs";

// The browser is closed first, also if the server did not start.
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const server = sharedServer(undefined, undefined, historyState);

async function get(path) {
  const { status, text, json } = await api(server, "GET", path, { key: server.apiKey });
  assert.equal(status, 200, text);
  return json.data;
}

const list = readFileSync(inRoot("console", "src", "app", "pages.ts"), "utf8");
const addresses = [...list.matchAll(/address: \/(.+)\/,\s+Component/g)].map(([, source]) => new RegExp(source));

test("each page of a customer has its row here, and each row its page", () => {
  assert.equal(addresses.length, list.match(/address:/g).length);
  const pageOf = ({ name, sample }) => {
    const found = addresses.filter((address) => address.test(sample));
    assert.equal(found.length, 1, `${name}: ${sample}`);
    return String(found[0]);
  };
  assert.deepEqual(rows.map(pageOf).toSorted(), addresses.map(String).toSorted());
});

/** A text as a person reads it: marks that keep directions apart are not seen, and any blank is one. */
const plain = (text) => text.replace(/[\u2066-\u2069\u200e\u200f]/g, "").replace(/\s+/g, " ");

async function assertShows(page, wanted, name) {
  await page.locator(".loading").first().waitFor({ state: "detached" });
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
  assert.equal(await page.locator("#content [role=alert]").count(), 0, `${name} has failed`);
  assert.equal(await page.getByRole("heading", { name: /could not be loaded|بارگیری نشد/ }).count(), 0, name);
  const seen = plain(await page.locator("#content").innerText());
  const missing = wanted.map(plain).filter((text) => !seen.includes(text));
  assert.deepEqual(missing, [], `${name} shows: ${seen}`);
}

/** Follows a link of a page, and asserts where it leads. */
async function follow(page, { link, to, title }, name) {
  await link(page).click();
  await page.waitForURL((url) => decodeURIComponent(url.hash).startsWith(to));
  await page.locator("#content h1", { hasText: title }).waitFor();
  assert.equal(await page.locator("#content [role=alert]").count(), 0, `where ${name} leads`);
}

/** Pages with several parts that come late. The first of them is looked at in each width. */
const ofManyParts = ["/", "/verify"];

/** What moves of these pages while they load. */
const movedOf = (page, [first, ...others]) =>
  movedWhileLoading(page, [[first, ofManyParts], ...others.map((width) => [width, ofManyParts.slice(0, 1)])]);

for (const language of languages)
  test(`every page of a customer shows the demo's data, in ${language} at ${widths.join(" and ")} px`, async () => {
    const format = makeFormat(language, language === "fa" ? "persian" : "gregory");
    const order = widthsIn(language);
    const viewport = sizeOf(order[0]);
    const { page, faults, close, t } = await openConsole(browser, server, server.apiKey, { language, viewport });
    for (const { name, sample, about } of rows) {
      const { hash = `#${sample}`, title, ready, shows, leads } = await about({ get, t, format });
      await page.setViewportSize(viewport);
      await goTo(page, hash, title);
      await ready?.(page);
      assert.ok(shows.length > 0, name);
      await assertShows(page, shows, name);
      await assertGoodAt(order, page, faults, name, language);
      if (leads) await follow(page, leads, name);
    }
    assert.deepEqual(await movedOf(page, order), []);
    await close();
  });
