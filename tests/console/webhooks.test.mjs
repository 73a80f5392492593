// What people do with webhooks in the console, held against what the API says and what a receiver gets.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { button, dialog, field, openConsole, read } from "../support/console-browser.mjs";
import { listen } from "../support/receiver.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { issueKey, openShop } from "../support/shop.mjs";
import { launch } from "../support/site-browser.mjs";

let browser;
let receiver;
/** What the receiver answers to a request of this path. */
const answers = {
  "/ok": 200,
  "/bad": 500,
  "/gone": 410,
  "/says": [500, {}, "<b id='theirs'>no such table</b>\n".repeat(30)],
};
before(async () => {
  browser = await launch();
  receiver = await listen(({ path }) => answers[path]);
});
after(async () => {
  await browser?.close();
  await receiver?.close();
});

const server = sharedServer(undefined, () => ({ WEBHOOK_RETRY_SECONDS: "600,600" }));
const get = async (key, path) => (await api(server, "GET", path, { key })).json.data;

async function addEndpoint(key, path) {
  const body = { url: receiver.url(path), events: ["message.status"] };
  const made = await api(server, "POST", "/webhook", { key, body });
  assert.equal(made.status, 201, made.text);
  return made.json.data;
}

const testEvents = (path) => receiver.hits.filter((hit) => hit.path === path && hit.event.type === "webhook.test");

test("a webhook is added, shows its secret once, and gets a test", async () => {
  const shop = await openShop(server, 100_000);
  const { page, faults, close, t } = await openConsole(browser, server, shop.key, { hash: "#/webhooks" });
  await page.getByRole("heading", { name: t.webhooks.none }).waitFor();
  await button(page, t.webhooks.create).click();
  await button(page, t.webhooks.createSubmit).click();
  await page.getByText(t.webhooks.noAddress).waitFor();
  await field(page, t.webhooks.address).fill(receiver.url("/ok"));
  await page.getByText(t.eventTypes["wallet.low"]).click();
  await field(page, t.webhooks.lowBalance).fill("50000");
  await button(page, t.webhooks.createSubmit).click();
  const secret = await page.locator(".shown-key code").innerText();
  assert.match(secret, /^whsec_/);
  const [endpoint] = await get(shop.key, "/webhook");
  assert.deepEqual([endpoint.events, endpoint.lowBalance], [["message.status", "wallet.low"], 50_000]);
  await button(page, t.webhooks.shownDone).click();
  assert.ok(!(await page.content()).includes(secret));
  await page.getByRole("link", { name: receiver.url("/ok") }).click();
  await page.getByText(t.webhooks.noDeliveriesText).waitFor();
  await button(page, t.webhooks.test).click();
  await page.locator("table.list .badge", { hasText: t.deliveryStatuses.DELIVERED }).waitFor();
  assert.equal(testEvents("/ok").length, 1);
  await page.getByRole("button", { name: /^Send again: evt_/ }).click();
  await until(() => testEvents("/ok").length === 2, { what: "the second delivery" });
  assert.deepEqual(faults, []);
  await close();
});

test("a webhook that fails says why and since when, and can be mended", async () => {
  const shop = await openShop(server, 0);
  const { id } = await addEndpoint(shop.key, "/bad");
  await api(server, "POST", `/webhook/${id}/test`, { key: shop.key });
  const { page, close, t } = await openConsole(browser, server, shop.key, { hash: `#/webhooks/${id}` });
  await page.getByText(/^All tries have failed since /).waitFor();
  await page.locator(".trouble").getByText("The last one: not a success (500)").waitFor();
  await page
    .locator("table.list")
    .getByText(/^Next try: /)
    .waitFor();
  await page
    .locator(".trouble")
    .getByText(/^Next try: /)
    .waitFor();
  await button(page, t.webhooks.change).click();
  await field(page, t.webhooks.address).fill(receiver.url("/gone"));
  await button(page, t.webhooks.changeSubmit).click();
  await page.getByText(receiver.url("/gone")).waitFor();
  await button(page, t.webhooks.test).click();
  await page.getByText(t.webhooks.reasons.GONE).waitFor();
  assert.equal((await get(shop.key, `/webhook/${id}`)).disabledReason, "GONE");
  await button(page, t.webhooks.turnOn).click();
  await page.locator(".endpoint .badge", { hasText: t.webhooks.on }).waitFor();
  await button(page, t.webhooks.turnOff).click();
  await button(page, t.webhooks.turnOn).waitFor();
  assert.equal((await get(shop.key, `/webhook/${id}`)).active, false);
  await close();
});

test("what a receiver has answered is shown as plain text, in a box that stays small", async () => {
  const shop = await openShop(server, 0);
  const { id } = await addEndpoint(shop.key, "/says");
  await api(server, "POST", `/webhook/${id}/test`, { key: shop.key });
  const { page, faults, close, t } = await openConsole(browser, server, shop.key, { hash: `#/webhooks/${id}` });
  await page.locator("table.list .answer", { hasText: "<b id='theirs'>" }).waitFor();
  await page.getByRole("link", { name: t.eventTypes["webhook.test"] }).click();
  await page.getByRole("heading", { name: t.webhooks.answered }).waitFor();
  const box = page.locator("pre.answered");
  assert.equal(await box.innerText(), "<b id='theirs'>no such table</b>\n".repeat(30).slice(0, 1_000));
  assert.ok((await box.boundingBox()).height < 250);
  assert.equal(await box.getAttribute("dir"), "ltr");
  assert.equal(await page.locator("#theirs").count(), 0);
  assert.deepEqual(faults, []);
  await close();
});

test("a secret is renewed, and a webhook deleted, after a dialog has said what happens", async () => {
  const shop = await openShop(server, 0);
  const { id, secret } = await addEndpoint(shop.key, "/ok");
  const { page, close, t } = await openConsole(browser, server, shop.key, { hash: `#/webhooks/${id}` });
  await button(page, t.webhooks.rotate).click();
  await dialog(page).getByText(t.webhooks.rotateText).waitFor();
  await button(dialog(page), t.webhooks.rotateSubmit).click();
  const renewed = await page.locator(".shown-key code").innerText();
  assert.match(renewed, /^whsec_/);
  assert.notEqual(renewed, secret);
  await button(page, t.webhooks.shownDone).click();
  await button(page, t.webhooks.delete).click();
  assert.ok((await read(dialog(page))).includes(`${receiver.url("/ok")} gets nothing more`));
  await button(dialog(page), t.webhooks.deleteSubmit).click();
  await page.getByRole("heading", { name: t.webhooks.none }).waitFor();
  assert.deepEqual(await get(shop.key, "/webhook"), []);
  await close();
});

test("an address that is not allowed is refused in the person's language", async () => {
  const shop = await openShop(server, 0);
  const options = { language: "fa", hash: "#/webhooks" };
  const { page, close, t } = await openConsole(browser, server, shop.key, options);
  await button(page, t.webhooks.create).click();
  await field(page, t.webhooks.address).fill("https://10.0.0.1/peyk");
  await button(page, t.webhooks.createSubmit).click();
  await page.getByRole("link", { name: t.state.help }).waitFor();
  assert.deepEqual(await get(shop.key, "/webhook"), []);
  await close();
});

test("a key that may not read messages is offered no events of them", async () => {
  const shop = await openShop(server, 0);
  const { key } = await issueKey(server, shop.id, { scopes: ["webhook", "verify"] });
  const { page, close, t } = await openConsole(browser, server, key, { hash: "#/webhooks" });
  await button(page, t.webhooks.create).click();
  await page.getByText(t.eventTypes["verify.status"]).waitFor();
  assert.equal(await page.getByText(t.eventTypes["message.status"]).count(), 0);
  await close();
});
