// A campaign as a shop's owner makes one in the console: from a spreadsheet's file to the last delivery. Once by clicks, with 20,000
// messy lines, and once by the keyboard alone. `CAMPAIGN_SEED` repeats the file of a run.
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { after, before, test } from "node:test";
import { button, dialog, field, openConsole, read } from "../support/console-browser.mjs";
import { fileOf, messyTable } from "../support/console-tables.mjs";
import { sharedServer } from "../support/server.mjs";
import { all, inbox, openShop, walletOf } from "../support/shop.mjs";
import { launch } from "../support/site-browser.mjs";

const LINES = 20_000;
const FEW = 300;
const seed = Number(process.env.CAMPAIGN_SEED ?? randomInt(2 ** 31));
/** What the account has at first, and what a part costs: the text is one part. */
const money = 100_000_000;
const price = 1_000;
const text = "Hello %name%, we open at 9.";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const server = sharedServer();
const written = (count) => count.toLocaleString("en-GB");

/** Asserts that each number got the text once, and that the account has paid what the page had told. */
async function assertArrived(shop, numbers) {
  const got = [...(await inbox(server, shop.id)).values()].map(({ recipient }) => recipient);
  assert.equal(got.length, numbers.size, `seed ${seed}`);
  assert.deepEqual(new Set(got), numbers, `seed ${seed}`);
  const wallet = await walletOf(server, shop.key);
  const cost = numbers.size * price;
  assert.deepEqual([wallet.availableBalance, wallet.lockedBalance], [money - cost, 0]);
}

test("20,000 messy lines become a campaign, by clicks", async () => {
  const shop = await openShop(server, money);
  const { text: file, numbers, bad } = messyTable(LINES, seed);
  const { page, faults, close, t } = await openConsole(browser, server, shop.key);
  await page.getByRole("link", { name: t.phonebooks.title, exact: true }).click();
  await button(page, t.phonebooks.create).click();
  await field(page, t.phonebooks.name).fill("Customers");
  await button(page, t.phonebooks.createSubmit).click();
  await page.getByRole("link", { name: t.phonebook.import }).click();
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), button(page, t.importing.choose).click()]);
  await chooser.setFiles(fileOf(file));
  await page.getByText(t.importing.bad(written(bad.length))).waitFor();
  await field(page, t.importing.attributeOf("City")).fill("city");
  await field(page, t.importing.mend(written(bad[0]))).fill("۰۹۳۶ ۱۲۳ ۴۵۶۷");
  await page.getByRole("heading", { name: t.importing.columns }).click();
  numbers.add("+989361234567");
  const count = written(numbers.size);

  // The third portion waits until the page has shown the second one.
  const shown = Promise.withResolvers();
  let portions = 0;
  await page.route("**/import", async (route) => {
    portions += 1;
    if (portions === 3) await shown.promise;
    await route.continue();
  });
  await button(page, t.importing.start(count)).click();
  await page.getByText(t.importing.doneOf("4,000", count)).waitFor();
  shown.resolve();
  await page.getByText(t.importing.states.DONE).waitFor();
  await page.getByText(t.importing.badTitle(written(bad.length - 1))).waitFor();
  const books = await all(server, shop.key, "/phonebook");
  assert.deepEqual(
    Object.fromEntries(books.map(({ title, count }) => [title, count])),
    { Customers: 10_000, "Customers 2": numbers.size - 10_000 },
    `seed ${seed}`,
  );

  await page.getByRole("link", { name: t.compose.title, exact: true }).click();
  await page.locator(".radio", { hasText: t.compose.kinds.phonebooks }).click();
  for (const { title } of books)
    await page.locator(".books label", { has: page.getByText(title, { exact: true }) }).click();
  await field(page, t.compose.text).fill(text);
  await page.getByText(t.compose.several("2", "10,000")).waitFor();
  await page.locator(".estimate .facts", { hasText: `IRR ${written(numbers.size * price)}` }).waitFor();
  await button(page, t.compose.review).click();
  const told = await read(dialog(page));
  assert.ok(told.includes(t.compose.lookText(count, `IRR ${written(numbers.size * price)}`)), told);
  assert.ok(told.includes(t.compose.lookSeveral("2")), told);
  await button(dialog(page), t.compose.submit(count)).click();

  await page.locator("#content h1", { hasText: t.messages.title }).waitFor();
  const rows = page.locator("table.list tbody tr");
  await rows.nth(1).waitFor();
  for (const place of [0, 1]) {
    await rows.nth(place).getByRole("link").click();
    await page.locator(".heading [role=status]", { hasText: /^([\d,]+) of \1 have ended$/ }).waitFor();
    await page.goBack();
  }
  await assertArrived(shop, numbers);
  await page.getByRole("link", { name: t.wallet.title, exact: true }).click();
  await page.locator(".tiles", { hasText: written(money - numbers.size * price) }).waitFor();
  assert.deepEqual(faults, []);
  await close();
});

/** Goes on with Tab until this has the focus. */
async function tabTo(page, locator) {
  await locator.waitFor({ state: "attached" });
  for (let presses = 0; presses < 300; presses += 1) {
    if (await locator.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`no way by Tab to ${locator}`);
}

async function press(page, locator, key = "Enter") {
  await tabTo(page, locator);
  await page.keyboard.press(key);
}

async function type(page, locator, text) {
  await tabTo(page, locator);
  await page.keyboard.press("Control+A");
  await page.keyboard.type(text);
}

test("a campaign needs the keyboard alone", async () => {
  const shop = await openShop(server, money);
  const { text: file, numbers, bad } = messyTable(FEW, seed);
  const { page, faults, close, t } = await openConsole(browser, server, shop.key);
  await press(page, page.getByRole("link", { name: t.phonebooks.title, exact: true }));
  await press(page, button(page, t.phonebooks.create));
  await type(page, field(page, t.phonebooks.name), "Customers");
  await page.keyboard.press("Enter");
  await press(page, page.getByRole("link", { name: t.phonebook.import }));
  const chosen = page.waitForEvent("filechooser");
  await press(page, button(page, t.importing.choose));
  await (await chosen).setFiles(fileOf(file));
  await type(page, field(page, t.importing.attributeOf("City")), "city");
  if (bad.length > 0) {
    await type(page, field(page, t.importing.mend(written(bad[0]))), "0936 123 4567");
    await page.keyboard.press("Enter");
    numbers.add("+989361234567");
  }
  const count = written(numbers.size);
  await press(page, button(page, t.importing.start(count)));
  await page.getByText(t.importing.states.DONE).waitFor();
  await press(page, page.getByRole("link", { name: t.compose.title, exact: true }));
  await tabTo(page, page.getByRole("radio", { name: t.compose.kinds.numbers }));
  await page.keyboard.press("ArrowRight");
  await press(page, page.getByRole("checkbox", { name: /^Customers/ }), " ");
  await type(page, field(page, t.compose.text), text);
  await press(page, button(page, t.compose.review));
  const told = await read(dialog(page));
  assert.ok(told.includes(t.compose.lookText(count, `IRR ${written(numbers.size * price)}`)), told);
  await press(page, button(dialog(page), t.compose.submit(count)));
  await page.getByText(t.message.ended(count, count)).waitFor();
  await assertArrived(shop, numbers);
  assert.deepEqual(faults, []);
  await close();
});
