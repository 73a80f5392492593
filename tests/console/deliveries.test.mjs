// A delivery of a webhook as the console shows it, held against what its receiver gets.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { button, goTo, openConsole, read } from "../support/console-browser.mjs";
import { list, testViews } from "../support/console-views.mjs";
import { listen } from "../support/receiver.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { issueKey, openShop, send } from "../support/shop.mjs";
import { launch } from "../support/site-browser.mjs";

let browser;
let receiver;
/** What the receiver answers to a request of this path. */
const answers = { "/ok": 200, "/bad": 500, "/mended": 500 };
before(async () => {
  browser = await launch();
  receiver = await listen(({ path }) => answers[path]);
});
after(async () => {
  await browser?.close();
  await receiver?.close();
});

let shop;
let failed;
const vars = () => ({ WEBHOOK_RETRY_SECONDS: "600,600" });
const server = sharedServer(async (server) => {
  shop = await openShop(server, 100_000);
  failed = await aDelivery(server, "/bad", ({ attempts }) => attempts === 1);
}, vars);

const get = async (server, path) => (await api(server, "GET", path, { key: shop.key })).json.data;

/** Has a message to a new endpoint delivered, until what became of it `isSo`. */
async function aDelivery(server, path, isSo) {
  const body = { url: receiver.url(path), events: ["message.status"] };
  const made = await api(server, "POST", "/webhook", { key: shop.key, body });
  assert.equal(made.status, 201, made.text);
  const { id } = made.json.data;
  const sent = await send(server, shop.key, ["09121234567"], { message: "سفارش شما رسید." });
  assert.equal(sent.status, 201, sent.text);
  const found = await until(async () => (await get(server, `/webhook/${id}/deliveries`)).find(isSo), {
    what: `the delivery to ${path}`,
  });
  return { id, delivery: found.id, hash: `#/webhooks/${id}?delivery=${found.id}` };
}

const requests = (path, id) => receiver.hits.filter((hit) => hit.path === path && hit.event.id === id);
const badge = (page, text) => page.locator(".endpoint .badge", { hasText: text });
const fact = (page, title) =>
  page
    .locator(".facts div")
    .filter({ has: page.getByText(title, { exact: true }) })
    .locator("dd");

const views = [
  {
    name: "delivery",
    hash: () => failed.hash,
    title: (t) => t.webhooks.delivery,
    ready: (page) => page.locator("pre.body").waitFor(),
  },
];

testViews(() => ({ browser, server, key: shop.key }), views);

test("a delivery opens from the list and shows the body that its receiver has got, to the byte", async () => {
  const { id, delivery } = await aDelivery(server, "/ok", ({ status }) => status === "DELIVERED");
  const { page, faults, close, t } = await openConsole(browser, server, shop.key, { hash: `#/webhooks/${id}` });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await list(page).getByRole("link", { name: t.eventTypes["message.status"] }).click();
  await page.locator("#content h1", { hasText: t.webhooks.delivery }).waitFor();
  assert.equal(new URL(page.url()).hash, `#/webhooks/${id}?delivery=${delivery}`);
  await badge(page, t.deliveryStatuses.DELIVERED).waitFor();
  assert.equal(await read(page.locator(".endpoint bdi")), receiver.url("/ok"));
  assert.equal(await fact(page, t.webhooks.status).innerText(), "200");
  const [hit] = requests("/ok", delivery);
  const shown = page.locator("pre.body");
  assert.equal(await shown.innerText(), JSON.stringify(hit.event, null, 2));
  assert.equal(await shown.getAttribute("dir"), "ltr");
  await button(page, t.form.copy).click();
  await page.getByText(t.form.copied, { exact: true }).waitFor();
  assert.equal(await page.evaluate("navigator.clipboard.readText()"), hit.body.toString("utf8"));
  await page.getByRole("link", { name: t.webhooks.backToOne }).click();
  await list(page).waitFor();
  assert.deepEqual(faults, []);
  await close();
});

test("a delivery says in words what was wrong, and arrives when it is sent again", async () => {
  const { delivery, hash } = await aDelivery(server, "/mended", ({ attempts }) => attempts === 1);
  const { page, faults, close, t } = await openConsole(browser, server, shop.key, { hash });
  await badge(page, t.deliveryStatuses.WAITING).waitFor();
  assert.equal(await fact(page, t.webhooks.trouble).innerText(), t.deliveryErrors.STATUS);
  assert.equal(await fact(page, t.webhooks.status).innerText(), "500");
  await fact(page, t.webhooks.nextTryAt).waitFor();
  answers["/mended"] = 200;
  await button(page, t.webhooks.again).click();
  await badge(page, t.deliveryStatuses.DELIVERED).waitFor();
  assert.equal(await fact(page, t.webhooks.tries).innerText(), "2");
  assert.equal(await fact(page, t.webhooks.trouble).count(), 0);
  const [first, second, ...others] = requests("/mended", delivery);
  assert.deepEqual([second.body.toString("utf8"), others], [first.body.toString("utf8"), []]);
  assert.deepEqual(faults, []);
  await close();
});

for (const language of ["en", "fa"])
  test(`a key that may not read messages sees no body of them, and why, in ${language}`, async () => {
    const { key } = await issueKey(server, shop.id, { scopes: ["webhook"] });
    const { page, close, t } = await openConsole(browser, server, key, { language, hash: "#/settings" });
    await goTo(page, failed.hash, t.webhooks.delivery);
    await page.locator(".state", { hasText: "sms:read" }).getByRole("link", { name: t.state.help }).waitFor();
    assert.equal(await button(page, t.state.again).count(), 0);
    assert.equal(await page.locator("pre.body").count(), 0);
    await close();
  });

test("a delivery that is not there says so, and one of a webhook that is off is not sent again", async () => {
  const { page, close, t } = await openConsole(browser, server, shop.key);
  await goTo(page, `#/webhooks/${failed.id}?delivery=evt_0`, t.webhooks.delivery);
  await page.getByRole("heading", { name: t.state.failed }).waitFor();
  await page.getByRole("link", { name: t.webhooks.backToOne }).click();
  await button(page, t.webhooks.turnOff).click();
  await button(page, t.webhooks.turnOn).waitFor();
  await list(page).getByRole("link", { name: t.eventTypes["message.status"] }).last().click();
  await button(page, t.webhooks.again).click();
  await page.getByRole("alert").getByRole("link", { name: t.state.help }).waitFor();
  assert.equal(requests("/bad", failed.delivery).length, 1);
  await close();
});
