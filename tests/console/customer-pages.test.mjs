// The pages by which customers keep what their programs use: in both languages, on a phone and on a screen, light and dark.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { button, dialog, field, goTo, openConsole, texts } from "../support/console-browser.mjs";
import { list, testViews } from "../support/console-views.mjs";
import { gatewaySettings, openInbox } from "../support/phones.mjs";
import { api, sharedServer } from "../support/server.mjs";
import { openShop, send } from "../support/shop.mjs";
import { launch, overflow } from "../support/site-browser.mjs";

// The browser is closed first, also if the server did not start.
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

let shop;
let webhook;
let verification;
const server = sharedServer(async (server) => {
  shop = await openShop(server, 1_000_000);
  await makePatterns(server);
  await makeWebhooks(server);
  await makeCampaign(server);
  const line = await openInbox(server, shop.id, "30002002");
  await line.says("+989121234567", "سلام، باز هستید؟");
  await line.says("+989351234567", "STOP");
  await post(server, "/blacklist", { numbers: ["09190001122"] });
  const started = await post(server, "/verify", { recipient: "09120001122" });
  verification = started.json.data.id;
  await post(server, "/verify", { recipient: "09350001122" });
  await post(server, "/erasures", { number: "09190003344" });
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

async function makeCampaign(server) {
  const book = await post(server, "/phonebook", { title: "مشتریان" });
  const { id } = book.json.data;
  await post(server, `/phonebook/number/${id}`, { numbers: [{ number: "09121234567" }] });
  await post(server, "/campaigns", { title: "حراج نوروز برای همه‌ی مشتریان", message: "حراج", phonebooks: [id] });
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
    hash: "#/patterns?new=1",
    title: (t) => t.patterns.title,
    ready: async (page, t) => {
      await list(page).waitFor();
      await field(page, t.patterns.text).fill("%name%: %code%, %two words%");
      await button(page, t.patterns.createSubmit).click();
      await page.getByText(t.patterns.noName).waitFor();
      await page.locator(".variables fieldset").nth(1).waitFor();
      await page.locator(".preview").waitFor();
      await page.locator(".note button").waitFor();
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
  { name: "blacklist", hash: "#/blacklist", title: (t) => t.blacklist.title, ready: (page) => list(page).waitFor() },
  {
    name: "numbers for the blacklist, with faults",
    hash: "#/blacklist?add",
    title: (t) => t.blacklist.title,
    ready: async (page, t) => {
      await button(page, t.blacklist.add).click();
      await field(page, t.compose.numbers).fill("09121234567\n0912");
      const count = t === texts.fa ? "۱" : "1";
      await button(page, t.blacklist.addSubmit(count)).click();
      await page.getByText(t.compose.mendFirst).waitFor();
    },
  },
  {
    name: "a number that is not on the blacklist",
    hash: "#/blacklist?number=09129999999",
    title: (t) => t.blacklist.title,
    ready: (page, t) => page.getByRole("heading", { name: t.blacklist.noneFound }).waitFor(),
  },
  { name: "verify", hash: "#/verify", title: (t) => t.verify.title, ready: (page) => page.locator(".chart").waitFor() },
  {
    name: "verify, by range, with one that is looked up",
    hash: () => `#/verify?by=prefix&id=${verification}`,
    title: (t) => t.verify.title,
    ready: async (page, t) => {
      await page.locator(".chart").waitFor({ state: "detached" });
      await list(page).waitFor();
      await page.getByText(t.verify.meaning.PENDING).or(page.getByText(t.verify.meaning.EXPIRED)).waitFor();
    },
  },
  {
    name: "a time without verifications",
    hash: "#/verify?from=2026-01-01&to=2026-01-02",
    title: (t) => t.verify.title,
    ready: (page, t) => page.getByRole("heading", { name: t.verify.none }).waitFor(),
  },
  { name: "erasures", hash: "#/erasures", title: (t) => t.erasures.title, ready: (page) => list(page).waitFor() },
  {
    name: "the order to erase a number",
    hash: "#/erasures?ask",
    title: (t) => t.erasures.title,
    ready: async (page, t) => {
      await field(page, t.erasures.number).fill("09121234567");
      await button(page, t.erasures.erase).click();
      await dialog(page).waitFor();
    },
  },
];

testViews(() => ({ browser, server, key: shop.key }), views);

/** A phone, what lies between a phone and a screen, and a wide screen. */
const manyWidths = [375, 560, 721, 900, 1_024, 1_183, 1_185, 1_920];
const lists = [
  "messages",
  "campaigns",
  "wallet",
  "keys",
  "patterns",
  "webhooks",
  "inbound",
  "blacklist",
  "verify",
  "erasures",
];

test("no list is wider than its window, however wide that is", async () => {
  const { page, close, t } = await openConsole(browser, server, shop.key);
  for (const name of lists) {
    await goTo(page, `#/${name}`, t[name].title);
    await list(page).waitFor();
    for (const width of manyWidths) {
      await page.setViewportSize({ width, height: 800 });
      assert.ok((await overflow(page)) <= 0, `${name} at ${width} px`);
    }
  }
  await close();
});
