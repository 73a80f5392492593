// The pages that the guides and the README show, on the demo's thirty days. With `PICTURES=write` in the environment, their pictures are
// written anew. What they look like is for people to judge: nothing here compares pixels. A new picture is made before a guide shows it.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { chooseLanguage, field, goTo, openConsole, texts } from "../support/console-browser.mjs";
import { languages, list } from "../support/console-views.mjs";
import { historyState } from "../support/fresh-state.mjs";
import { aheadBy, brokenCarrier, englishPhonebook, fillForPictures, routedLine } from "../support/pictures.mjs";
import { sharedServer } from "../support/server.mjs";
import { launch, openPage, overflow } from "../support/site-browser.mjs";

const screen = { viewport: { width: 1_280, height: 800 }, colorScheme: "light" };
const phone = { viewport: { width: 375, height: 812 }, deviceScaleFactor: 2, colorScheme: "light" };
/** Of WebP, 0 to 100. */
const QUALITY = 72;

// The browser is closed first, also if the server did not start.
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** What the pages show beside the history. */
let shown;
const server = sharedServer(
  async (server) => {
    shown = await fillForPictures(server);
  },
  undefined,
  historyState,
);
after(() => Promise.all((shown?.smscs ?? []).map((smsc) => smsc.stop())));

/** A spreadsheet's file with two lines that have no number. */
const csv = {
  en: "Mobile,Name,City\n09121234567,Sara Ahmadi,Tehran\n0935 765 4321,Ali Karimi,Shiraz\n0912,Mina Nouri,Tabriz\n+98 919 111 2233,Reza Moradi,Yazd\nnone,Leila Taheri,Rasht\n",
  fa: "موبایل,نام,شهر\n09121234567,سارا احمدی,تهران\n۰۹۳۵ ۷۶۵ ۴۳۲۱,علی کریمی,شیراز\n0912,مینا نوری,تبریز\n+98 919 111 2233,رضا مرادی,یزد\nندارد,لیلا طاهری,رشت\n",
};
const books = { en: englishPhonebook, fa: "مشتریان" };
const campaign = {
  en: "Dear %name%, 20% off all sweets until Friday night. Narenj, %city%. Stop: reply STOP",
  fa: "%نام% عزیز، تا جمعه شب همه‌ی شیرینی‌های نارنج ۲۰٪ تخفیف دارد. لغو۱۱",
};

async function chooseFile(page, t, _, language) {
  const file = { name: "customers.csv", mimeType: "text/csv", buffer: Buffer.from(csv[language]) };
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByRole("heading", { name: t.importing.preview }).waitFor();
  await page.getByText(t.importing.badHint).waitFor();
}

async function writeCampaign(page, t, _, language) {
  await page.locator(".radio", { hasText: t.compose.kinds.phonebooks }).click();
  await page.locator(".books label", { hasText: books[language] }).click();
  await field(page, t.compose.text).fill(campaign[language]);
  await page.locator(".samples").waitFor();
  await page.locator(".estimate .facts").waitFor();
}

const chart = (page) => page.locator(".charts svg").first().waitFor();
const listed = (page) => list(page).waitFor();

/** The pictures. `ready` does what has to be done until the page is there as a whole. */
const ofShop = [
  { name: "overview", hash: "#/", title: (t) => t.overview.title, ready: chart },
  {
    name: "import",
    hash: () => `#/phonebooks/${shown.phonebook}/import`,
    title: (t) => t.importing.title,
    ready: chooseFile,
  },
  { name: "compose", hash: "#/compose", title: (t) => t.compose.title, ready: writeCampaign },
  {
    name: "campaign",
    hash: () => `#/campaigns/${shown.festival}`,
    title: () => "جشنواره‌ی نارنج",
    ready: (page, t) => page.getByRole("table", { name: t.campaign.failures }).waitFor(),
  },
  { name: "message", hash: () => `#/messages/${shown.campaign}`, title: (t) => t.message.title, ready: listed },
  { name: "pattern", hash: "#/patterns/order-sent", title: () => "ارسال سفارش", ready: listed },
  { name: "members", hash: "#/members", title: (t) => t.members.title, ready: listed },
  { name: "keys", hash: "#/keys", title: (t) => t.keys.title, ready: listed },
];
const routes = {
  name: "routes",
  hash: `#/lines/${routedLine}`,
  title: (_, o) => o.line.title("").trim(),
  ready: (page) => page.locator(".route-picture svg").waitFor(),
};
const ofService = [
  {
    name: "service",
    hash: "#/",
    title: (_, o) => o.pages.overview,
    ready: async (page) => {
      await chart(page);
      await page.locator(".warnings li", { hasText: brokenCarrier }).waitFor();
      await page.locator(".warnings a[href*=dead-letters]").waitFor();
    },
  },
  {
    name: "account",
    hash: () => `#/accounts/${server.accountId}`,
    title: () => "Narenj",
    ready: (page, _, o) => page.getByText(o.switches.title).waitFor(),
  },
  routes,
  {
    name: "carrier",
    hash: `#/carriers/${brokenCarrier}`,
    title: () => brokenCarrier,
    ready: (page) => page.locator(".chips a").first().waitFor(),
  },
  { name: "dead-letters", hash: "#/dead-letters", title: (_, o) => o.pages.deadLetters, ready: listed },
  {
    name: "audit",
    hash: "#/audit?thing=account",
    title: (_, o) => o.pages.audit,
    ready: (page) => page.locator("article").first().waitFor(),
  },
];

/** The browser with the clock of the service: times that are told from now on the pages are those of a real service. */
const ahead = {
  async newContext(options) {
    const context = await browser.newContext(options);
    await context.clock.install({ time: Date.now() + aheadBy });
    return context;
  },
};

/** Asserts that a page is whole, and writes its picture if that is asked for. */
async function take(page, faults, name, language) {
  await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
  for (const part of await page.locator("p.loading").all()) await part.waitFor({ state: "detached" });
  await page.evaluate(() => document.fonts.ready);
  assert.equal(await overflow(page), 0, name);
  assert.deepEqual(faults.splice(0), [], name);
  if (process.env.PICTURES !== "write") return;
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
  writeFileSync(inRoot("site", "static", "pictures", language, `${name}.webp`), Buffer.from(data, "base64"));
}

/** Opens the pages one after the other as who has this key. */
async function takeAll(key, language, pictures, device) {
  const { page, faults, close, t, o } = await openConsole(ahead, server, key, { language, ...device });
  for (const { name, hash, title, ready } of pictures) {
    await goTo(page, typeof hash === "function" ? hash() : hash, title(t, o));
    await ready(page, t, o, language);
    await take(page, faults, name, language);
  }
  await close();
}

for (const language of languages) {
  test(`the pages of a shop that pictures show are whole, in ${language}`, async () => {
    await takeAll(server.apiKey, language, ofShop, screen);
    await takeAll(server.apiKey, language, [{ ...ofShop[0], name: "phone-overview" }], phone);
  });

  test(`the pages of operators that pictures show are whole, in ${language}`, () =>
    takeAll(shown.operator, language, ofService, screen));

  test(`the page to sign in is whole, in ${language}`, async () => {
    const { page, close } = await openPage(browser, server.baseUrl, { givesUp: true, ...phone });
    await chooseLanguage(page, language);
    await page.goto("/console");
    await field(page, texts[language].signIn.phone).waitFor();
    await take(page, [], "phone-sign-in", language);
    await close();
  });
}

test("the routes of a line are whole in the dark, for the README", () =>
  takeAll(shown.operator, "en", [{ ...routes, name: "routes-dark" }], { ...screen, colorScheme: "dark" }));
