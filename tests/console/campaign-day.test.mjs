// A shop's day with a large campaign, in the console: 50,000 lines of a file, some of them opted out, and all that a shop does with what it
// sends. At the end, what arrived is compared with what the console and the API tell.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { makeFormat } from "../../console/src/format/format.ts";
import { violations } from "../support/accessible/violations.mjs";
import { button, dialog, field, goTo, heading, openConsole } from "../support/console-browser.mjs";
import { fileOf } from "../support/console-tables.mjs";
import { languages } from "../support/console-views.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { all, inbox, openShop, walletOf } from "../support/shop.mjs";
import { launch, overflow } from "../support/site-browser.mjs";

const LINES = 50_000;
const OPTED_OUT = 37;
const money = 1_000_000_000;
const text = "Hello %name%, we open at 9.";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const server = sharedServer();

/** One in fifty does not get what is sent to it. */
const fails = (index) => index % 50 === 49;
const phone = (index) =>
  `+989${10 + Math.floor(index / 10_000)}${String(index % 10_000).padStart(4, "0")}${fails(index) ? "902" : "567"}`;
const optedOut = Array.from({ length: OPTED_OUT }, (_, at) => phone(at * 1_350));
const file = `number,name\n${Array.from({ length: LINES }, (_, at) => `${phone(at)},Customer ${at}\n`).join("")}`;

async function must(...call) {
  const answer = await api(...call);
  assert.ok(answer.status < 300, answer.text);
  return answer.json?.data;
}

const whenIt = (key, id, holds, what) =>
  until(
    async () => {
      const found = await must(server, "GET", `/campaigns/${id}`, { key });
      return holds(found) ? found : null;
    },
    { what },
  );

/** Fills a phonebook from the file. */
async function importFile(page, t, book, count) {
  await goTo(page, `#/phonebooks/${book}/import`, t.importing.title);
  await page.locator("input[type=file]").setInputFiles(fileOf(file));
  await button(page, t.importing.start(count)).click();
  await page.getByText(t.importing.states.DONE).waitFor();
}

async function makeCampaign(page, t) {
  await goTo(page, "#/campaigns/new", t.newCampaign.title);
  await field(page, t.campaigns.name).fill("Sale");
  // The import has made several phonebooks of so many lines.
  const books = page.locator(".books").first().locator("label", { hasText: "Customers" });
  await books.first().waitFor();
  for (const book of await books.all()) await book.click();
  await field(page, t.compose.text).fill(text);
  await button(page, t.newCampaign.save).click();
  await heading(page, "Sale").waitFor();
}

/** Both clicks come before the page has drawn what the first one does. */
const clickTwice = (locator) =>
  locator.evaluate((element) => {
    element.click();
    element.click();
  });

async function assertFit(page) {
  assert.deepEqual(await violations(page), []);
  assert.equal(await overflow(page), 0);
}

/** What arrived at phones, and what was paid, is what both campaigns tell. */
async function assertExact(shop, first, again) {
  const [of, ofAgain] = [first, again].map(({ id }) => all(server, shop.key, `/campaigns/${id}/recipients`));
  const [told, toldAgain] = [await of, await ofAgain];
  const left = told.filter(({ status }) => ["DELIVERED", "UNDELIVERED"].includes(status));
  const got = [...(await inbox(server, shop.id)).values()].map(({ recipient }) => recipient).sort();
  assert.deepEqual(got, [...left, ...toldAgain].map(({ recipient }) => recipient).sort());
  const missed = told.filter(({ status }) => status === "UNDELIVERED").map(({ recipient }) => recipient);
  assert.deepEqual(toldAgain.map(({ recipient }) => recipient).sort(), missed.sort());
  assert.equal(new Set(told.map(({ recipient }) => recipient)).size, told.length);
  const skipped = told.filter(({ status }) => status === "SKIPPED").map(({ recipient }) => recipient);
  assert.deepEqual(
    skipped.filter((number) => !optedOut.includes(number)),
    [],
  );
  const spent = [first, again].reduce((sum, { progress }) => sum + progress.cost - progress.returned, 0);
  const wallet = await walletOf(server, shop.key);
  assert.deepEqual([wallet.availableBalance, wallet.lockedBalance], [money - spent, 0]);
}

for (const language of languages)
  test(`50,000 lines become a campaign that is paused, goes on, is stopped, looked into and resent, in ${language}`, async () => {
    const shop = await openShop(server, money);
    const { key } = shop;
    const { id: book } = await must(server, "POST", "/phonebook", { key, body: { title: "Customers" } });
    await must(server, "POST", "/blacklist", { key, body: { numbers: optedOut } });
    const { page, faults, close, t } = await openConsole(browser, server, key, { language });
    const { number } = makeFormat(language, language === "fa" ? "persian" : "gregory");
    await importFile(page, t, book, number(LINES));
    await makeCampaign(page, t);
    const start = button(page, t.campaign.start(number(LINES - OPTED_OUT)));
    await start.waitFor();
    await page.locator(".left-out li", { hasText: t.campaign.skips.BLACKLISTED(number(OPTED_OUT)) }).waitFor();
    await assertFit(page);

    const steps = [];
    page.on("request", (request) => request.method() === "POST" && steps.push(new URL(request.url()).pathname));
    await clickTwice(start);
    const badge = (state) => page.locator("#content .badge", { hasText: t.campaigns.states[state] });
    await badge("RUNNING").waitFor();
    const [{ id }] = await must(server, "GET", "/campaigns", { key });
    assert.deepEqual(steps, [`/campaigns/${id}/start`]);
    await whenIt(key, id, ({ progress }) => progress.delivered > 0, "the first of the campaign");
    await button(page, t.campaign.steps.pause).click();
    await badge("PAUSED").waitFor();
    const paused = await must(server, "GET", `/campaigns/${id}`, { key });
    await assertFit(page);
    await button(page, t.campaign.steps.resume).click();
    await badge("RUNNING").waitFor();
    await whenIt(key, id, ({ progress }) => progress.recipients > paused.progress.recipients, "a further wave");
    await button(page, t.campaign.cancel).click();
    await button(dialog(page), t.campaign.cancel).click();
    await badge("CANCELED").waitFor();
    const first = await whenIt(key, id, ({ progress }) => progress.open === 0, "the last report");
    assert.ok(first.progress.recipients < LINES - OPTED_OUT);
    assert.ok(first.progress.failed > 0);

    await field(page, t.messages.recipient).fill(phone(1));
    await page.keyboard.press("Enter");
    await page.locator("table.list tbody tr:only-child", { hasText: t.recipientStatuses.DELIVERED }).waitFor();
    await goTo(page, `#/campaigns/${id}`, "Sale");
    const [saved] = await Promise.all([page.waitForEvent("download"), button(page, t.form.csv).click()]);
    const lines = readFileSync(await saved.path(), "utf8")
      .trim()
      .split("\n");
    assert.equal(lines.length, 1 + first.progress.recipients + first.progress.skipped);

    const missed = first.progress.failures.reduce((sum, { count }) => sum + count, 0);
    await clickTwice(button(page, t.campaign.resend(number(missed))));
    const restart = button(page, t.campaign.start(number(missed)));
    await restart.waitFor();
    await assertFit(page);
    await clickTwice(restart);
    await badge("DONE").waitFor();
    const [{ id: resend }] = await must(server, "GET", "/campaigns", { key });
    const again = await whenIt(key, resend, ({ progress }) => progress.open === 0, "the last report of the resend");
    assert.equal(again.resendOf, id);
    await assertExact(shop, first, again);
    assert.deepEqual(faults, []);
    await close();
  });
