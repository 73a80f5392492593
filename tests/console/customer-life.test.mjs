// What customers do with the numbers that they have, and what the console warns them of, held against the API.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { daysOf, operatorOf, rateOf } from "../../console/src/pages/verifications/stats.ts";
import { button, dialog, field, goTo, openConsole, read } from "../support/console-browser.mjs";
import { assertGoodAt, sizeOf, widths } from "../support/console-views.mjs";
import { gatewaySettings, openInbox } from "../support/phones.mjs";
import { listen } from "../support/receiver.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { issueKey, openShop, send, tomorrow } from "../support/shop.mjs";
import { launch } from "../support/site-browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const server = sharedServer(() => {}, gatewaySettings);
const get = async (key, path) => (await api(server, "GET", path, { key })).json.data;
const post = (key, path, body) => api(server, "POST", path, { key, body });

test("numbers are pasted onto the blacklist, looked for and taken off", async () => {
  const shop = await openShop(server, 10_000);
  await post(shop.key, "/blacklist", { numbers: ["09121234567"] });
  const { page, faults, close, t } = await openConsole(browser, server, shop.key, { hash: "#/blacklist" });
  await page.locator("table.list").waitFor();
  await button(page, t.blacklist.add).click();
  await field(page, t.compose.numbers).fill("0912 123 4567\n۰۹۳۵۱۲۳۴۵۶۷; 0936");
  await button(page, t.blacklist.addSubmit("2")).click();
  await page.getByText(t.compose.mendFirst).waitFor();
  await field(page, t.compose.badEntry("0936")).fill("09361234567");
  await page.keyboard.press("Enter");
  await button(page, t.blacklist.addSubmit("3")).click();
  await page.getByText("2 numbers were added. 1 was there already.").waitFor();
  await button(page, t.blacklist.close).click();
  const numbers = async () => (await get(shop.key, "/blacklist")).map(({ number }) => number).sort();
  assert.deepEqual(await numbers(), ["+989121234567", "+989351234567", "+989361234567"]);
  await field(page, t.blacklist.number).fill("0935 123 4567");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/console#/blacklist?number=*");
  const rows = page.locator("table.list tbody tr");
  await rows.nth(1).waitFor({ state: "detached" });
  await button(rows, t.blacklist.removeOf("+98 935 123 4567")).click();
  assert.match(await read(dialog(page)), /Take \+98 935 123 4567 off the blacklist\?/);
  await button(dialog(page), t.blacklist.removeSubmit).click();
  await page.getByRole("heading", { name: t.blacklist.noneFound }).waitFor();
  assert.deepEqual(await numbers(), ["+989121234567", "+989361234567"]);
  assert.equal((await send(server, shop.key, ["09351234567"])).status, 201);
  assert.deepEqual(faults, []);
  await close();
});

test("who has opted out by reply is marked on the blacklist, and the dialog says so", async () => {
  const shop = await openShop(server, 0);
  const line = await openInbox(server, shop.id, "30001101");
  await line.says("+989121234567", "STOP");
  const { page, close, t } = await openConsole(browser, server, shop.key, { hash: "#/blacklist" });
  await page.locator("table.list .badge", { hasText: t.blacklist.byOwner }).waitFor();
  await button(page, t.blacklist.removeOf("+98 912 123 4567")).click();
  await dialog(page).getByText(t.blacklist.removeOptOut).waitFor();
  await button(dialog(page), t.form.cancel).click();
  assert.equal((await get(shop.key, "/blacklist")).length, 1);
  await close();
});

test("a wrong number in the address of the blacklist is told as the service tells it", async () => {
  const shop = await openShop(server, 0);
  const { page, close, t } = await openConsole(browser, server, shop.key);
  await goTo(page, "#/blacklist?number=nobody", t.blacklist.title);
  await page.getByRole("link", { name: t.state.help }).waitFor();
  await button(page, t.form.clear).click();
  await page.getByRole("heading", { name: t.blacklist.none, exact: true }).waitFor();
  await close();
});

test("verifications are counted by day and by range, and one is found by its id", async () => {
  const shop = await openShop(server, 0);
  // The code of a test key is the last digits of the number.
  const { key } = await issueKey(server, shop.id, { mode: "test" });
  const ids = [];
  for (const recipient of ["09121234567", "09121234568", "09351234567"])
    ids.push((await post(key, "/verify", { recipient })).json.data.id);
  assert.equal((await post(key, "/verify/check", { id: ids[0], code: "234567" })).status, 200);
  const { page, faults, close, t } = await openConsole(browser, server, key, { hash: "#/verify" });
  await page.locator(".chart").waitFor();
  const summary = `${t.verify.approved}: 1 · ${t.verify.notApproved}: 2 · ${t.verify.blocked}: 0`;
  assert.equal(await page.locator(".chart svg").getAttribute("aria-label"), summary);
  assert.match(await read(page.locator(".tiles")), /33\.3%/);
  await page.locator(".filters .select").click();
  await page.getByRole("option", { name: t.verify.ways.prefix }).click();
  await page.waitForURL("**/console#/verify?by=prefix");
  const rows = page.locator("table.list tbody tr");
  await rows.nth(1).waitFor();
  assert.match(await read(rows.nth(0)), /^\+98 912\s+MCI\s+50%/);
  assert.match(await read(rows.nth(1)), /^\+98 935\s+Irancell\s+0%/);
  await field(page, t.verify.id).fill(ids[0]);
  await page.keyboard.press("Enter");
  await page.getByText(t.verify.meaning.APPROVED).waitFor();
  assert.deepEqual(faults, []);
  await field(page, t.verify.id).fill("00000000-0000-0000-0000-000000000000");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: t.state.help }).waitFor();
  await close();
});

test("days without verifications are shown, and who was blocked does not count in the rate", () => {
  const row = { started: 4, sent: 3, checked: 3, approved: 2, blocked: 1, medianSeconds: 9, pausedUntil: null };
  const days = daysOf([{ ...row, name: "2026-02-28" }], "2026-02-27", "2026-03-01");
  assert.deepEqual(
    days.map(({ name, started }) => [name, started]),
    [
      ["2026-02-27", 0],
      ["2026-02-28", 4],
      ["2026-03-01", 0],
    ],
  );
  assert.equal(rateOf(row), 2 / 3);
  assert.equal(rateOf({ ...row, started: 1, blocked: 1, approved: 0 }), null);
  assert.deepEqual(["98912", "98935", "98921", "97150"].map(operatorOf), ["mci", "irancell", "rightel", null]);
});

test("a number is erased after a dialog has said what goes", async () => {
  const shop = await openShop(server, 10_000);
  const sent = await send(server, shop.key, ["09121234567"], { sendAt: tomorrow() });
  const { page, faults, close, t } = await openConsole(browser, server, shop.key, { hash: "#/erasures" });
  await page.getByRole("heading", { name: t.erasures.none }).waitFor();
  await field(page, t.erasures.number).fill("0912");
  await button(page, t.erasures.erase).click();
  await page.getByText(t.erasures.noNumber).waitFor();
  await field(page, t.erasures.number).fill("0912 123 4567");
  await button(page, t.erasures.erase).click();
  assert.match(await read(dialog(page)), /Erase \+98 912 123 4567\?.*can't be undone/s);
  assert.deepEqual(await get(shop.key, "/erasures"), []);
  await button(dialog(page), t.erasures.submit).click();
  await page.getByText(t.erasures.ordered).waitFor();
  const row = page.locator("table.list tbody tr");
  assert.match(await read(row), new RegExp(`^…67\\s+${t.erasureStatuses.RUNNING}`));
  const recipients = `/messages/${sent.json.data.uid}/recipients`;
  const isErased = async () => (await get(shop.key, recipients))[0].recipient === "erased";
  await until(isErased, { what: "the erasure" });
  assert.deepEqual(faults, []);
  await close();
});

test("who may not erase, and who has a test key, is told so", async () => {
  const shop = await openShop(server, 0);
  const narrow = await issueKey(server, shop.id, { scopes: ["blacklist"] });
  const without = await openConsole(browser, server, narrow.key, { hash: "#/erasures" });
  await without.page.getByText(without.t.state.needs("erasure")).waitFor();
  await without.close();
  const { key } = await issueKey(server, shop.id, { mode: "test" });
  for (const hash of ["#/erasures", "#/blacklist"]) {
    const { page, faults, close, t } = await openConsole(browser, server, key, { hash });
    await page.getByText(t.state.needsLive).waitFor();
    assert.deepEqual(faults, [], hash);
    await close();
  }
});

for (const language of ["en", "fa"])
  test(`the first steps tick themselves, and go when they are done or put away, in ${language}`, async () => {
    const shop = await openShop(server, 100_000);
    const options = { language, viewport: sizeOf(widths[0]) };
    const { page, faults, close, t } = await openConsole(browser, server, shop.key, options);
    const card = page.locator(".first-day");
    const done = () => card.locator("li.done").evaluateAll((steps) => steps.length);
    await card.getByText(t.firstDay.steps.credit).waitFor();
    assert.equal(await card.getByRole("link").count(), 3);
    await assertGoodAt(widths, page, faults, "the first steps");
    await card.getByRole("link", { name: t.firstDay.steps.people }).click();
    await page.locator("#content h1", { hasText: t.phonebooks.title }).waitFor();
    const { id } = (await post(shop.key, "/phonebook", { title: "Customers" })).json.data;
    await post(shop.key, `/phonebook/number/${id}`, { numbers: [{ number: "09121234567" }] });
    await page.goto("/console#/");
    await page.reload();
    await card.locator("li.done", { hasText: t.firstDay.steps.people }).waitFor();
    assert.equal(await done(), 2);
    await send(server, shop.key, ["09121234567"]);
    await post(shop.key, "/pattern", { slug: "code", title: "Code" });
    await page.reload();
    await page.locator(".charts").waitFor();
    await card.waitFor({ state: "detached" });
    assert.deepEqual(faults, []);
    await close();
  });

test("first steps that were put away stay away in this browser, and cost no request", async () => {
  const shop = await openShop(server, 0);
  const { page, close, t } = await openConsole(browser, server, shop.key);
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await button(page, t.firstDay.putAway).click();
  await page.locator(".first-day").waitFor({ state: "detached" });
  await page.getByText(t.overview.noUsage).waitFor();
  asked.length = 0;
  await page.reload();
  await page.getByText(t.overview.noScheduled).waitFor();
  await page.getByText(t.overview.noUsage).waitFor();
  assert.equal(await page.locator(".first-day").count(), 0);
  assert.deepEqual(
    asked.filter((path) => ["/phonebook", "/keys", "/pattern"].includes(path)),
    [],
  );
  await close();
});

test("a warning of the overview leads to the page where it is seen to", async () => {
  const shop = await openShop(server, 0);
  const receiver = await listen(() => 410);
  const made = await post(shop.key, "/webhook", { url: receiver.url("/gone"), events: ["message.status"] });
  const { id } = made.json.data;
  await post(shop.key, `/webhook/${id}/test`);
  const isStopped = async () => (await get(shop.key, `/webhook/${id}`)).disabledReason === "GONE";
  await until(isStopped, { what: "the stop of the webhook" });
  await receiver.close();
  const { page, close, t } = await openConsole(browser, server, shop.key);
  await page.getByText(t.overview.empty).waitFor();
  await page.getByRole("link", { name: t.overview.toWallet }).waitFor();
  await page.getByRole("link", { name: t.overview.toWebhook }).click();
  await page.getByText(t.webhooks.reasons.GONE).waitFor();
  await close();
});

test("a narrow window signs out from the menu", async () => {
  const shop = await openShop(server, 0);
  const viewport = { width: 375, height: 800 };
  const { page, close, t } = await openConsole(browser, server, shop.key, { viewport });
  assert.equal(await button(page, t.app.signOut).count(), 0);
  await button(page, t.app.menu).click();
  await button(page, t.app.signOut).click();
  await page.locator(".sign-in").waitFor();
  assert.deepEqual(await page.context().cookies(), []);
  await close();
});
