// Every page of the console, as the runtime serves it: in both languages, on a phone and on a screen, light and dark.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  button,
  chooseLanguage,
  dialog,
  field,
  goTo,
  openConsole,
  showKeyForm,
  texts,
} from "../support/console-browser.mjs";
import { assertGood, languages, list, testViews, widths } from "../support/console-views.mjs";
import { api, sharedServer } from "../support/server.mjs";
import { issueKey, openShop, send, tomorrow, whenDone } from "../support/shop.mjs";
import { launch, openPage } from "../support/site-browser.mjs";

// The browser is closed first, also if the server did not start.
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

let shop;
/** A message with recipients of every ending, one that waits for its time, and a paused one that leaves a number out. */
let ended;
let scheduled;
let paused;
const server = sharedServer(async (server) => {
  shop = await openShop(server, 1_000_000);
  const numbers = ["09121234567", "09121234901", "09121234902", "09121234903"];
  const sent = await send(server, shop.key, numbers, { message: "سلام، سفارش شما ارسال شد." });
  ended = sent.json.data.uid;
  await whenDone(server, shop.key, ended);
  scheduled = (await send(server, shop.key, numbers, { sendAt: tomorrow() })).json.data.uid;
  paused = await pausedOne(server, numbers);
});

async function pausedOne(server, numbers) {
  const { key } = shop;
  await api(server, "POST", "/blacklist", { key, body: { numbers: ["09351234567"] } });
  const more = { sendAt: tomorrow(), blacklisted: "SKIP" };
  const { uid } = (await send(server, key, [...numbers, "09351234567"], more)).json.data;
  await api(server, "POST", `/messages/${uid}/pause`, { key });
  return uid;
}

/** The pages, each with what shows that it is there as a whole, and what can be opened on it. */
const views = [
  { name: "overview", hash: "#/", title: (t) => t.overview.title, ready: (page) => page.locator(".charts").waitFor() },
  { name: "messages", hash: "#/messages", title: (t) => t.messages.title, ready: (page) => list(page).waitFor() },
  {
    name: "messages, filtered",
    hash: "#/messages?status=SCHEDULED&from=2026-01-01",
    title: (t) => t.messages.title,
    ready: (page, t) => button(page, t.form.clear).waitFor(),
  },
  {
    name: "no messages",
    hash: "#/messages?type=BULK",
    title: (t) => t.messages.title,
    ready: (page, t) => page.getByRole("heading", { name: t.messages.noneFound }).waitFor(),
  },
  {
    name: "the list of a choice",
    hash: "#/messages",
    title: (t) => t.messages.title,
    ready: async (page) => {
      await list(page).waitFor();
      await page.locator(".filters .select").first().click();
      await page.locator("[role=listbox]").waitFor();
    },
  },
  {
    name: "the calendar",
    hash: "#/wallet",
    title: (t) => t.wallet.title,
    ready: async (page) => {
      await list(page).waitFor();
      await page.locator(".filters .day button").first().click();
      await page.locator(".calendar").waitFor();
    },
  },
  {
    name: "message",
    hash: () => `#/messages/${ended}`,
    title: (t) => t.message.title,
    ready: (page) => list(page).waitFor(),
  },
  {
    name: "the cancel of a message",
    hash: () => `#/messages/${scheduled}`,
    title: (t) => t.message.title,
    ready: async (page, t) => {
      await list(page).waitFor();
      await button(page, t.message.cancel).click();
      await dialog(page).waitFor();
    },
  },
  {
    name: "a paused message, and who is left out of it",
    hash: () => `#/messages/${paused}?status=SKIPPED`,
    title: (t) => t.message.title,
    ready: async (page, t) => {
      await list(page).waitFor();
      await page.getByText(t.message.paused).waitFor();
    },
  },
  {
    name: "compose, with faults",
    hash: "#/compose",
    title: (t) => t.compose.title,
    ready: async (page, t) => {
      await field(page, t.compose.numbers).fill("09121234567\n0912");
      await field(page, t.compose.text).fill("سلام");
      await page.locator(".estimate .facts").waitFor();
      await button(page, t.compose.review).click();
      await page.getByText(t.compose.mendFirst).waitFor();
    },
  },
  {
    name: "the last look",
    hash: "#/compose",
    title: (t) => t.compose.title,
    ready: async (page, t) => {
      await field(page, t.compose.numbers).fill("09121234567");
      await field(page, t.compose.text).fill("سلام");
      // The view before this one has left a number that is none.
      await page.getByText(t.compose.mendFirst).waitFor({ state: "detached" });
      await page.locator(".estimate .facts").waitFor();
      await button(page, t.compose.review).click();
      await dialog(page).waitFor();
    },
  },
  { name: "wallet", hash: "#/wallet", title: (t) => t.wallet.title, ready: (page) => list(page).waitFor() },
  {
    name: "keys",
    hash: "#/keys",
    title: (t) => t.keys.title,
    ready: async (page, t) => {
      await list(page).waitFor();
      await button(page, t.keys.issue).click();
      await button(page, t.keys.issueSubmit).waitFor();
    },
  },
  {
    name: "settings",
    hash: "#/settings",
    title: (t) => t.settings.title,
    ready: (page) => page.locator(".radios").first().waitFor(),
  },
  {
    name: "no page",
    hash: "#/nothing",
    title: (t) => t.app.notFound,
    ready: (page, t) => page.getByText(t.app.notFoundText).waitFor(),
  },
];

testViews(() => ({ browser, server, key: shop.key }), views);

for (const language of languages)
  for (const width of widths)
    test(`the sign-in with a key is whole and accessible, in ${language} at ${width} px`, async () => {
      const viewport = { width, height: 800 };
      const { page, faults, close } = await openPage(browser, server.baseUrl, { givesUp: true, viewport });
      await chooseLanguage(page, language);
      await page.goto("/console");
      await showKeyForm(page);
      faults.length = 0;
      await page.locator(".sign-in [type=submit]").click();
      await page.getByText(texts[language].signIn.noKey).waitFor();
      await assertGood(page, faults, "sign-in");
      await close();
    });

test("a narrow window folds the pages up, and they open and close by the keyboard", async () => {
  const viewport = { width: 375, height: 800 };
  const { page, faults, close, t } = await openConsole(browser, server, shop.key, { viewport });
  const navigation = page.getByRole("navigation", { name: t.app.pages });
  assert.ok(await navigation.isHidden());
  await button(page, t.app.menu).focus();
  await page.keyboard.press("Enter");
  await navigation.waitFor();
  await assertGood(page, faults, "the menu");
  await navigation.getByRole("link", { name: t.wallet.title, exact: true }).press("Enter");
  await page.locator("#content h1", { hasText: t.wallet.title }).waitFor();
  assert.ok(await navigation.isHidden());
  await close();
});

test("a list has the way to the page before, also after a reload", async () => {
  const own = await openShop(server, 1_000_000);
  for (let sent = 0; sent < 101; sent += 1) await send(server, own.key, ["09121234567"], { message: `number ${sent}` });
  const { page, close, t } = await openConsole(browser, server, own.key, { hash: "#/messages?type=PLAIN" });
  const link = (name) => page.locator(".pager").getByRole("link", { name, exact: true });
  const first = () => page.locator("table.list tbody a").first().innerText();
  const shows = (text) => page.locator("table.list tbody tr:first-child", { hasText: text }).waitFor();
  await list(page).waitFor();
  assert.equal(await link(t.state.previous).count(), 0);
  const tops = [await first()];
  for (let seen = 0; seen < 2; seen += 1) {
    await link(t.state.next).click();
    await page
      .locator("table.list tbody tr:first-child")
      .filter({ hasNotText: tops.at(-1) })
      .waitFor();
    tops.push(await first());
  }
  assert.equal(new Set(tops).size, 3);
  await page.reload();
  await link(t.state.newest).waitFor();
  await link(t.state.previous).click();
  await shows(tops[1]);
  // The page before this one is the newest: that is one way, not two.
  assert.equal(await link(t.state.newest).count(), 0);
  await link(t.state.previous).click();
  await shows(tops[0]);
  await close();
});

for (const language of languages)
  test(`what the sandbox took looks like no delivery, in ${language}`, async () => {
    const hash = `#/messages/${ended}`;
    const { page, close, t } = await openConsole(browser, server, shop.key, { hash, language });
    await list(page).waitFor();
    const simulated = t.messages.simulatedAs(t.recipientStatuses.DELIVERED);
    await page.locator("table.list .badge.calm", { hasText: simulated }).waitFor();
    await page.getByText(t.message.simulated).waitFor();
    assert.equal(await page.locator("#content .good").count(), 0);
    await goTo(page, "#/messages", t.messages.title);
    await page.locator("table.list .badge.calm", { hasText: t.statuses.DONE }).first().waitFor();
    assert.equal(await page.locator("#content .good").count(), 0);
    await goTo(page, "#/", t.overview.title);
    const name = t.messages.simulatedAs(t.overview.delivered);
    await page.locator(".legend li", { hasText: name }).waitFor();
    const bars = page.getByRole("img", { name: new RegExp(name.replace(/[()]/g, "\\$&")) });
    const heights = (className) =>
      bars
        .locator(`rect.${className}`)
        .evaluateAll((all) => all.reduce((sum, rect) => sum + rect.height.baseVal.value, 0));
    assert.deepEqual([await heights("good"), (await heights("simulated")) > 0], [0, true]);
    await close();
  });

/** What the menu has, as a person hears it: the name of each list, and its links. */
const menuOf = (page, t) =>
  page
    .getByRole("navigation", { name: t.app.pages })
    .locator("ul")
    .evaluateAll((lists) =>
      lists.map((list) => {
        const heading = document.getElementById(list.getAttribute("aria-labelledby"));
        return [heading?.textContent ?? "", ...[...list.querySelectorAll("a")].map((link) => link.textContent)];
      }),
    );

const titlesOf = (t, ...pages) => pages.map((page) => t[page].title);

for (const language of languages)
  test(`the menu has its pages in groups with headings, in ${language}`, async () => {
    const { page, close, t } = await openConsole(browser, server, shop.key, { language });
    assert.deepEqual(await menuOf(page, t), [
      ["", t.overview.title],
      [t.menuGroups.send, ...titlesOf(t, "compose", "campaigns", "patterns")],
      [t.menuGroups.people, ...titlesOf(t, "phonebooks", "blacklist", "erasures")],
      [t.menuGroups.records, ...titlesOf(t, "messages", "inbound", "verify", "wallet")],
      [t.menuGroups.account, ...titlesOf(t, "members", "keys", "webhooks", "settings")],
    ]);
    await close();
  });

test("who may not see a page does not have it in the menu, nor a group of which nothing is left", async () => {
  const menuWith = async (options) => {
    const { key } = await issueKey(server, shop.id, options);
    const { page, close, t } = await openConsole(browser, server, key);
    const menu = await menuOf(page, t);
    await close();
    return menu;
  };
  const t = texts.en;
  assert.deepEqual(await menuWith({ scopes: ["account:read"] }), [
    ["", t.overview.title],
    [t.menuGroups.records, t.wallet.title],
    [t.menuGroups.account, t.settings.title],
  ]);
  // The numbers of people are not there for a test key.
  const ofTests = await menuWith({ mode: "test" });
  assert.deepEqual(ofTests[2], [t.menuGroups.people, t.phonebooks.title]);
  assert.ok(!ofTests.flat().includes(t.inbound.title));
});
