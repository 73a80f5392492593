// What operators see and do of accounts, plans, patterns, credits and keys, held against what the API says afterwards.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { makeFormat } from "../../console/src/format/format.ts";
import { button, dialog, field, goTo, openConsole, read, signIn } from "../support/console-browser.mjs";
import { list, testViews } from "../support/console-views.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { admin, openShop, send, tomorrow } from "../support/shop.mjs";
import { launch, overflow } from "../support/site-browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

let shop;
const vars = () => ({ CREDIT_APPROVAL_ABOVE: "1000000", PATTERN_APPROVAL: "true" });
const server = sharedServer(async (server) => {
  shop = await openShop(server, 1_000_000);
  await credit(server.adminKey, shop.id, 5_000_000);
  await pendingPattern(shop.key, "login");
}, vars);

/** What the API answers to an operator. */
const get = async (path) => (await admin(server, "GET", path)).json.data;

const credit = (key, id, amount) =>
  api(server, "POST", `/admin/accounts/${id}/credit`, { key, body: { amount, note: "invoice 12" } });

async function pendingPattern(key, slug) {
  const body = {
    slug,
    title: "Login codes",
    text: "Your code is %OTP%.",
    variables: [{ name: "OTP", type: "NUMBER" }],
  };
  const made = await api(server, "POST", "/pattern", { key, body });
  assert.equal(made.status, 201, made.text);
}

/** A key of an operator with these scopes. */
async function operator(scopes) {
  const made = await admin(server, "POST", "/admin/keys", { title: "Reza", scopes });
  assert.equal(made.status, 201, made.text);
  return made.json.data.key;
}

const open = (options) => openConsole(browser, server, server.adminKey, options);

/** Chooses from a list of choices. */
async function choose(page, label, choice) {
  await page.getByRole("button", { name: label }).click();
  await page.getByRole("option", { name: choice, exact: true }).click();
}

const views = [
  { name: "accounts", hash: "#/accounts", title: (_, o) => o.pages.accounts, ready: (page) => list(page).waitFor() },
  {
    name: "no accounts",
    hash: "#/accounts?q=nobody",
    title: (_, o) => o.pages.accounts,
    ready: (page, _, o) => page.getByRole("heading", { name: o.accounts.noneFound }).waitFor(),
  },
  {
    name: "a new account",
    hash: "#/accounts",
    title: (_, o) => o.pages.accounts,
    ready: async (page, _, o) => {
      await button(page, o.accounts.create).click();
      await button(page, o.accounts.createSubmit).click();
      await page.getByText(o.form.missing).first().waitFor();
    },
  },
  {
    name: "account",
    hash: () => `#/accounts/${shop.id}`,
    title: () => "A Shop",
    ready: async (page, _, o) => {
      await page.locator(".inline li").first().waitFor();
      await button(page, o.credit.open).click();
      await field(page, o.credit.amount).waitFor();
    },
  },
  {
    name: "the hold of an account",
    hash: () => `#/accounts/${shop.id}`,
    title: () => "A Shop",
    ready: async (page, _, o) => {
      await button(page, o.switches.turnOff.hold).click();
      await dialog(page).waitFor();
    },
  },
  {
    name: "settings of an account",
    hash: () => `#/accounts/${shop.id}/settings`,
    title: () => "A Shop",
    ready: async (page, _, o) => {
      await field(page, o.lowBalance.threshold).waitFor();
      await button(page, o.restore.open).click();
      await page.getByText(o.restore.noTime).waitFor();
    },
  },
  {
    name: "keys of an account",
    hash: () => `#/accounts/${shop.id}/keys`,
    title: () => "A Shop",
    ready: async (page, t, o) => {
      await list(page).waitFor();
      await button(page, t.keys.issue).click();
      await page.getByText(o.caps.title).click();
      await field(page, o.caps.ips).waitFor();
    },
  },
  { name: "plans", hash: "#/plans", title: (_, o) => o.pages.plans, ready: (page) => list(page).waitFor() },
  {
    name: "plan",
    hash: "#/plans/demo",
    title: () => "Demo",
    ready: async (page, _, o) => {
      await button(page, o.plans.addPrice).click();
      await field(page, o.plans.prefix).waitFor();
    },
  },
  {
    name: "patterns to approve",
    hash: "#/patterns",
    title: (_, o) => o.pages.patterns,
    ready: async (page, _, o) => {
      await list(page).waitFor();
      await button(page, o.patterns.approve).first().click();
      await dialog(page).waitFor();
    },
  },
  {
    name: "credits to approve",
    hash: "#/credits",
    title: (_, o) => o.pages.credits,
    ready: async (page, _, o) => {
      await list(page).waitFor();
      await button(page, o.credits.approve).first().click();
      await dialog(page).waitFor();
    },
  },
  {
    name: "no credits",
    hash: "#/credits?status=REJECTED",
    title: (_, o) => o.pages.credits,
    ready: (page, _, o) => page.getByRole("heading", { name: o.credits.noneFound }).waitFor(),
  },
  {
    name: "operators' keys",
    hash: "#/keys",
    title: (_, o) => o.pages.keys,
    ready: async (page, t) => {
      await list(page).waitFor();
      await button(page, t.keys.issue).click();
      await button(page, t.keys.issueSubmit).waitFor();
    },
  },
  {
    name: "settings",
    hash: "#/settings",
    title: (t) => t.settings.title,
    ready: (page) => page.locator(".radios").first().waitFor(),
  },
];

testViews(() => ({ browser, server, key: server.adminKey }), views);

test("an operator has pages of their own, and a customer's session after it has those of customers", async () => {
  const { page, faults, close, t, o } = await open();
  const navigation = page.getByRole("navigation", { name: t.app.pages });
  await navigation.getByRole("link", { name: o.pages.accounts }).waitFor();
  assert.equal(await navigation.getByRole("link", { name: t.compose.title, exact: true }).count(), 0);
  assert.deepEqual(faults, []);
  await page.locator(".who .sign-out").click();
  await signIn(page, shop.key);
  await navigation.getByRole("link", { name: t.compose.title, exact: true }).waitFor();
  assert.equal(await navigation.getByRole("link", { name: o.pages.accounts }).count(), 0);
  await close();
});

test("a key that may not read says what it lacks, and does what it may", async () => {
  const key = await operator(["admin:accounts"]);
  const { page, faults, close, t, o } = await openConsole(browser, server, key, { hash: "#/accounts" });
  await page.getByText(t.state.needs("admin:read")).waitFor();
  await button(page, o.accounts.create).waitFor();
  await goTo(page, "#/keys", o.pages.keys);
  assert.equal(await button(page, t.keys.issue).count(), 0);
  assert.deepEqual(faults, []);
  await close();
});

test("an account is created, found, and changed in what was typed alone", async () => {
  const { page, faults, close, o } = await open({ hash: "#/accounts" });
  await button(page, o.accounts.create).click();
  await field(page, o.accounts.fullName).fill("Saffron Shop");
  await field(page, o.accounts.username).fill("demo");
  await button(page, o.accounts.createSubmit).click();
  await page.getByRole("alert").waitFor();
  faults.length = 0;
  await field(page, o.accounts.username).fill("saffron");
  await choose(page, o.account.plan, "Demo");
  await button(page, o.accounts.createSubmit).click();
  await page.locator("h1", { hasText: "Saffron Shop" }).waitFor();
  const [, id] = /accounts\/([^/]+)$/.exec(page.url());

  await page.locator(".tabs").getByRole("link", { name: o.account.settings }).click();
  await field(page, o.accounts.fullName).fill("Saffron & Sons");
  await field(page, o.account.dailySpend).fill("۵٬۰۰۰٬۰۰۰");
  await field(page, o.account.destinations).fill("98, 971");
  await choose(page, o.account.defaultLine, server.line);
  const limit = page.getByRole("group", { name: o.account.recipientLimit });
  await limit.getByLabel(o.account.limitParts.limit).fill("5");
  const meanwhile = { limit: 7, windowSeconds: 60, burst: 7 };
  await admin(server, "PATCH", `/admin/accounts/${id}`, { testRateLimit: meanwhile });
  await page.locator("form", { hasText: o.account.plan }).getByRole("button", { name: o.form.save }).click();
  await page.getByText(o.form.saved).waitFor();
  const changed = await get(`/admin/accounts/${id}`);
  assert.deepEqual(
    [changed.fullName, changed.dailySpend, changed.destinations, changed.defaultLine, changed.recipientLimit.limit],
    ["Saffron & Sons", 5_000_000, ["98", "971"], server.line, 5],
  );
  assert.deepEqual(changed.testRateLimit, meanwhile);

  await field(page, o.account.dailySpend).fill("much");
  await page.locator("form", { hasText: o.account.plan }).getByRole("button", { name: o.form.save }).click();
  await page.getByRole("alert").first().waitFor();
  assert.equal((await get(`/admin/accounts/${id}`)).dailySpend, 5_000_000);

  await goTo(page, "#/accounts", o.pages.accounts);
  await field(page, o.accounts.search).fill("SAFF");
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=SAFF/);
  await list(page).getByRole("link", { name: "Saffron & Sons" }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll("#content tbody tr").length === 1);
  await close();
});

test("credit is added after a look, and a large one waits for another operator, who approves it", async () => {
  const customer = await openShop(server, 0);
  const reza = await operator(["admin:read", "admin:money"]);
  const { page, close, t, o } = await openConsole(browser, server, reza, { hash: `#/accounts/${customer.id}` });
  await button(page, o.credit.open).click();
  await field(page, o.credit.amount).fill("0");
  await button(page, o.credit.look).click();
  await page.getByText(o.credit.noAmount).waitFor();
  await field(page, o.credit.amount).fill("250,000");
  await field(page, o.credit.note).fill("invoice 7");
  await button(page, o.credit.look).click();
  assert.match(await read(dialog(page)), /from IRR 0 to IRR 250,000/);
  await dialog(page)
    .getByRole("button", { name: /Add .*250,000/ })
    .click();
  await page.locator(".note", { hasText: "250,000" }).waitFor();
  const balance = async () => (await get(`/admin/accounts/${customer.id}`)).wallet.availableBalance;
  assert.equal(await balance(), 250_000);
  await page.locator(".tiles", { hasText: "250,000" }).waitFor();

  await button(page, o.form.ok).click();
  await button(page, o.credit.open).click();
  await field(page, o.credit.amount).fill("2000000");
  await button(page, o.credit.look).click();
  await dialog(page).getByRole("button", { name: /^Add/ }).click();
  await page.getByText(/wait for another operator/).waitFor();
  assert.equal(await balance(), 250_000);
  await page.getByRole("link", { name: o.pages.credits }).last().click();
  const row = page.getByRole("row", { name: /2,000,000/ });
  await row.getByRole("button", { name: o.credits.approve }).click();
  await dialog(page).getByRole("button", { name: o.credits.approve }).click();
  await dialog(page).getByRole("alert").waitFor();
  assert.equal(await balance(), 250_000);
  await close();

  const other = await open({ hash: "#/credits" });
  await other.page
    .getByRole("row", { name: /2,000,000/ })
    .getByRole("button", { name: o.credits.approve })
    .click();
  await dialog(other.page)
    .getByText(/from .*250,000.* to .*2,250,000/)
    .waitFor();
  await dialog(other.page).getByRole("button", { name: o.credits.approve }).click();
  await dialog(other.page).waitFor({ state: "detached" });
  assert.equal(await balance(), 2_250_000);
  assert.deepEqual(other.faults, []);
  await choose(other.page, t.messages.status, o.credits.statuses.APPROVED);
  await other.page.getByRole("row", { name: /2,000,000/ }).waitFor();
  await other.close();
});

test("an account is put on hold and let go, and all of it is canceled, in numbers", async () => {
  const customer = await openShop(server, 100_000);
  const { page, faults, close, o } = await open({ hash: `#/accounts/${customer.id}` });
  await button(page, o.switches.turnOff.hold).click();
  await button(dialog(page), o.switches.turnOff.hold).click();
  await dialog(page).waitFor({ state: "detached" });
  await page.locator(".heading", { hasText: o.accounts.onHold }).waitFor();
  assert.equal((await get(`/admin/accounts/${customer.id}`)).hold, true);

  const numbers = ["09121234567", "09121234568", "09121234569"];
  const sent = await send(server, customer.key, numbers, { sendAt: tomorrow() });
  assert.equal(sent.status, 201, sent.text);
  await page.reload();
  await button(page, o.cancelAll.open).click();
  assert.match(await read(dialog(page)), /3,000/);
  await button(dialog(page), o.cancelAll.submit).click();
  await dialog(page).getByText("Canceled: 3 recipients").waitFor();
  await button(dialog(page), o.form.ok).click();
  await button(page, o.switches.turnOn.hold).click();
  await button(dialog(page), o.switches.turnOn.hold).click();
  await dialog(page).waitFor({ state: "detached" });
  const after = await get(`/admin/accounts/${customer.id}`);
  assert.deepEqual([after.hold, after.wallet.availableBalance, after.wallet.lockedBalance], [false, 100_000, 0]);
  assert.deepEqual(faults, []);
  await close();
});

test("an account is renamed, and closed for good by who types its name", async () => {
  const customer = await openShop(server, 3_000);
  const { page, faults, close, t, o } = await open({ hash: `#/accounts/${customer.id}/settings` });
  const name = field(page, o.accounts.fullName);
  await name.fill("An Old Shop");
  await button(page, o.form.save).first().click();
  await page.getByText(o.form.saved).first().waitFor();
  await page.locator(".heading", { hasText: "An Old Shop" }).waitFor();

  const closeIt = async (typed) => {
    await button(page, o.closing.open).click();
    await field(dialog(page), o.closing.name("An Old Shop")).fill(typed);
    await button(dialog(page), o.closing.submit).click();
  };
  await closeIt("A Shop");
  await dialog(page).getByText(o.closing.wrongName).waitFor();
  assert.equal((await get(`/admin/accounts/${customer.id}`)).closedAt, null);
  await button(dialog(page), t.form.cancel).click();
  await closeIt("An Old Shop");
  await dialog(page).getByText("IRR 3,000").waitFor();
  // Chromium tells of the refusal.
  assert.match(faults.splice(0).join(), /^console: Failed to load resource: .* 409 \(Conflict\)$/);
  await button(dialog(page), t.form.cancel).click();

  await credit(server.adminKey, customer.id, -3_000);
  await closeIt("An Old Shop");
  await dialog(page).waitFor({ state: "detached" });
  await page.locator(".heading", { hasText: o.closing.badge }).waitFor();
  const closed = await get(`/admin/accounts/${customer.id}`);
  assert.deepEqual([closed.fullName, typeof closed.closedAt], ["An Old Shop", "string"]);
  assert.equal((await api(server, "GET", "/account/info", { key: customer.key })).status, 401);
  await goTo(page, `#/accounts/${customer.id}`, "An Old Shop");
  await page.locator(".tiles").waitFor();
  for (const text of [o.credit.open, o.switches.turnOff.hold, o.cancelAll.open])
    assert.equal(await button(page, text).count(), 0);
  assert.deepEqual(faults, []);
  await close();
});

for (const language of ["en", "fa"])
  test(`what is left of an account that can't be closed is told with the pages where it ends, in ${language}`, async () => {
    const customer = await openShop(server, 3_000);
    const sent = await send(server, customer.key, ["09121234567"], { sendAt: tomorrow() });
    assert.equal(sent.status, 201, sent.text);
    const { page, close, t, o } = await open({ hash: `#/accounts/${customer.id}/settings`, language });
    await button(page, o.closing.open).click();
    await field(dialog(page), o.closing.name("A Shop")).fill("A Shop");
    await button(dialog(page), o.closing.submit).click();
    const told = dialog(page).getByRole("alert");
    await told.getByText(o.closing.notYet).waitFor();
    const format = makeFormat(language, "gregory");
    const text = await read(told);
    const underWay = o.closing.isOpen(format.number(1), format.money(1_000, "IRR"));
    for (const part of [o.closing.hasMoney(format.money(2_000, "IRR")), underWay]) assert.ok(text.includes(part), text);
    assert.doesNotMatch(text, /POST|\/admin/);
    await told.getByRole("link", { name: t.messages.title }).click();
    await page.waitForURL(`**#/accounts/${customer.id}/messages`);
    await dialog(page).waitFor({ state: "detached" });
    await close();
  });

test("an operator finds a customer's message, its ledger and its webhooks on the account's page", async () => {
  const customer = await openShop(server, 10_000);
  const sent = await send(server, customer.key, ["09121234567"]);
  const { uid } = sent.json.data;
  const body = { url: "https://shop.example/peyk", events: ["message.status"] };
  assert.equal((await api(server, "POST", "/webhook", { key: customer.key, body })).status, 201);
  const { page, faults, close, t, o } = await open({ hash: `#/accounts/${customer.id}/messages` });
  await list(page).waitFor();
  await field(page, o.support.uid).fill(uid);
  await field(page, o.support.uid).press("Enter");
  await page.locator(".facts", { hasText: uid }).waitFor();
  await page.getByText(t.message.recipients).first().waitFor();
  await goTo(page, `#/accounts/${customer.id}/ledger`, "A Shop");
  await list(page).getByText(t.entries.CREDIT).waitFor();
  await goTo(page, `#/accounts/${customer.id}/webhooks`, "A Shop");
  await page.getByText("https://shop.example/peyk").click();
  await page.getByText(t.webhooks.noDeliveries).waitFor();
  const [entry] = (await admin(server, "GET", `/admin/audit?account=${customer.id}&operation=AdminGetMessage`)).json
    .data;
  assert.equal(entry.thing.id, uid);
  assert.deepEqual(faults, []);
  await close();
});

test("a key is issued for an account, shown once, replaced, and revoked with what it has made", async () => {
  const customer = await openShop(server, 0);
  const { page, close, t, o } = await open({ hash: `#/accounts/${customer.id}/keys` });
  await button(page, t.keys.issue).click();
  await field(page, t.keys.name).fill("shop's server");
  await page.getByText(t.scopes.keys).click();
  await page.getByText(o.caps.title).click();
  await field(page, o.caps.ips).fill("not an address");
  await button(page, t.keys.issueSubmit).click();
  await page.getByRole("alert").waitFor();
  await field(page, o.caps.ips).fill("");
  await button(page, t.keys.issueSubmit).click();
  const key = await page.locator(".shown-key code").innerText();
  const info = await api(server, "GET", "/account/info", { key });
  assert.equal(info.status, 200, info.text);
  const made = await api(server, "POST", "/keys", { key, body: { title: "its child", scopes: ["sms:read"] } });
  assert.equal(made.status, 201, made.text);
  await button(page, t.keys.shownDone).click();
  assert.ok(!(await page.content()).includes(key));

  await button(page, o.keys.rotateOf("shop's server")).click();
  await button(dialog(page), o.keys.rotateSubmit).click();
  await page.locator(".shown-key code").waitFor();
  const next = await page.locator(".shown-key code").innerText();
  assert.notEqual(next, key);
  await button(page, t.keys.shownDone).click();

  const old = page.getByRole("row").filter({ hasText: t.keys.replaced });
  await old.getByRole("button", { name: t.keys.revoke }).click();
  await dialog(page).getByText(t.keys.cascade).click();
  await button(dialog(page), t.keys.revokeSubmit).click();
  await dialog(page).getByText("its child").waitFor();
  await button(dialog(page), o.form.ok).click();
  const gone = await Promise.all([key, next, made.json.data.key].map((key) => api(server, "GET", "/lines", { key })));
  assert.deepEqual(
    gone.map(({ status }) => status),
    [401, 401, 401],
  );
  await close();
});

test("a plan is made with a price by prefix, and changed after a look", async () => {
  const { page, close, t, o } = await open({ hash: "#/plans" });
  await button(page, o.plans.create).click();
  await field(page, o.plans.title).fill("Shops");
  await field(page, o.plans.slug).fill("shops");
  await page.getByLabel(o.plans.price, { exact: true }).first().fill("۹۰۰");
  await button(page, o.plans.addPrice).click();
  await field(page, o.plans.prefix).fill("+971");
  await page.getByLabel(o.plans.partPrice, { exact: true }).last().fill("24000");
  await page.getByText(t.recipientStatuses.EXPIRED, { exact: true }).click();
  await button(page, o.plans.createSubmit).click();
  await page.locator("h1", { hasText: "Shops" }).waitFor();
  const plan = async () => (await get("/admin/plans?q=shops"))[0];
  assert.deepEqual(await plan(), {
    slug: "shops",
    title: "Shops",
    tariff: { slug: "shops", title: "Shops", price: 900, prices: [{ prefix: "971", price: 24_000 }] },
    refunds: ["EXPIRED"],
  });
  await page.getByLabel(o.plans.price, { exact: true }).first().fill("1000");
  await button(page, o.plans.removeOf("971")).click();
  await button(page, o.plans.look).click();
  assert.match(await read(dialog(page)), /from .*900.* to .*1,000/);
  assert.match(await read(dialog(page)), /1 before, 0 afterwards/);
  await button(dialog(page), o.form.save).click();
  await page.getByText(o.form.saved).waitFor();
  const { tariff } = await plan();
  assert.deepEqual([tariff.price, tariff.prices], [1_000, []]);
  await close();
});

test("a pattern that waits is approved, and is active then", async () => {
  const customer = await openShop(server, 0);
  await pendingPattern(customer.key, "welcome");
  const { page, faults, close, o } = await open({ hash: "#/patterns" });
  const card = page.getByRole("article").filter({ hasText: "welcome" });
  await button(card, o.patterns.approve).click();
  await button(dialog(page), o.patterns.approve).click();
  await card.waitFor({ state: "detached" });
  const { json } = await api(server, "GET", "/pattern/welcome", { key: customer.key });
  assert.equal(json.data.versions[0].status, "ACTIVE");
  assert.deepEqual(faults, []);
  await close();
});

test("a pattern that waits is refused with a reason, which its owner reads", async () => {
  const customer = await openShop(server, 0);
  await pendingPattern(customer.key, "discount");
  const { page, faults, close, o } = await open({ hash: "#/patterns" });
  const card = page.getByRole("article").filter({ hasText: "discount" });
  await button(card, o.patterns.refuse).click();
  await button(dialog(page), o.patterns.refuse).click();
  await dialog(page).getByText(o.patterns.noReason).waitFor();
  await field(dialog(page), o.patterns.reason).fill("نام فروشگاه در متن نیست");
  await button(dialog(page), o.patterns.refuse).click();
  await card.waitFor({ state: "detached" });
  assert.deepEqual(faults, []);
  await close();
  const owner = await openConsole(browser, server, customer.key, { hash: "#/patterns/discount" });
  await owner.page.getByText("نام فروشگاه در متن نیست").waitFor();
  await owner.close();
});

test("an operator's key is issued with some of the permissions, found, and revoked", async () => {
  const { page, faults, close, t, o } = await open({ hash: "#/keys" });
  await button(page, t.keys.issue).click();
  await button(page, t.keys.issueSubmit).click();
  await page.getByText(t.keys.noScopes).waitFor();
  await field(page, o.keys.whose).fill("Mina");
  await page.getByText(o.scopes["admin:read"], { exact: true }).click();
  await button(page, t.keys.issueSubmit).click();
  const key = await page.locator(".shown-key code").innerText();
  await button(page, t.keys.shownDone).click();
  const asMina = (path, method = "GET", body = undefined) => api(server, method, path, { key, body });
  assert.equal((await asMina("/admin/accounts")).status, 200);
  assert.equal((await asMina("/admin/keys", "POST", { title: "more" })).status, 403);

  await field(page, o.findKey.key).fill(shop.key);
  await button(page, o.findKey.submit).click();
  await page.locator(".facts", { hasText: o.findKey.statuses.ACTIVE }).getByRole("link").waitFor();
  assert.equal(await field(page, o.findKey.key).inputValue(), "");

  const mina = await openConsole(browser, server, key, { hash: `#/accounts/${shop.id}` });
  await mina.page.locator(".tiles").waitFor();
  for (const name of [o.credit.open, o.switches.turnOff.hold, o.cancelAll.open])
    assert.equal(await button(mina.page, name).count(), 0);
  assert.deepEqual(faults, []);

  await button(page, t.keys.revokeOf("Mina")).last().click();
  await button(dialog(page), t.keys.revokeSubmit).click();
  await dialog(page).waitFor({ state: "detached" });
  await until(async () => (await asMina("/admin/accounts")).status === 401, { what: "the end of the key" });
  await mina.page.reload();
  await mina.page.locator(".sign-in").waitFor();
  await mina.close();
  await close();
});

test("names as long as the API takes them fit into windows of every width", async () => {
  const customer = await openShop(server, 0);
  const made = await Promise.all([
    admin(server, "POST", "/admin/accounts", { username: "u".repeat(64), fullName: "n".repeat(200) }),
    admin(server, "POST", `/admin/accounts/${customer.id}/keys`, { title: "k".repeat(200), scopes: ["sms:send"] }),
    admin(server, "POST", "/admin/plans", {
      slug: "p".repeat(64),
      title: "t".repeat(200),
      tariff: { slug: "long", title: "long", price: 1 },
    }),
  ]);
  for (const { status, text } of made) assert.equal(status, 201, text);
  const { page, faults, close } = await open();
  const hashes = [
    "#/accounts",
    `#/accounts/${made[0].json.data.id}`,
    `#/accounts/${customer.id}/keys`,
    "#/plans",
    "#/keys",
  ];
  const tooWide = [];
  for (const hash of hashes) {
    await page.goto(`/console${hash}`);
    await page.reload();
    await page.locator("#content .list, #content .facts").first().waitFor();
    for (const width of [375, 720, 768, 1_024, 1_280, 1_920]) {
      await page.setViewportSize({ width, height: 800 });
      const wider = await overflow(page);
      if (wider > 0) tooWide.push(`${hash} at ${width}: ${wider}`);
    }
  }
  assert.deepEqual(tooWide, []);
  assert.deepEqual(faults, []);
  await close();
});

test("a restore asks for a time and a reason, says what it does, and shows why it can't be done", async () => {
  const customer = await openShop(server, 0);
  const { page, close, o } = await open({ hash: `#/accounts/${customer.id}/settings` });
  await button(page, o.restore.open).click();
  await page.getByText(o.restore.noTime).waitFor();
  await field(page, o.restore.time).fill("۱۴:۳۰");
  const day = page.locator("form", { hasText: o.restore.title }).getByRole("spinbutton");
  const [date, month, year] = [new Date().getUTCDate(), new Date().getUTCMonth() + 1, new Date().getUTCFullYear()];
  for (const [at, value] of [date, month, year].entries()) await day.nth(at).pressSequentially(String(value));
  await field(page, o.restore.reason).fill("a script has gone wild");
  await button(page, o.restore.open).click();
  await dialog(page).getByText(/14:30/).waitFor();
  await button(dialog(page), o.restore.submit).click();
  // The runtime on this machine has no history, so the service refuses.
  await dialog(page).getByRole("alert").getByRole("link").waitFor();
  assert.equal((await get(`/admin/accounts/${customer.id}`)).sendingEnabled, true);
  await close();
});

test("a list that fails says so with its help, and is there when it is asked for again", async () => {
  const { page, close, t, o } = await open({ hash: "#/plans" });
  await list(page).waitFor();
  const problem = { type: `${server.baseUrl}/problems/conflict`, title: "Conflict", status: 409, detail: "Not now." };
  const answer = { status: 409, contentType: "application/problem+json", body: JSON.stringify(problem) };
  await page.route("**/admin/accounts*", (route) => route.fulfill(answer));
  await goTo(page, "#/accounts", o.pages.accounts);
  await page.getByRole("alert").getByText("Not now.").waitFor();
  assert.match(await page.getByRole("link", { name: t.state.help }).getAttribute("href"), /problems\/conflict$/);
  await page.unroute("**/admin/accounts*");
  await button(page, t.state.again).click();
  await list(page).waitFor();
  await close();
});

test("credit is given by the keyboard alone", async () => {
  const customer = await openShop(server, 0);
  const { page, faults, close, o } = await open({ hash: `#/accounts/${customer.id}` });
  await button(page, o.credit.open).focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.tagName === "INPUT");
  /** Goes on with the tabulator until an element has the focus. */
  const tabTo = async (locator) => {
    for (let steps = 0; !(await locator.evaluate((element) => element === document.activeElement)); steps += 1) {
      assert.ok(steps < 100, "the keyboard does not get there");
      await page.keyboard.press("Tab");
    }
  };
  await page.keyboard.type("5000");
  await page.keyboard.press("Tab");
  await page.keyboard.type("by keys");
  await page.keyboard.press("Enter");
  await dialog(page).waitFor();
  await tabTo(dialog(page).getByRole("button", { name: /^Add/ }));
  await page.keyboard.press("Enter");
  await page.locator(".note").waitFor();
  assert.equal((await get(`/admin/accounts/${customer.id}`)).wallet.availableBalance, 5_000);
  assert.deepEqual(faults, []);
  await close();
});
