// The time zone of an account, and what its keys have sent, in the console.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { button, field, goTo, openConsole, read } from "../support/console-browser.mjs";
import { api, sharedServer } from "../support/server.mjs";
import { issueKey, openShop, send } from "../support/shop.mjs";
import { launch } from "../support/site-browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const server = sharedServer();
const zoneOf = async (key) => (await api(server, "GET", "/account/info", { key })).json.data.accountInfo.timeZone;

/** The times by which a page asks for a list of this path. */
function asked(page, path) {
  const queries = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === path && searchParams.has("from")) queries.push([searchParams.get("from"), searchParams.get("to")]);
  });
  return queries;
}

test("the days of filters are those of the time zone that the account has set", async () => {
  const shop = await openShop(server, 100_000);
  const { page, faults, close, t } = await openConsole(browser, server, shop.key, {
    hash: "#/messages?from=2026-01-31&to=2026-01-31",
  });
  const queries = asked(page, "/messages");
  await page.reload();
  await page.getByText(t.messages.noneFound).waitFor();
  assert.deepEqual(queries.at(-1), ["2026-01-30T20:30:00.000Z", "2026-01-31T20:30:00.000Z"]);
  await goTo(page, "#/settings", t.settings.title);
  await page.getByText(t.settings.timeZoneText).waitFor();
  await chooseZone(page, t, "Asia/Tehran", "America/New_York");
  await button(page, t.settings.save).click();
  await page.getByText(t.settings.saved).waitFor();
  assert.equal(await zoneOf(shop.key), "America/New_York");
  await goTo(page, "#/messages?from=2026-01-31&to=2026-01-31", t.messages.title);
  await page.getByText(t.messages.noneFound).waitFor();
  assert.deepEqual(queries.at(-1), ["2026-01-31T05:00:00.000Z", "2026-02-01T05:00:00.000Z"]);
  assert.deepEqual(faults, []);
  await close();
});

/** Finds a zone by its id, which somebody types. */
async function chooseZone(page, t, now, wanted) {
  await page.getByRole("button", { name: t.settings.timeZone }).filter({ hasText: now }).click();
  await page.getByRole("listbox").waitFor();
  await page.keyboard.type(wanted);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: t.settings.timeZone }).filter({ hasText: wanted }).waitFor();
}

for (const language of ["en", "fa"])
  test(`time zones have names, for Persian that of Tehran first, and a zone is found by its id, in ${language}`, async () => {
    const shop = await openShop(server, 0);
    const { page, faults, close, t } = await openConsole(browser, server, shop.key, { hash: "#/settings", language });
    await page.getByRole("button", { name: t.settings.timeZone }).click();
    const [first] = await page.getByRole("option").allInnerTexts();
    assert.equal(/Asia\/Tehran/.test(first), language === "fa", first);
    assert.match(first, language === "fa" ? /^وقت عادی ایران/ : /Standard Time/);
    await page.keyboard.press("Escape");
    await chooseZone(page, t, "Asia/Tehran", "Europe/Berlin");
    await button(page, t.settings.save).click();
    await page.getByText(t.settings.saved).waitFor();
    assert.equal(await zoneOf(shop.key), "Europe/Berlin");
    assert.deepEqual(faults, []);
    await close();
  });

for (const language of ["en", "fa"])
  test(`the wallet says why a send has several lines, and when its days begin, in ${language}`, async () => {
    const shop = await openShop(server, 100_000);
    const options = { hash: "#/wallet", language, timezoneId: "Asia/Tehran" };
    const { page, faults, close, t } = await openConsole(browser, server, shop.key, options);
    await page.getByText(t.wallet.byKeyText(language === "fa" ? "۰۳:۳۰" : "03:30")).waitFor();
    await page.getByText(t.wallet.twoLines).click();
    const { RESERVE, SETTLE, RELEASE } = t.entries;
    await page.getByText(t.wallet.twoLinesText(RESERVE, SETTLE, RELEASE)).waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

test("who may not manage keys sees the time zone and changes nothing", async () => {
  const shop = await openShop(server, 0);
  const { key } = await issueKey(server, shop.id, { scopes: ["account:read"] });
  const { page, close, t } = await openConsole(browser, server, key, { hash: "#/settings" });
  await page.getByText("Asia/Tehran").waitFor();
  assert.equal(await button(page, t.settings.save).count(), 0);
  assert.equal(await field(page, t.settings.timeZone).count(), 0);
  await close();
});

test("the wallet says what each key has sent, and what people have sent in the console", async () => {
  const shop = await openShop(server, 100_000);
  const till = await issueKey(server, shop.id, { title: "till", scopes: ["sms:send"] });
  for (const key of [till.key, till.key, shop.key])
    assert.equal((await send(server, key, ["09121234567"])).status, 201);
  const { page, faults, close, t } = await openConsole(browser, server, shop.key, { hash: "#/wallet" });
  const table = page.getByRole("table", { name: t.wallet.byKey });
  await table.waitFor();
  const rows = (await read(table.locator("tbody"))).split("\n").map((row) => row.split("\t"));
  assert.deepEqual(
    rows.map(([name, messages, parts, cost]) => [name, messages, parts, cost]),
    [
      ["till", "2", "2", "IRR 2,000"],
      [rows[1][0], "1", "1", "IRR 1,000"],
    ],
  );
  assert.deepEqual(faults, []);
  await close();
});
