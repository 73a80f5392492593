// The pages by which customers keep what their programs use: in both languages, on a phone and on a screen, light and dark.
import { after, before } from "node:test";
import { button, dialog, field } from "../support/console-browser.mjs";
import { list, testViews } from "../support/console-views.mjs";
import { api, sharedServer } from "../support/server.mjs";
import { openShop } from "../support/shop.mjs";
import { launch } from "../support/site-browser.mjs";

// The browser is closed first, also if the server did not start.
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

let shop;
const server = sharedServer(async (server) => {
  shop = await openShop(server, 1_000_000);
  await makePatterns(server);
});

const post = (server, path, body) => api(server, "POST", path, { key: shop.key, body });

async function makePatterns(server) {
  const variables = [{ name: "order", type: "ENUM", values: ["پست", "پیک"], secret: true }];
  await post(server, "/pattern", { slug: "order", title: "ارسال سفارش", text: "سفارش با %order% رفت.", variables });
  await post(server, "/pattern/order/versions/1/activate");
  await post(server, "/pattern/order/versions", { text: "%name%, your order is on its way." });
  await post(server, "/pattern", { slug: "nothing", title: "No text" });
}

const views = [
  { name: "patterns", hash: "#/patterns", title: (t) => t.patterns.title, ready: (page) => list(page).waitFor() },
  {
    name: "a new pattern, with faults",
    hash: "#/patterns?new",
    title: (t) => t.patterns.title,
    ready: async (page, t) => {
      await list(page).waitFor();
      await button(page, t.patterns.create).click();
      await field(page, t.patterns.text).fill("%name%: %code%");
      await button(page, t.patterns.createSubmit).click();
      await page.getByText(t.patterns.noName).waitFor();
      await page.locator(".variables fieldset").nth(1).waitFor();
      await page.locator(".preview").waitFor();
    },
  },
  {
    name: "pattern",
    hash: "#/patterns/order",
    title: () => "ارسال سفارش",
    ready: (page) => list(page).waitFor(),
  },
  {
    name: "a new version of a pattern",
    hash: "#/patterns/order?version",
    title: () => "ارسال سفارش",
    ready: async (page, t) => {
      await button(page, t.patterns.newVersion).click();
      await page.locator(".variables fieldset").waitFor();
    },
  },
  {
    name: "the change of a pattern",
    hash: "#/patterns/order?change",
    title: () => "ارسال سفارش",
    ready: async (page, t) => {
      await button(page, t.patterns.change).click();
      await page.locator(".checks .check").first().waitFor();
    },
  },
  {
    name: "the activation of a version",
    hash: "#/patterns/order?activate",
    title: () => "ارسال سفارش",
    ready: async (page, t) => {
      await button(page, t.patterns.activate).click();
      await dialog(page).waitFor();
    },
  },
  {
    name: "a pattern without a text",
    hash: "#/patterns/nothing",
    title: () => "No text",
    ready: (page, t) => page.getByText(t.patterns.noVersions).waitFor(),
  },
];

testViews(() => ({ browser, server, key: shop.key }), views);
