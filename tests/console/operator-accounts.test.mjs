// What operators see and do of accounts, plans, patterns and credits, held against what the API says afterwards.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openConsole, signIn } from "../support/console-browser.mjs";
import { list, testViews } from "../support/console-views.mjs";
import { sharedServer } from "../support/server.mjs";
import { openShop } from "../support/shop.mjs";
import { launch } from "../support/site-browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

let shop;
const server = sharedServer(async (server) => {
  shop = await openShop(server, 1_000_000);
});

const views = [
  { name: "accounts", hash: "#/accounts", title: (_, o) => o.pages.accounts, ready: (page) => list(page).waitFor() },
  {
    name: "settings",
    hash: "#/settings",
    title: (t) => t.settings.title,
    ready: (page) => page.locator(".radios").first().waitFor(),
  },
];

testViews(() => ({ browser, server, key: server.adminKey }), views);

test("an operator has pages of their own, and a customer's session after it has those of customers", async () => {
  const { page, faults, close, t, o } = await openConsole(browser, server, server.adminKey);
  const navigation = page.getByRole("navigation", { name: t.app.pages });
  await navigation.getByRole("link", { name: o.pages.accounts }).waitFor();
  assert.equal(await navigation.getByRole("link", { name: t.compose.title }).count(), 0);
  assert.deepEqual(faults, []);
  await page.locator(".sign-out").click();
  await signIn(page, shop.key);
  await navigation.getByRole("link", { name: t.compose.title }).waitFor();
  assert.equal(await navigation.getByRole("link", { name: o.pages.accounts }).count(), 0);
  await close();
});
