// The pages by which customers keep what their programs use: in both languages, on a phone and on a screen, light and dark.
import { after, before } from "node:test";
import { button, dialog, field } from "../support/console-browser.mjs";
import { list, testViews } from "../support/console-views.mjs";
import { gatewaySettings, openInbox } from "../support/phones.mjs";
import { api, sharedServer } from "../support/server.mjs";
import { openShop, send } from "../support/shop.mjs";
import { launch } from "../support/site-browser.mjs";

// The browser is closed first, also if the server did not start.
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

let shop;
let webhook;
const server = sharedServer(async (server) => {
  shop = await openShop(server, 1_000_000);
  await makePatterns(server);
  await makeWebhooks(server);
  const line = await openInbox(server, shop.id, "30002002");
  await line.says("+989121234567", "سلام، باز هستید؟");
  await line.says("+989351234567", "STOP");
  await send(server, shop.key, ["09121234567", "09361234567"], { message: "بله", sourceNumber: line.number });
}, gatewaySettings);

const post = (server, path, body) => api(server, "POST", path, { key: shop.key, body });

async function makePatterns(server) {
  const variables = [{ name: "order", type: "ENUM", values: ["پست", "پیک"], secret: true }];
  await post(server, "/pattern", { slug: "order", title: "ارسال سفارش", text: "سفارش با %order% رفت.", variables });
  await post(server, "/pattern/order/versions/1/activate");
  await post(server, "/pattern/order/versions", { text: "%name%, your order is on its way." });
  await post(server, "/pattern", { slug: "nothing", title: "No text" });
}

/** One that nobody answers, with a delivery that waits for its next try, and one that is switched off. */
async function makeWebhooks(server) {
  const made = await post(server, "/webhook", { url: "http://127.0.0.1:9/peyk", events: ["message.status"] });
  webhook = made.json.data.id;
  await post(server, `/webhook/${webhook}/test`);
  await post(server, "/webhook", { url: "https://shop.example.com/", events: ["verify.status"], active: false });
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
  { name: "webhooks", hash: "#/webhooks", title: (t) => t.webhooks.title, ready: (page) => list(page).waitFor() },
  {
    name: "a new webhook, with faults",
    hash: "#/webhooks?new",
    title: (t) => t.webhooks.title,
    ready: async (page, t) => {
      await button(page, t.webhooks.create).click();
      await page.getByText(t.eventTypes["wallet.low"]).click();
      await button(page, t.webhooks.createSubmit).click();
      await page.getByText(t.webhooks.noAddress).waitFor();
    },
  },
  {
    name: "webhook",
    hash: () => `#/webhooks/${webhook}`,
    title: (t) => t.webhooks.one,
    ready: (page) => page.locator(".trouble").waitFor(),
  },
  {
    name: "the deletion of a webhook",
    hash: () => `#/webhooks/${webhook}?delete`,
    title: (t) => t.webhooks.one,
    ready: async (page, t) => {
      await button(page, t.webhooks.delete).click();
      await dialog(page).waitFor();
    },
  },
  { name: "inbox", hash: "#/inbound", title: (t) => t.inbound.title, ready: (page) => list(page).waitFor() },
  {
    name: "an inbox without messages",
    hash: "#/inbound?line=10001&since=2026-01-01",
    title: (t) => t.inbound.title,
    ready: (page, t) => page.getByRole("heading", { name: t.inbound.noneFound }).waitFor(),
  },
  {
    name: "conversation",
    hash: "#/inbound/%2B989121234567",
    title: () => "",
    ready: (page) => page.locator(".talk .sent").waitFor(),
  },
  {
    name: "the conversation with who has opted out",
    hash: "#/inbound/%2B989351234567",
    title: () => "",
    ready: async (page, t) => {
      await page.getByText(t.inbound.blocked).waitFor();
      await page.locator(".talk").waitFor();
    },
  },
];

testViews(() => ({ browser, server, key: shop.key }), views);
