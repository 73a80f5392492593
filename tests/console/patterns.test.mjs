// What people do with patterns in the console, held against what the API says afterwards.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { button, dialog, field, openConsole, read } from "../support/console-browser.mjs";
import { api, sharedServer } from "../support/server.mjs";
import { issueKey, openShop } from "../support/shop.mjs";
import { launch } from "../support/site-browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const server = sharedServer();
const get = async (key, path) => (await api(server, "GET", path, { key })).json.data;
const post = (key, path, body) => api(server, "POST", path, { key, body });
const statuses = async (key, slug) =>
  Object.fromEntries((await get(key, `/pattern/${slug}`)).versions.map(({ version, status }) => [version, status]));

test("a pattern is written, previewed, activated and sent", async () => {
  const shop = await openShop(server, 100_000);
  const { page, faults, close, t } = await openConsole(browser, server, shop.key, { hash: "#/patterns" });
  await page.getByRole("heading", { name: t.patterns.none }).waitFor();
  await page.getByRole("link", { name: t.patterns.create }).click();
  await field(page, t.patterns.name).fill("Order");
  await field(page, t.patterns.slug).fill("order");
  await field(page, t.patterns.text).fill("%name%, your order comes by %way%. 100%");
  const way = page.getByRole("group", { name: "%way%" });
  await way.locator(".select").click();
  await page.getByRole("option", { name: t.variableTypes.ENUM }).click();
  await button(page, t.patterns.createSubmit).click();
  await way.getByText(t.patterns.noValues).waitFor();
  await field(way, t.patterns.values).fill("post\nbike\n");
  await field(page.getByRole("group", { name: "%name%" }), t.patterns.sample).fill("Sara");
  assert.match(await read(page.locator(".preview")), /Sara, your order comes by post\. 100%$/);
  await page.getByText(t.patterns.secret).first().click();
  await page.reload();
  await page.locator(".preview").getByText("Sara, your order").waitFor();
  await button(page, t.patterns.createSubmit).click();
  await page.waitForURL("**/console#/patterns/order");
  const [made] = (await get(shop.key, "/pattern/order")).versions;
  assert.deepEqual(
    made.variables.map(({ name, type, values, secret }) => [name, type, values, secret]),
    [
      ["name", "TEXT", null, true],
      ["way", "ENUM", ["post", "bike"], false],
    ],
  );
  await button(page, t.patterns.activate).click();
  await button(dialog(page), t.patterns.activateSubmit("1")).click();
  await page.getByText(t.patterns.meaning.ACTIVE).waitFor();
  const body = { pattern: "order", recipient: "09121234567", variables: { name: "Ali", way: "bike" } };
  assert.equal((await post(shop.key, "/sms/pattern", body)).status, 201);
  assert.deepEqual(faults, []);
  await close();
});

for (const language of ["en", "fa"])
  test(`a pattern takes a Persian name, and blanks in a name are mended, in ${language}`, async () => {
    const shop = await openShop(server, 100_000);
    const options = { hash: "#/patterns?new=1", language };
    const { page, faults, close, t } = await openConsole(browser, server, shop.key, options);
    await field(page, t.patterns.name).fill("سفارش");
    await field(page, t.patterns.slug).fill("order");
    await field(page, t.patterns.text).fill("سلام %نام%، %کد سفارش% رسید.");
    await page.getByRole("group", { name: "%نام%" }).waitFor();
    await page.locator(".note button").click();
    await page.getByRole("group", { name: "%کد_سفارش%" }).waitFor();
    await button(page, t.patterns.createSubmit).click();
    await page.waitForURL("**/console#/patterns/order");
    await post(shop.key, "/pattern/order/versions/1/activate");
    const variables = { نام: "سارا", کد_سفارش: "۱۲" };
    const sent = await post(shop.key, "/sms/pattern", { pattern: "order", recipient: "09121234567", variables });
    assert.equal(sent.status, 201, sent.text);
    const [{ message }] = await get(shop.key, "/messages");
    assert.equal(message, "سلام سارا، ۱۲ رسید.");
    assert.deepEqual(faults, []);
    await close();
  });

test("a version is made of an older one, takes its place, and the pattern goes at the end", async () => {
  const shop = await openShop(server, 0);
  await post(shop.key, "/pattern", { slug: "code", title: "Code", text: "Code: %OTP%" });
  await post(shop.key, "/pattern/code/versions/1/activate");
  const { page, close, t } = await openConsole(browser, server, shop.key, { hash: "#/patterns/code" });
  await page.getByText(t.patterns.deactivateFirst).waitFor();
  await button(page, t.patterns.reuse).click();
  assert.equal(await field(page, t.patterns.text).inputValue(), "Code: %OTP%");
  await field(page, t.patterns.text).fill("Your code: %OTP%");
  await page.reload();
  assert.equal(await field(page, t.patterns.text).inputValue(), "Your code: %OTP%");
  await button(page, t.patterns.newVersionSubmit).click();
  await button(page, t.patterns.activate).click();
  assert.match(await read(dialog(page)), /Version 1 is retired\./);
  await button(dialog(page), t.patterns.activateSubmit("2")).click();
  await page.getByText(t.patterns.meaning.RETIRED).waitFor();
  assert.deepEqual(await statuses(shop.key, "code"), { 1: "RETIRED", 2: "ACTIVE" });
  await button(page, t.patterns.change).click();
  await field(page, t.patterns.name).fill("Login code");
  await page.getByText(server.line, { exact: true }).click();
  await button(page, t.patterns.changeSubmit).click();
  await page.locator("#content h1", { hasText: "Login code" }).waitFor();
  assert.deepEqual((await get(shop.key, "/pattern/code")).lines, [server.line]);
  await button(page, t.patterns.deactivate).click();
  await button(dialog(page), t.patterns.deactivate).click();
  await button(page, t.patterns.delete).click();
  assert.match(await read(dialog(page)), /2 versions go, and programs that send code are refused\./);
  await button(dialog(page), t.patterns.deleteSubmit).click();
  await page.getByRole("heading", { name: t.patterns.none }).waitFor();
  assert.deepEqual(await get(shop.key, "/pattern"), []);
  await close();
});

test("what the service refuses of a pattern is told, and what was typed stays", async () => {
  const shop = await openShop(server, 0);
  await post(shop.key, "/pattern", { slug: "taken", title: "Taken" });
  const { page, close, t } = await openConsole(browser, server, shop.key, { hash: "#/patterns" });
  await page.getByRole("link", { name: t.patterns.create }).click();
  await field(page, t.patterns.name).fill("Another");
  await field(page, t.patterns.slug).fill("taken");
  await button(page, t.patterns.createSubmit).click();
  await page.getByRole("link", { name: t.state.help }).waitFor();
  assert.equal(await field(page, t.patterns.name).inputValue(), "Another");
  await close();
});

test("a test key sees patterns and changes none", async () => {
  const shop = await openShop(server, 0);
  await post(shop.key, "/pattern", { slug: "code", title: "Code", text: "Code: %OTP%" });
  const { key } = await issueKey(server, shop.id, { mode: "test" });
  const { page, close, t } = await openConsole(browser, server, key, { hash: "#/patterns/code" });
  await page.getByText(t.patterns.testKey).waitFor();
  await page.getByText("Code: %OTP%").waitFor();
  for (const name of [t.patterns.activate, t.patterns.newVersion, t.patterns.change, t.patterns.delete])
    assert.equal(await button(page, name).count(), 0, name);
  await close();
});
