// What people see of their files of numbers: workbooks, landlines, several columns of numbers, and digits that Excel has destroyed.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { button, field, goTo, openConsole, read } from "../support/console-browser.mjs";
import { fileOf, workbookFileOf } from "../support/console-tables.mjs";
import { assertGood, languages } from "../support/console-views.mjs";
import { api, sharedServer } from "../support/server.mjs";
import { all, openShop } from "../support/shop.mjs";
import { launch } from "../support/site-browser.mjs";

// The browser is closed first, also if the server did not start.
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const server = sharedServer();

async function openImport(language) {
  const shop = await openShop(server, 100_000);
  const made = await api(server, "POST", "/phonebook", { key: shop.key, body: { title: "Customers" } });
  const { id } = made.json.data;
  const hash = `#/phonebooks/${id}/import`;
  const opened = await openConsole(browser, server, shop.key, { hash, language });
  const number = (value) => new Intl.NumberFormat(language === "fa" ? "fa-IR" : "en-GB").format(value);
  const people = () => all(server, shop.key, `/phonebook/number/${id}`);
  const numbers = async () => (await people()).map(({ number }) => number);
  return { ...opened, number, numbers, people };
}

const choose = (page, file) => page.locator("input[type=file]").setInputFiles(file);
const choice = (page, name) => page.locator("label.radio", { hasText: name });

const customers = [
  ["مشتریان فروشگاه", null, null],
  ["نام", "تلفن", "موبایل"],
  ["علی", "02188776655", 9121234567],
  ["سارا", "02188776656", null],
  ["رضا", "02188776657", 9351234567],
];

for (const language of languages) {
  test(`a workbook is imported, and the person chooses among mobiles and landlines, in ${language}`, async () => {
    const { page, faults, close, t, number, numbers } = await openImport(language);
    await choose(page, workbookFileOf({ راهنما: [["فقط مشتریان"]], مشتریان: customers }));
    await page.getByText(t.importing.sheet("\u2068مشتریان\u2069")).waitFor();
    const start = (count) => button(page, t.importing.start(number(count)));
    await start(2).waitFor();
    assert.equal(await page.getByText(t.landlines.choices.take).count(), 0);
    await choice(page, t.importing.allColumns).click();
    await page.getByText(t.landlines.found(number(3))).waitFor();
    await start(2).waitFor();
    await assertGood(page, faults, "the questions about numbers");
    await choice(page, t.landlines.choices.take).click();
    await start(5).waitFor();
    await choice(page, t.landlines.choices.out).click();
    await start(2).click();
    await page.getByText(t.importing.states.DONE).waitFor();
    assert.match(await read(page.locator(".facts").first()), new RegExp(`${t.landlines.leftOut}\\s+${number(3)}`));
    assert.deepEqual((await numbers()).toSorted(), ["+989121234567", "+989351234567"]);
    assert.deepEqual(faults, []);
    await close();
  });

  test(`a second import into a phonebook shows its own result, and replaces what the file has a value for, in ${language}`, async () => {
    const { page, faults, close, t, number, people } = await openImport(language);
    const { hash } = new URL(page.url());
    const facts = async () =>
      (await read(page.locator(".facts").first())).split(/\s+/).filter((word) => /[\d۰-۹]/.test(word));
    await choose(page, fileOf("number,name,city\n09121234567,Ali,Tehran\n09351234567,Sara,Yazd"));
    await button(page, t.importing.start(number(2))).click();
    await page.getByText(t.importing.states.DONE).waitFor();
    assert.deepEqual(await facts(), [2, 0, 0, 0].map(number));
    await goTo(page, "#/phonebooks", t.phonebooks.title);
    await goTo(page, hash, t.importing.title);
    await choose(page, fileOf("number,name,city\n09121234567,Reza,\n09121234567,Omid,"));
    await page.getByText(t.importing.double(number(1))).waitFor();
    await button(page, t.importing.start(number(1))).click();
    await page.getByText(t.importing.states.DONE).waitFor();
    assert.deepEqual(await facts(), [0, 1, 0, 0].map(number));
    assert.deepEqual(
      (await people()).map(({ name, attributes }) => [name, attributes.city]),
      [
        ["Omid", "Tehran"],
        ["Sara", "Yazd"],
      ],
    );
    assert.deepEqual(faults, []);
    await close();
  });

  test(`a large workbook is read within the page's own policy, in ${language}`, async () => {
    const { page, faults, close, t, number } = await openImport(language);
    const rows = Array.from({ length: 40_000 }, (_, index) => [`مشتری ${index}`, 9_120_000_000 + index]);
    await choose(page, workbookFileOf({ Sheet1: [["نام", "موبایل"], ...rows] }));
    await button(page, t.importing.start(number(40_000))).waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  test(`an old workbook and a page are refused in a sentence, in ${language}`, async () => {
    const { page, faults, close, t } = await openImport(language);
    const old = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 1, 2]);
    await choose(page, { name: "customers.xls", mimeType: "application/vnd.ms-excel", buffer: old });
    await page.getByRole("alert").getByText(t.importing.oldWorkbook).waitFor();
    await choose(page, fileOf("<html><table><tr><td>09121234567</td></tr></table></html>", "customers.xls"));
    await page.getByRole("alert").getByText(t.importing.unreadable).waitFor();
    assert.equal(await page.locator(".columns").count(), 0);
    assert.deepEqual(faults, []);
    await close();
  });

  test(`a reader of workbooks that can't be loaded is no fault of the file, in ${language}`, async () => {
    const { page, close, t, number } = await openImport(language);
    await page.route("**/assets/workbook-*.js", (route) => route.abort(), { times: 1 });
    await choose(page, workbookFileOf({ Sheet1: customers }));
    await page.getByRole("alert").getByText(t.state.network).waitFor();
    await page.reload();
    await choose(page, workbookFileOf({ Sheet1: customers }));
    await button(page, t.importing.start(number(2))).waitFor();
    await close();
  });

  test(`numbers that Excel has destroyed are told apart, with the way back, in ${language}`, async () => {
    const { page, faults, close, t, number } = await openImport(language);
    await choose(
      page,
      fileOf('sep=;\r\nنام;موبایل\r\nعلی;9.12E+09\r\nسارا;\'09351234567\r\nرضا;"=""09361234567"""\r\n'),
    );
    await page.getByText(t.importing.destroyed(number(1)), { exact: true }).waitFor();
    await button(page, t.importing.start(number(2))).waitFor();
    await assertGood(page, faults, "destroyed numbers");
    await close();
  });

  test(`landlines among pasted numbers are asked about, in ${language}`, async () => {
    const { page, faults, close, t, number } = await openImport(language);
    const said = (people) => page.getByText(`${t.compose.found(number(people))} · ${t.compose.bad(number(1))}`);
    await goTo(page, "#/compose", t.compose.title);
    await field(page, t.compose.numbers).fill("02188776655\n09121234567\n9.12E+09");
    await page.getByText(t.landlines.found(number(1))).waitFor();
    await said(1).waitFor();
    await page.getByText(t.compose.scientific).waitFor();
    await choice(page, t.landlines.choices.take).click();
    await said(2).waitFor();
    await assertGood(page, faults, "pasted landlines");
    await close();
  });
}
