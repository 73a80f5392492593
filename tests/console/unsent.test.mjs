// What has not left, as an account sees it on its overview, and operators before they hold or cancel, held against what the API says.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { button, dialog, openConsole, read } from "../support/console-browser.mjs";
import { testViews } from "../support/console-views.mjs";
import { listen } from "../support/receiver.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { admin, openShop, send, tomorrow, walletOf } from "../support/shop.mjs";
import { launch } from "../support/site-browser.mjs";

let browser;
let receiver;
before(async () => {
  browser = await launch();
  receiver = await listen(() => 500);
});
after(async () => {
  await browser?.close();
  await receiver?.close();
});

let shop;
const server = sharedServer(
  async (server) => {
    shop = await openShop(server, 1_000_000);
    await waitOnHold(server, shop);
    await failOnce(server, shop);
  },
  () => ({ WEBHOOK_RETRY_SECONDS: "600,600" }),
);

/** Has two recipients wait in a hold, and three for their time. */
async function waitOnHold(server, { id, key }) {
  const held = await admin(server, "PATCH", `/admin/accounts/${id}`, { hold: true });
  assert.equal(held.status, 200, held.text);
  const orders = [
    [["09121234567", "09121234568"], {}],
    [["09121234561", "09121234562", "09121234563"], { sendAt: tomorrow() }],
  ];
  for (const [numbers, more] of orders) {
    const sent = await send(server, key, numbers, more);
    assert.equal(sent.status, 201, sent.text);
  }
}

/** Makes an endpoint of which the last try has failed. */
async function failOnce(server, { key }) {
  const body = { url: receiver.url("/bad"), events: ["message.status"] };
  const { json } = await api(server, "POST", "/webhook", { key, body });
  const path = `/webhook/${json.data.id}`;
  await api(server, "POST", `${path}/test`, { key });
  return until(async () => (await api(server, "GET", path, { key })).json.data.failingSince, { what: "a failed try" });
}

const unsentOf = async ({ key }) => (await api(server, "GET", "/account/unsent", { key })).json.data;
const warning = (page, text) => page.locator(".warnings li", { hasText: text });
const numbers = (page) => dialog(page).locator(".facts dd").allInnerTexts();

testViews(
  () => ({ browser, server, key: shop.key }),
  [
    {
      name: "overview with warnings",
      hash: "#/",
      title: (t) => t.overview.title,
      ready: (page) => warning(page, "127.0.0.1").waitFor(),
    },
  ],
);

/** A dialog of the account's page, with its numbers. */
const dialogView = (name, press) => ({
  name,
  hash: () => `#/accounts/${shop.id}`,
  title: () => "A Shop",
  ready: async (page, _, o) => {
    await page.locator(".tiles").waitFor();
    await button(page, press(o)).click();
    await dialog(page).locator(".facts").waitFor();
  },
});

testViews(
  () => ({ browser, server, key: server.adminKey }),
  [
    dialogView("the end of a hold", (o) => o.switches.turnOn.hold),
    dialogView("the canceling of all", (o) => o.cancelAll.open),
  ],
);

test("the overview warns of a hold and of a webhook that fails, and leads to it", async () => {
  const { page, faults, close, t } = await openConsole(browser, server, shop.key);
  await warning(page, t.overview.hold("2")).waitFor();
  await warning(page, /All tries of the webhook .+\/bad.* have failed since /)
    .getByRole("link", { name: t.overview.toWebhook })
    .click();
  await page.locator(".trouble", { hasText: /^All tries have failed since / }).waitFor();
  assert.deepEqual(faults, []);
  await close();
});

/** Has the sandbox take nothing, and sends until something has waited too long. Returns what waits then. */
async function stop(account) {
  await admin(server, "PATCH", "/admin/carriers/sandbox", { paused: true });
  await until(
    async () => {
      const unsent = await unsentOf(account);
      // What is sent before the service has heard of the pause still leaves.
      if (unsent.recipients === 0) await send(server, account.key, ["09121234567", "09121234568"]);
      return unsent.lines.length > 0;
    },
    { what: "a line that waits" },
  );
  return unsentOf(account);
}

for (const language of ["en", "fa"])
  test(`the overview warns of a line that waits while its carrier takes nothing, and no longer, in ${language}`, async () => {
    const other = await openShop(server, 100_000);
    const { page, faults, close, t } = await openConsole(browser, server, other.key, { language });
    const unsent = await stop(other);
    const [late, ...more] = unsent.lines;
    assert.deepEqual([late.line, late.recipients, more], [server.line, unsent.recipients, []]);
    const digits = (value) => (language === "fa" ? Number(value).toLocaleString("fa", { useGrouping: false }) : value);
    const begin = t.overview.late(digits(server.line), digits(String(late.recipients)), "\n").split("\n")[0];
    const item = page.locator(".warnings li");
    await item.waitFor();
    assert.ok((await read(item)).startsWith(begin), begin);
    await admin(server, "PATCH", "/admin/carriers/sandbox", { paused: false });
    await page.locator(".warnings").waitFor({ state: "detached" });
    assert.deepEqual((await unsentOf(other)).lines, []);
    assert.deepEqual(faults, []);
    await close();
  });

test("a hold and a cancel say in numbers what they do, and it is so", async () => {
  const other = await openShop(server, 100_000);
  await waitOnHold(server, other);
  const { page, faults, close, o } = await openConsole(browser, server, server.adminKey, {
    hash: `#/accounts/${other.id}`,
  });
  const tile = page.locator(".tiles .card", { hasText: o.unsent.title });
  await tile.getByText(o.unsent.parts("3", "0")).waitFor();
  assert.equal(await tile.locator("strong").innerText(), "5");
  await button(page, o.switches.turnOn.hold).click();
  await dialog(page).locator(".facts").waitFor();
  assert.deepEqual(await numbers(page), ["5 recipients", "3", "0"]);
  await page.keyboard.press("Escape");

  await send(server, other.key, ["09121234564"], { sendAt: tomorrow() });
  await button(page, o.cancelAll.open).click();
  await dialog(page).locator(".facts", { hasText: "6 recipients" }).waitFor();
  assert.deepEqual(await numbers(page), ["6 recipients", "4", "0"]);
  await dialog(page)
    .getByText(/IRR 6,000 at most/)
    .waitFor();
  const { lockedBalance } = await walletOf(server, other.key);
  assert.equal(lockedBalance, 6_000);
  const answered = page.waitForResponse(/\/cancel$/);
  await button(dialog(page), o.cancelAll.submit).click();
  const { data } = await (await answered).json();
  assert.deepEqual([data.canceled, data.withCarriers, data.complete], [6, 0, true]);
  await dialog(page).getByText("Canceled: 6 recipients").waitFor();
  const { availableBalance, lockedBalance: left } = await walletOf(server, other.key);
  assert.deepEqual([availableBalance, left], [100_000, 0]);
  await button(dialog(page), o.form.ok).click();
  await tile.getByText("0", { exact: true }).waitFor();
  assert.deepEqual(faults, []);
  await close();
});

test("a dialog says that its numbers are on the way, and why they do not come, and may be used all the same", async () => {
  const other = await openShop(server, 0);
  const problem = { type: `${server.baseUrl}/problems/conflict`, title: "Conflict", status: 409, detail: "Not now." };
  const answer = { status: 409, contentType: "application/problem+json", body: JSON.stringify(problem) };
  const { page, close, t, o } = await openConsole(browser, server, server.adminKey);
  const asked = Promise.withResolvers();
  await page.route("**/unsent", async (route) => {
    await asked.promise;
    await route.fulfill(answer);
  });
  await page.goto(`/console#/accounts/${other.id}`);
  await button(page, o.switches.turnOff.hold).click();
  await dialog(page).getByText(t.state.loading).waitFor();
  asked.resolve();
  await dialog(page).getByRole("alert").getByText("Not now.").waitFor();
  await page.locator(".tiles").getByText(o.unsent.unknown).waitFor({ state: "attached" });
  await page.unroute("**/unsent");
  await button(dialog(page), t.state.again).click();
  await dialog(page).locator(".facts").waitFor();
  await button(dialog(page), o.switches.turnOff.hold).click();
  await dialog(page).waitFor({ state: "detached" });
  assert.equal((await unsentOf(other)).hold, true);
  await close();
});
