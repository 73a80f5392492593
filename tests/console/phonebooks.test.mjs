// The phonebooks of the console: their pages, and what people do on them, held against what the API says afterwards.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { button, dialog, field, goTo, openConsole, read } from "../support/console-browser.mjs";
import { fileOf } from "../support/console-tables.mjs";
import { list, testViews } from "../support/console-views.mjs";
import { api, sharedServer } from "../support/server.mjs";
import { all, issueKey, openShop } from "../support/shop.mjs";
import { launch } from "../support/site-browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

let shop;
let full;
let empty;
const server = sharedServer(async (server) => {
  shop = await openShop(server, 100_000);
  full = await makeBook(server, shop.key, "مشتریان تهران", "همه‌ی خریداران");
  empty = await makeBook(server, shop.key, "Newsletter");
  const numbers = Array.from({ length: 60 }, (_, index) => ({
    number: `0912${1_000_000 + index}`,
    ...(index % 2 && { name: `مشتری ${index}`, attributes: { city: "تهران", "last order": "shoes" } }),
  }));
  await must(server, "POST", `/phonebook/number/${full}`, { key: shop.key, body: { numbers } });
});

async function must(...call) {
  const answer = await api(...call);
  assert.ok(answer.status < 300, answer.text);
  return answer.json.data;
}

const makeBook = async (server, key, title, description) =>
  (await must(server, "POST", "/phonebook", { key, body: { title, ...(description && { description }) } })).id;

const numbersOf = async (key, id) =>
  (await all(server, key, `/phonebook/number/${id}`)).map(({ number, name, attributes }) => ({
    number,
    name,
    attributes,
  }));

const messy = [
  "Full name;Tel;City;Number of orders",
  'Ali "the first";0912 123 4567;Tehran;3',
  "سارا;۰۹۳۵۱۲۳۴۵۶۷;تهران;",
  ";;;",
  '"Karimi; Reza";0912;Shiraz;1',
  "Ali;+98 (912) 123-4567;;4",
  "Maryam;none;Yazd;",
].join("\n");

const choose = (page, file) => page.locator("input[type=file]").setInputFiles(file);

const importOf = (id) => `#/phonebooks/${id}/import`;

const views = [
  {
    name: "phonebooks",
    hash: "#/phonebooks",
    title: (t) => t.phonebooks.title,
    ready: async (page, t) => {
      await list(page).waitFor();
      await button(page, t.phonebooks.create).click();
      await button(page, t.phonebooks.createSubmit).click();
      await page.getByText(t.phonebooks.noName).waitFor();
    },
  },
  {
    name: "phonebook",
    hash: () => `#/phonebooks/${full}`,
    title: () => "مشتریان تهران",
    ready: (page) => list(page).waitFor(),
  },
  {
    name: "a number is edited",
    hash: () => `#/phonebooks/${full}?q=0912`,
    title: () => "مشتریان تهران",
    ready: async (page) => {
      await list(page).waitFor();
      await page.locator(".row-acts button").nth(2).click();
      await dialog(page).waitFor();
    },
  },
  {
    name: "the phonebook is deleted",
    hash: () => `#/phonebooks/${full}?q=nobody`,
    title: () => "مشتریان تهران",
    ready: async (page, t) => {
      await page.getByRole("heading", { name: t.phonebook.noneFound }).waitFor();
      await button(page, t.phonebook.delete).click();
      await dialog(page).waitFor();
    },
  },
  {
    name: "an empty phonebook, and numbers are added",
    hash: () => `#/phonebooks/${empty}`,
    title: () => "Newsletter",
    ready: async (page, t) => {
      await page.getByRole("heading", { name: t.phonebook.none }).waitFor();
      await button(page, t.phonebook.add).click();
      await field(page, t.compose.numbers).fill("09121234567\n0912");
      await button(page, t.phonebook.addSubmit).click();
      await page.getByText(t.compose.mendFirst).waitFor();
    },
  },
  {
    name: "the choice of a file",
    hash: () => importOf(full),
    title: (t) => t.importing.title,
    ready: async (page, t) => {
      await page.getByText(t.importing.fromText).click();
      await button(page, t.importing.read).click();
      await page.getByText(t.importing.empty).waitFor();
    },
  },
  {
    name: "what a file has",
    hash: () => importOf(full),
    title: (t) => t.importing.title,
    ready: async (page) => {
      await choose(page, fileOf(messy));
      await page.locator(".bad-rows input").first().waitFor();
    },
  },
  {
    name: "the end of an import",
    hash: () => importOf(full),
    title: (t) => t.importing.title,
    ready: async (page, t) => {
      await page.getByRole("button", { name: /^(Import|وارد کردن) [2۲]/ }).click();
      await page.getByText(t.importing.states.DONE).waitFor();
      await page.locator(".bad-rows input").first().waitFor();
    },
  },
];

testViews(() => ({ browser, server, key: shop.key }), views);

test("a phonebook is made, filled, searched, mended, handed out and deleted", async () => {
  const own = await openShop(server, 0);
  const { page, faults, close, t } = await openConsole(browser, server, own.key, { hash: "#/phonebooks" });
  await page.getByRole("heading", { name: t.phonebooks.none }).waitFor();
  await button(page, t.phonebooks.create).click();
  await field(page, t.phonebooks.name).fill("Customers");
  await page.keyboard.press("Enter");
  await page.locator("#content h1", { hasText: "Customers" }).waitFor();
  const [{ id }] = await must(server, "GET", "/phonebook", { key: own.key });
  await button(page, t.phonebook.add).click();
  await field(page, t.compose.numbers).fill("0912 123 4567");
  await field(page, t.phonebook.name).fill("Ali");
  await button(page, t.phonebook.addSubmit).click();
  await page.getByText(t.phonebook.added("1", "0")).waitFor();
  await field(page, t.compose.numbers).fill("۰۹۳۵۱۲۳۴۵۶۷, 09361234567");
  await button(page, t.phonebook.addSubmit).click();
  await page.getByText(t.phonebook.added("2", "0")).waitFor();
  await field(page, t.phonebook.search).fill("al");
  await page.keyboard.press("Enter");
  await page.waitForURL("**q=al");
  const rows = page.locator("table.list tbody tr");
  await rows.nth(1).waitFor({ state: "detached" });
  await button(page, t.phonebook.editOf("+98 912 123 4567")).click();
  await field(dialog(page), t.phonebook.name).fill("Ali Rezaei");
  await button(dialog(page), t.phonebook.addAttribute).click();
  await field(dialog(page), t.phonebook.attributeTitle("1")).fill("city");
  await field(dialog(page), t.phonebook.attributeValue("1")).fill("تهران");
  await button(dialog(page), t.phonebooks.save).click();
  await rows.filter({ hasText: "Ali Rezaei" }).getByText("تهران").waitFor();
  await button(page, t.form.clear).click();
  await button(page, t.phonebook.removeOf("+98 936 123 4567")).click();
  await button(dialog(page), t.phonebook.removeSubmit).click();
  await rows.nth(2).waitFor({ state: "detached" });
  assert.deepEqual(await numbersOf(own.key, id), [
    { number: "+989121234567", name: "Ali Rezaei", attributes: { city: "تهران" } },
    { number: "+989351234567", name: null, attributes: {} },
  ]);
  const [file] = await Promise.all([page.waitForEvent("download"), button(page, t.form.csv).click()]);
  assert.deepEqual(readFileSync(await file.path(), "utf8").split("\r\n"), [
    `\ufeff${t.phonebook.number},${t.phonebook.name},city`,
    '"=""09121234567""",Ali Rezaei,تهران',
    '"=""09351234567""",,',
    "",
  ]);
  assert.equal(file.suggestedFilename(), "Customers.csv");
  await button(page, t.phonebook.delete).click();
  assert.match(await read(dialog(page)), /2 numbers go with it/);
  await button(dialog(page), t.phonebooks.deleteSubmit("2")).click();
  await page.getByRole("heading", { name: t.phonebooks.none }).waitFor();
  assert.deepEqual(await must(server, "GET", "/phonebook", { key: own.key }), []);
  assert.deepEqual(faults, []);
  await close();
});

for (const language of ["en", "fa"])
  test(`a message to a phonebook, or to one of its people, begins where they stand, in ${language}`, async () => {
    const options = { hash: "#/compose", language };
    const { page, faults, close, t } = await openConsole(browser, server, shop.key, options);
    await field(page, t.compose.numbers).fill("09361234567");
    await goTo(page, "#/phonebooks", t.phonebooks.title);
    await list(page).waitFor();
    const toBook = page.getByRole("link", { name: t.phonebooks.sendTo("مشتریان تهران"), exact: true });
    assert.equal(await page.getByRole("link", { name: t.phonebooks.sendTo("Newsletter"), exact: true }).count(), 0);
    await toBook.click();
    const chosen = () => page.locator(".books input:checked");
    const others = page.getByRole("checkbox", { name: /^مشتریان تهران/ });
    await others.waitFor({ state: "attached" });
    assert.deepEqual([await chosen().count(), await others.isChecked()], [1, true]);
    await goTo(page, `#/phonebooks/${full}`, "مشتریان تهران");
    await page.getByRole("link", { name: t.phonebook.send }).click();
    await others.waitFor({ state: "attached" });
    assert.ok(await others.isChecked());
    await goTo(page, `#/phonebooks/${full}?q=09121000003`, "مشتریان تهران");
    await list(page).locator("tbody tr:only-child a").click();
    assert.equal(await field(page, t.compose.numbers).inputValue(), "+989121000003");
    // A draft that was there before stays as it was.
    await goTo(page, "#/compose", t.compose.title);
    assert.equal(await field(page, t.compose.numbers).inputValue(), "09361234567");
    assert.deepEqual(faults, []);
    await close();
  });

test("a title that there is already is refused, and the page says why", async () => {
  const { page, close, t } = await openConsole(browser, server, shop.key, { hash: `#/phonebooks/${empty}` });
  await button(page, t.phonebook.rename).click();
  await field(dialog(page), t.phonebooks.name).fill("مشتریان تهران");
  await button(dialog(page), t.phonebooks.save).click();
  await dialog(page).getByRole("alert").waitFor();
  await field(dialog(page), t.phonebooks.name).fill("News");
  await button(dialog(page), t.phonebooks.save).click();
  await page.locator("#content h1", { hasText: "News" }).waitFor();
  await must(server, "PUT", `/phonebook/${empty}`, { key: shop.key, body: { title: "Newsletter" } });
  await close();
});

test("a file is read, mapped, mended and imported, and what is left can be mended afterwards", async () => {
  const own = await openShop(server, 0);
  const id = await makeBook(server, own.key, "Customers");
  const { page, faults, close, t } = await openConsole(browser, server, own.key, { hash: importOf(id) });
  await choose(page, fileOf(messy));
  await page.getByText(`2 numbers · ${t.importing.double("1")} · ${t.importing.bad("2")}`).waitFor();
  await field(page, t.importing.attributeOf("Number of orders")).fill("name");
  await page.getByText(t.importing.faults.takenTitle).waitFor();
  assert.ok(await button(page, t.importing.start("2")).isDisabled());
  await field(page, t.importing.attributeOf("Number of orders")).fill("orders");
  await field(page, t.importing.mend("5")).fill("0936 123 4567");
  await page.keyboard.press("Enter");
  // A look at another page takes nothing away.
  await goTo(page, "#/phonebooks", t.phonebooks.title);
  await page.goBack();
  await button(page, t.importing.start("3")).click();
  await page.getByText(t.importing.states.DONE).waitFor();
  const expected = [
    { number: "+989121234567", name: "Ali", attributes: { City: "Tehran", orders: "4" } },
    { number: "+989351234567", name: "سارا", attributes: { City: "تهران" } },
    { number: "+989361234567", name: "Karimi; Reza", attributes: { City: "Shiraz", orders: "1" } },
  ];
  assert.deepEqual(await numbersOf(own.key, id), expected);
  const [file] = await Promise.all([page.waitForEvent("download"), button(page, t.importing.badFile).click()]);
  const left = `Full name;Tel;City;Number of orders;reason\r\nMaryam;none;Yazd;;${t.importing.noNumber}\r\n`;
  assert.equal(readFileSync(await file.path(), "utf8"), `\ufeff${left}`);
  await field(page, t.importing.mend("7")).fill("09371234567");
  await page.keyboard.press("Enter");
  await button(page, t.importing.addMended("1")).click();
  await page.getByText(t.importing.doneOf("4", "4")).first().waitFor();
  await page.getByText(t.importing.states.DONE).waitFor();
  const maryam = { number: "+989371234567", name: "Maryam", attributes: { City: "Yazd" } };
  assert.deepEqual(await numbersOf(own.key, id), [...expected, maryam]);
  assert.deepEqual(faults, []);
  await close();
});

/** A file of good numbers alone. */
const plainFile = (count) => fileOf(Array.from({ length: count }, (_, index) => `0912${1_000_000 + index}`).join("\n"));

test("an import goes on while other pages are looked at, and after a portion that has failed", async () => {
  const own = await openShop(server, 0);
  const id = await makeBook(server, own.key, "Customers");
  const { page, close, t } = await openConsole(browser, server, own.key, { hash: importOf(id) });
  let portions = 0;
  const held = Promise.withResolvers();
  await page.route("**/import", async (route) => {
    portions += 1;
    if (portions === 2) await held.promise;
    if (portions === 3) await route.abort();
    else await route.continue();
  });
  await choose(page, plainFile(5_000));
  await button(page, t.importing.start("5,000")).click();
  await page.getByText(t.importing.doneOf("2,000", "5,000")).waitFor();
  await goTo(page, "#/wallet", t.wallet.title);
  await page.locator(".import-notice", { hasText: t.importing.doneOf("2,000", "5,000") }).waitFor();
  held.resolve();
  await page.locator(".import-notice", { hasText: t.importing.states.FAILED }).click();
  await page.getByText(t.importing.doneOf("4,000", "5,000")).waitFor();
  await page.getByRole("alert").getByText(t.state.network).waitFor();
  await button(page, t.state.again).click();
  await page.getByText(t.importing.states.DONE).waitFor();
  await button(page, t.importing.open).click();
  await page.getByRole("heading", { name: t.phonebook.numbers("5,000") }).waitFor();
  assert.equal(await page.locator(".import-notice").count(), 0);
  assert.equal((await must(server, "GET", `/phonebook/${id}`, { key: own.key })).count, 5_000);
  await close();
});

test("an import is stopped and goes on, and a reload says what was saved", async () => {
  const own = await openShop(server, 0);
  const id = await makeBook(server, own.key, "Customers");
  const { page, close, t } = await openConsole(browser, server, own.key, { hash: importOf(id) });
  let portions = 0;
  await page.route("**/import", async (route) => {
    portions += 1;
    if (portions === 1 || portions === 3) await route.continue();
  });
  await choose(page, plainFile(6_000));
  await button(page, t.importing.start("6,000")).click();
  await page.getByText(t.importing.doneOf("2,000", "6,000")).waitFor();
  await button(page, t.importing.stop).click();
  await page.getByText(t.importing.states.STOPPED).waitFor();
  await button(page, t.importing.goOn).click();
  await page.getByText(t.importing.doneOf("4,000", "6,000")).waitFor();
  page.on("dialog", (asked) => asked.accept());
  await page.reload();
  await page.getByText(t.importing.states.LOST).waitFor();
  await page.getByText(t.importing.doneOf("4,000", "6,000")).waitFor();
  assert.equal((await must(server, "GET", `/phonebook/${id}`, { key: own.key })).count, 4_000);
  await page.unroute("**/import");
  await button(page, t.importing.otherFile).click();
  await choose(page, plainFile(6_000));
  await button(page, t.importing.start("6,000")).click();
  await page.getByText(t.importing.states.DONE).waitFor();
  assert.match(await read(page.locator(".facts").first()), /Added\s+2,000\s+Updated\s+4,000/);
  assert.equal((await must(server, "GET", `/phonebook/${id}`, { key: own.key })).count, 6_000);
  await close();
});

test("what the service refuses of a file is told with its reason", async () => {
  const own = await openShop(server, 0);
  const id = await makeBook(server, own.key, "Customers");
  const { page, close, t } = await openConsole(browser, server, own.key, { hash: importOf(id) });
  await choose(page, fileOf(`09121234567,${"a".repeat(201)}\n09351234567,Sara`));
  await button(page, t.importing.start("2")).click();
  await page.getByText(t.importing.states.DONE).waitFor();
  assert.match(await read(page.locator(".facts").first()), /Added\s+1\s+Updated\s+0\s+Refused\s+1/);
  await page.locator(".bad-rows li", { hasText: t.importing.line("1") }).waitFor();
  assert.deepEqual(
    (await numbersOf(own.key, id)).map(({ number }) => number),
    ["+989351234567"],
  );
  await close();
});

test("a test key sees how many numbers there are, and changes none", async () => {
  const { key } = await issueKey(server, shop.id, { mode: "test" });
  const { page, faults, close, t } = await openConsole(browser, server, key, { hash: "#/phonebooks" });
  await page.getByText(t.phonebooks.testLead).waitFor();
  await list(page).waitFor();
  assert.equal(await button(page, t.phonebooks.create).count(), 0);
  await goTo(page, `#/phonebooks/${empty}`, "Newsletter");
  await page.getByText(t.phonebook.hidden("0")).waitFor();
  await goTo(page, importOf(empty), t.importing.title);
  await page.getByText(t.phonebooks.testLead).waitFor();
  assert.deepEqual(faults, []);
  await close();
});
