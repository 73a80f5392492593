// What operators see of the usage, the audit log, the reconciliation and erasures, held against what the API says.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { button, dialog, field, goTo, openConsole, read } from "../support/console-browser.mjs";
import { list, testViews } from "../support/console-views.mjs";
import { sharedServer, until } from "../support/server.mjs";
import { admin, openShop, send, whenDone } from "../support/shop.mjs";
import { launch } from "../support/site-browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

let shop;
const today = () => new Date().toISOString().slice(0, 10);
const server = sharedServer(async (server) => {
  shop = await openShop(server, 1_000_000);
  const numbers = ["09121234567", "09121234568", "09121234903"];
  const sent = await send(server, shop.key, numbers, { message: "hello" });
  await whenDone(server, shop.key, sent.json.data.uid);
  await changed("AdminChangeAccount");
  const usage = `/admin/usage?account=${shop.id}`;
  await until(async () => (await get(usage))[0]?.delivered === 2, { what: "the usage" });
});

/** What the API answers to an operator. */
const get = async (path) => (await admin(server, "GET", path)).json.data;

/** The newest entry of the log about the shop by a route. */
const changed = (operation) =>
  until(async () => (await get(`/admin/audit?account=${shop.id}&operation=${operation}`))[0], { what: operation });

const open = (options) => openConsole(browser, server, server.adminKey, options);

const views = [
  {
    name: "usage",
    hash: "#/usage",
    title: (_, o) => o.pages.usage,
    ready: async (page) => {
      await page.locator(".charts").waitFor();
      await list(page).waitFor();
    },
  },
  {
    name: "usage by account",
    hash: "#/usage?by=account",
    title: (_, o) => o.pages.usage,
    ready: (page) => list(page).getByRole("link").first().waitFor(),
  },
  {
    name: "no usage",
    hash: "#/usage?from=2026-01-01&to=2026-01-02",
    title: (_, o) => o.pages.usage,
    ready: (page, _, o) => page.getByRole("heading", { name: o.usage.none }).waitFor(),
  },
  {
    name: "audit",
    hash: "#/audit",
    title: (_, o) => o.pages.audit,
    ready: (page) => page.locator(".entry").first().waitFor(),
  },
  {
    name: "no audit",
    hash: "#/audit?thingId=nothing",
    title: (_, o) => o.pages.audit,
    ready: (page, _, o) => page.getByRole("heading", { name: o.audit.none }).waitFor(),
  },
  {
    name: "reconciliation",
    hash: "#/reconciliation",
    title: (_, o) => o.pages.reconciliation,
    ready: (page) => list(page).waitFor(),
  },
  {
    name: "erasures",
    hash: "#/erasures",
    title: (_, o) => o.pages.erasures,
    ready: async (page, _, o) => {
      await field(page, o.erasures.number).fill("09121234567");
      await button(page, o.erasures.open).click();
      await dialog(page).waitFor();
    },
  },
];

testViews(() => ({ browser, server, key: server.adminKey }), views);

test("the usage is shown by account, and from there by day, as the API sums it", async () => {
  const { page, faults, close, o, t } = await open({ hash: "#/usage" });
  await page.getByRole("button", { name: o.usage.by }).click();
  await page.getByRole("option", { name: o.usage.bys.account, exact: true }).click();
  await page.waitForURL(/by=account/);
  const { username } = await get(`/admin/accounts/${shop.id}`);
  await list(page).getByRole("link", { name: username }).click();
  await page.waitForURL(new RegExp(`account=${shop.id}`));
  const row = list(page).locator("tbody tr");
  await row.filter({ hasText: String(new Date().getUTCFullYear()) }).waitFor();
  const [sum] = await get(`/admin/usage?account=${shop.id}`);
  const cells = (await row.locator("td").allInnerTexts()).slice(1, 7);
  const ended = sum.delivered + sum.undelivered + sum.rejected + sum.expired;
  const rate = new Intl.NumberFormat("en-GB", { style: "percent", maximumFractionDigits: 1 }).format(
    sum.delivered / ended,
  );
  assert.deepEqual(cells, [
    ...[sum.messages, sum.recipients, sum.parts, sum.delivered, ended - sum.delivered].map(String),
    rate,
  ]);
  await button(page, t.form.clear).click();
  await page.waitForURL(/#\/usage$/);
  assert.deepEqual(faults, []);
  await close();
});

test("a range that is none says why, and what to do", async () => {
  const { page, close, o } = await open();
  await goTo(page, `#/usage?from=${today()}&to=2026-01-01`, o.pages.usage);
  const { json } = await admin(server, "GET", `/admin/usage?from=${today()}&to=2026-01-01`);
  await page.getByRole("alert").getByText(json.errors[0].detail.replaceAll("`", "")).waitFor();
  await close();
});

test("the log shows who has changed what, with each value before and after", async () => {
  await admin(server, "PATCH", `/admin/accounts/${shop.id}`, { fullName: "Saffron", dailySpend: 5_000_000 });
  // Its parts come from the directory and from the account's object, each by itself.
  const isWhole = ({ fullName, dailySpend }) => fullName === "Saffron" && dailySpend === 5_000_000;
  await until(async () => isWhole((await changed("AdminChangeAccount")).after), { what: "the change" });
  const { page, faults, close, o } = await open({ hash: `#/audit?account=${shop.id}` });
  await page.getByRole("button", { name: o.audit.thing }).click();
  await page.getByRole("option", { name: o.audit.kinds.account, exact: true }).click();
  await page.waitForURL(/thing=account/);
  const entry = page.locator(".entry").filter({ hasText: "Saffron" }).first();
  const values = entry.getByRole("row");
  assert.deepEqual(await values.filter({ hasText: "fullName" }).locator("td").allInnerTexts(), [
    "fullName",
    "A Shop",
    "Saffron",
  ]);
  assert.equal(await values.count(), 3);
  assert.match(await read(entry), new RegExp(o.audit.acts.changed));
  await entry.getByRole("link", { name: /^Operator/ }).click();
  await page.waitForURL(/#\/audit\?key=/);
  await page.locator(".entry").first().waitFor();
  assert.deepEqual(faults, []);
  await close();
});

test("accounts are checked, and what agrees is said so", async () => {
  const { page, faults, close, o } = await open({ hash: "#/reconciliation" });
  await field(page, o.reconciliation.account).fill(shop.id);
  await page.keyboard.press("Enter");
  await page.waitForURL(/account=/);
  await page.waitForFunction(() => document.querySelectorAll("#content tbody tr").length === 1);
  await list(page).getByText(o.reconciliation.agrees).waitFor();
  const [found] = await get(`/admin/reconciliation?account=${shop.id}`);
  assert.deepEqual(found.now.differences, []);
  await button(page, o.reconciliation.again).click();
  await button(page, o.reconciliation.again).waitFor();
  assert.deepEqual(faults, []);
  await close();
});

test("a number is erased from all accounts after a look, and what is no number says so", async () => {
  const { page, close, o } = await open({ hash: "#/erasures" });
  await field(page, o.erasures.number).fill("0912");
  await button(page, o.erasures.open).click();
  await button(dialog(page), o.erasures.submit).click();
  await dialog(page).getByRole("alert").waitFor();
  await page.keyboard.press("Escape");
  await field(page, o.erasures.number).fill("۰۹۳۵۱۲۳۴۵۸۸");
  await button(page, o.erasures.open).click();
  await button(dialog(page), o.erasures.submit).click();
  await list(page).getByText("…88").waitFor();
  assert.equal((await get("/admin/erasures"))[0].numberEnding, "88");
  await close();
});
