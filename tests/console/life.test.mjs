// What people do in the console, by clicks and keys, held against what the API says afterwards.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { numberOf } from "../../console/src/pages/compose/numbers.ts";
import { shopThatWaits } from "../support/carriers.mjs";
import {
  button,
  dialog,
  field,
  goTo,
  heading,
  openConsole,
  read,
  showKeyForm,
  signIn,
} from "../support/console-browser.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { admin, issueKey, message, openShop, send, tomorrow, walletOf, whenDone } from "../support/shop.mjs";
import { launch, openPage } from "../support/site-browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const server = sharedServer();
const get = async (key, path) => (await api(server, "GET", path, { key })).json.data;

test("files are served by the runtime, and what is below /console goes to the worker", async () => {
  const page = await fetch(`${server.baseUrl}/console`);
  assert.equal(page.status, 200);
  const policy = page.headers.get("content-security-policy");
  assert.match(policy, /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';/);
  assert.match(policy, /frame-ancestors 'none'; base-uri 'none'; form-action 'none'$/);
  const [asset] = /\/console\/assets\/[^"]+\.js/.exec(await page.text());
  const script = await fetch(`${server.baseUrl}${asset}`);
  assert.match(script.headers.get("cache-control"), /immutable/);
  const session = await fetch(`${server.baseUrl}/console/session`);
  assert.deepEqual([session.status, session.headers.get("content-type")], [401, "application/problem+json"]);
  assert.equal((await fetch(`${server.baseUrl}/console/nothing`)).status, 404);
});

test("a key that is not good is refused, and a good one is kept nowhere in the browser", async () => {
  const shop = await openShop(server, 0);
  const { page, close } = await openPage(browser, server.baseUrl, { locale: "en-GB" });
  await page.goto("/console");
  await showKeyForm(page);
  await page.locator(".sign-in input").fill("peyk_live_nobody");
  await page.locator(".sign-in [type=submit]").click();
  await page.getByRole("alert").waitFor();
  await signIn(page, shop.key);
  await page.locator("#content h1").waitFor();
  const kept = () =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, document.body.innerHTML]);
  assert.ok(!(await page.evaluate(kept)).includes(shop.key));
  const [cookie] = await page.context().cookies();
  assert.deepEqual([cookie.httpOnly, cookie.sameSite], [true, "Strict"]);
  assert.ok(!cookie.value.includes(shop.key));
  await button(page, "Sign out").click();
  await page.locator(".sign-in").waitFor();
  assert.deepEqual(await page.context().cookies(), []);
  await close();
});

test("a message is composed, looked over, sent once and watched to its end", async () => {
  const shop = await openShop(server, 100_000);
  const { page, faults, close, t } = await openConsole(browser, server, shop.key, { hash: "#/compose" });
  await field(page, t.compose.numbers).fill("0912 123 4567; ۰۹۳۵۱۲۳۴۵۶۷\n+98 (912) 123-4567\n0936123");
  await field(page, t.compose.text).fill("We open at nine.");
  await page.getByText("1 is not a phone number").waitFor();
  await page.reload();
  assert.equal(await field(page, t.compose.text).inputValue(), "We open at nine.");
  await button(page, t.compose.review).click();
  await page.getByText(t.compose.mendFirst).waitFor();
  await field(page, t.compose.badEntry("0936123")).fill("09361234567");
  await field(page, t.compose.text).click();
  await page.locator(".estimate .facts", { hasText: "3,000" }).waitFor();
  await button(page, t.compose.review).click();
  assert.match(await read(dialog(page)), /It goes to 3 recipients at once and costs IRR 3,000\./);
  assert.deepEqual(await get(shop.key, "/messages"), []);
  await button(dialog(page), t.compose.submit("3")).click();
  await heading(page, t.message.title).waitFor();
  await page.getByText(t.message.ended("3", "3")).waitFor();
  const [message, ...others] = await get(shop.key, "/messages");
  assert.deepEqual([message.recipientCount, message.message, others], [3, "We open at nine.", []]);
  await goTo(page, "#/compose", t.compose.title);
  assert.equal(await field(page, t.compose.text).inputValue(), "");
  assert.deepEqual(faults, []);
  await close();
});

test("the console reads phone numbers as the service does", async () => {
  const shop = await openShop(server, 0);
  const { key } = await issueKey(server, shop.id, { mode: "test" });
  const written = [
    ...["09121234567", "9121234568", "989121234569", "+989121234570", "00989121234571", "۰۹۱۲۱۲۳۴۵۷۲", "٠٩١٢١٢٣٤٥٧٣"],
    ...[
      "0912-123-4574",
      "(0912) 123.4575",
      "\u200e+98 912 123 4576",
      "02112345678",
      "0912",
      "091212345678",
      "+98912123456",
    ],
    ...[
      "+9891212345678",
      "98912123456",
      "00",
      "+1234567",
      "abc",
      "0912123456x",
      "00123",
      "9891212345678",
      "0212345678",
    ],
  ];
  const body = { message: "x", recipients: written };
  const refused = await api(server, "POST", "/sms/send", { key, body });
  const bad = refused.json.errors.map(({ pointer }) => Number(pointer.split("/").at(-1)));
  assert.deepEqual(
    written.filter((_, index) => bad.includes(index)),
    written.filter((text) => numberOf(text) === null),
  );
  const good = written.filter((text) => numberOf(text) !== null);
  const sent = await send(server, key, good);
  assert.deepEqual(
    sent.json.data.recipients.map(({ recipient }) => recipient),
    good.map(numberOf),
  );
});

test("a cancel says in numbers what it does, and does it", async () => {
  const shop = await openShop(server, 100_000);
  const sent = await send(server, shop.key, ["09121234567", "09351234567"], { sendAt: tomorrow() });
  const hash = `#/messages/${sent.json.data.uid}`;
  const { page, close, t } = await openConsole(browser, server, shop.key, { hash });
  await button(page, t.message.cancel).click();
  assert.match(
    await read(dialog(page)),
    /It will not be sent to 2 recipients, and IRR 2,000 go back to your balance\./,
  );
  await button(dialog(page), t.message.cancelSubmit("2")).click();
  await page.getByText(t.message.canceled("2")).waitFor();
  assert.equal((await get(shop.key, "/account/info")).wallet.availableBalance, 100_000);
  await goTo(page, "#/wallet", t.wallet.title);
  await page.locator("table.list .badge", { hasText: t.entries.RELEASE }).waitFor();
  await close();
});

/** A number as the console writes it. */
const written = (language, value) => value.toLocaleString(language === "fa" ? "fa" : "en-GB");

for (const language of ["en", "fa"]) {
  const count = (value) => written(language, value);

  test(`a message that has half left is stopped, and what was paid is told, in ${language}`, async () => {
    const shop = await shopThatWaits(server);
    const before = (await walletOf(server, shop.key)).availableBalance;
    const sent = await send(server, shop.key, ["09121234567", "09351234567", "09351234568"]);
    const { uid } = sent.json.data;
    const hasHalfLeft = async () => (await message(server, shop.key, uid)).counts.DELIVERED === 1;
    await until(hasHalfLeft, { what: "the delivered one" });
    const hash = `#/messages/${uid}`;
    const { page, faults, close, t } = await openConsole(browser, server, shop.key, { hash, language });
    await button(page, t.message.cancel).click();
    const told = await read(dialog(page));
    assert.ok(told.includes(count(2_000)) && told.includes(t.message.cancelLeft(count(1))), told);
    await button(dialog(page), t.message.cancelSubmit(count(2))).click();
    const notice = page.locator(".heading .told");
    await notice.getByText(t.message.canceled(count(2))).waitFor();
    await notice.getByText(t.message.canceledLeft(count(1))).waitFor();
    await page.getByText(t.message.ended(count(3), count(3))).waitFor();
    await page.locator(".facts .badge.calm", { hasText: t.statuses.DONE }).waitFor();
    const cost = page.locator(".facts > div", { has: page.getByText(t.messages.cost, { exact: true }) });
    assert.ok((await read(cost)).includes(count(1_000)));
    assert.equal(await button(page, t.message.cancel).count(), 0);
    assert.equal((await walletOf(server, shop.key)).availableBalance, before - 1_000);
    assert.deepEqual(faults, []);
    await close();
  });

  test(`a paused message waits until it is resumed, in ${language}`, async () => {
    const shop = await openShop(server, 100_000);
    const hold = (hold) => admin(server, "PATCH", `/admin/accounts/${shop.id}`, { hold });
    await hold(true);
    const { uid } = (await send(server, shop.key, ["09121234567", "09121234568"])).json.data;
    const hash = `#/messages/${uid}`;
    const { page, faults, close, t } = await openConsole(browser, server, shop.key, { hash, language });
    await button(page, t.message.pause).click();
    await page.locator(".heading .told", { hasText: t.message.paused }).waitFor();
    await hold(false);
    await whenDone(server, shop.key, (await send(server, shop.key, ["09121234569"])).json.data.uid);
    const { status, paused, reserved } = await message(server, shop.key, uid);
    assert.deepEqual([status, paused, reserved], ["QUEUED", true, 2_000]);
    await goTo(page, "#/messages", t.messages.title);
    await page.locator("table.list .badge.warn", { hasText: t.messages.paused }).waitFor();
    await goTo(page, hash, t.message.title);
    await button(page, t.message.resume).click();
    await page.getByText(t.message.ended(count(2), count(2))).waitFor();
    assert.equal(await page.locator(".heading .told").innerText(), "");
    assert.equal(await button(page, t.message.cancel).count(), 0);
    assert.deepEqual(faults, []);
    await close();
  });
}

test("a message that nobody has got does not look delivered, and one with a code has no buttons to stop it", async () => {
  const shop = await openShop(server, 100_000);
  const { uid } = (await send(server, shop.key, ["09121234902"])).json.data;
  await whenDone(server, shop.key, uid);
  await admin(server, "PATCH", `/admin/accounts/${shop.id}`, { hold: true });
  const { page, close, t } = await openConsole(browser, server, shop.key, { hash: "#/messages" });
  await page.locator("table.list .badge.bad", { hasText: t.statuses.DONE }).waitFor();
  await goTo(page, `#/messages/${uid}`, t.message.title);
  await page.locator(".facts .badge.bad", { hasText: t.statuses.DONE }).waitFor();
  await api(server, "POST", "/verify", { key: shop.key, body: { recipient: "09121234567" } });
  const [code] = await get(shop.key, "/messages?type=VERIFY");
  await goTo(page, `#/messages/${code.uid}`, t.message.title);
  await page.locator(".legend", { hasText: t.recipientStatuses.QUEUED }).waitFor();
  assert.deepEqual([await button(page, t.message.cancel).count(), await button(page, t.message.pause).count()], [0, 0]);
  await close();
});

test("filters stand in the address, and the way back leads through them", async () => {
  const shop = await openShop(server, 100_000);
  await whenDone(server, shop.key, (await send(server, shop.key, ["09121234567"])).json.data.uid);
  await send(server, shop.key, ["09351234567"], { message: "later", sendAt: tomorrow() });
  const { page, close, t } = await openConsole(browser, server, shop.key, { hash: "#/messages" });
  const rows = page.locator("table.list tbody tr");
  await rows.nth(1).waitFor();
  await page.locator(".filters .select").first().click();
  await page.getByRole("option", { name: t.statuses.SCHEDULED }).click();
  await page.waitForURL("**/console#/messages?status=SCHEDULED");
  await rows.nth(1).waitFor({ state: "detached" });
  assert.match(await read(rows), /^later/);
  await field(page, t.messages.recipient).fill("0912 123 4567");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: t.messages.noneFound }).waitFor();
  await page.goBack();
  await rows.first().waitFor();
  await page.goBack();
  await rows.nth(1).waitFor();
  await close();
});

for (const language of ["en", "fa"]) {
  test(`one recipient of many is found, the others come as a file, and the money is told, in ${language}`, async () => {
    const shop = await openShop(server, 100_000);
    const sent = await send(server, shop.key, ["09121234567", "09121234901", "09121234902"]);
    const { uid } = sent.json.data;
    await whenDone(server, shop.key, uid);
    const hash = `#/messages/${uid}`;
    const { page, close, t } = await openConsole(browser, server, shop.key, { hash, language });
    const rows = page.locator("table.list tbody tr");
    await rows.nth(2).waitFor();
    assert.equal(await page.getByText(t.message.released, { exact: true }).count(), 1);
    await field(page, t.messages.recipient).fill("0912 123 4902");
    await page.keyboard.press("Enter");
    await page.locator("table.list tbody tr:only-child", { hasText: t.recipientStatuses.UNDELIVERED }).waitFor();
    const [file] = await Promise.all([page.waitForEvent("download"), button(page, t.form.csv).click()]);
    const [titles, ...lines] = readFileSync(await file.path(), "utf8")
      .trimEnd()
      .split("\r\n");
    const expected = [t.phonebook.number, t.messages.status, t.message.reason, t.messages.cost, t.form.currency];
    assert.equal(titles, `\ufeff${[...expected, t.message.updated].join()}`);
    assert.equal(lines.length, 1);
    const money = { en: "IRR", fa: "ریال" }[language];
    const time = { en: "20\\d\\d", fa: "14\\d\\d" }[language];
    const { UNDELIVERED } = t.recipientStatuses;
    const line = `^"=""09121234902""",${UNDELIVERED},.*,${money},${time}-\\d\\d-\\d\\d \\d\\d:\\d\\d$`;
    assert.match(lines[0], new RegExp(line));
    await close();
  });
}

test("the ledger comes as a file that Excel opens as it is", async () => {
  const shop = await openShop(server, 100_000);
  const { page, close, t } = await openConsole(browser, server, shop.key, { hash: "#/wallet?type=CREDIT" });
  const [file] = await Promise.all([page.waitForEvent("download"), button(page, t.form.csv).click()]);
  const [titles, entry] = readFileSync(await file.path(), "utf8").split("\r\n");
  assert.ok(titles.startsWith(`\ufeff${t.message.uid},${t.wallet.type},${t.wallet.amount},`), titles);
  assert.match(entry, new RegExp(`,${t.entries.CREDIT},100000,100000,0,IRR,,.*,20\\d\\d-\\d\\d-\\d\\d \\d\\d:\\d\\d$`));
  assert.equal(file.suggestedFilename(), "peyk-transactions.csv");
  await close();
});

test("a key is issued, shown once, used and revoked", async () => {
  const shop = await openShop(server, 0);
  const { page, close, t } = await openConsole(browser, server, shop.key, { hash: "#/keys" });
  await button(page, t.keys.issue).click();
  await button(page, t.keys.issueSubmit).click();
  await page.getByText(t.keys.noName).waitFor();
  await field(page, t.keys.name).fill("web shop");
  await button(page, t.keys.issueSubmit).click();
  const key = await page.locator(".shown-key code").innerText();
  assert.equal((await api(server, "GET", "/messages", { key })).status, 200);
  assert.equal((await api(server, "GET", "/account/info", { key })).status, 403);
  await button(page, t.keys.shownDone).click();
  assert.ok(!(await page.content()).includes(key));
  await button(page, t.keys.revokeOf("web shop")).click();
  await button(dialog(page), t.keys.revokeSubmit).click();
  await page.locator("table.list tr", { hasText: "web shop" }).locator(".badge", { hasText: t.keys.revoked }).waitFor();
  assert.equal((await api(server, "GET", "/messages", { key })).status, 401);
  await close();
});

test("a session that ends in the middle asks for a key, and leaves everything as it was", async () => {
  const shop = await openShop(server, 100_000);
  const other = await issueKey(server, shop.id, {});
  const { page, close, t } = await openConsole(browser, server, other.key, { hash: "#/compose" });
  await field(page, t.compose.text).fill("half a text");
  await field(page, t.compose.numbers).fill("09121234567");
  // What the page asks for when it opens has come: nothing is asked until the button is pressed.
  await page.getByText(t.compose.unitsLeft).waitFor();
  await page.waitForLoadState("networkidle");
  assert.equal((await api(server, "DELETE", `/keys/${other.keyId}`, { key: shop.key })).status, 204);
  await button(page, t.compose.review).click();
  await page.getByText(t.signIn.ended).waitFor();
  assert.ok(await page.locator("#content").isHidden());
  await signIn(page, shop.key);
  assert.match(page.url(), /#\/compose$/);
  assert.equal(await field(page, t.compose.text).inputValue(), "half a text");
  await page.locator(".estimate .facts").waitFor();
  await close();
});

test("nothing of one account is shown to the next one in the same tab", async () => {
  const [first, second] = [await openShop(server, 100_000), await openShop(server, 7_000)];
  const { page, close, t } = await openConsole(browser, server, first.key, { hash: "#/compose" });
  await field(page, t.compose.text).fill("of the first one");
  await api(server, "DELETE", `/keys/${first.keyId}`, { key: (await issueKey(server, first.id, {})).key });
  await field(page, t.compose.numbers).fill("09121234567");
  await button(page, t.compose.review).click();
  await page.getByText(t.signIn.ended).waitFor();
  await signIn(page, second.key);
  assert.equal(await field(page, t.compose.text).inputValue(), "");
  await goTo(page, "#/wallet", t.wallet.title);
  assert.match(await read(page.locator(".tiles")), /IRR 7,000/);
  await close();
});

test("a problem is told in the person's language, with its help page", async () => {
  const shop = await openShop(server, 0);
  const { page, close, t } = await openConsole(browser, server, shop.key, { language: "fa" });
  await goTo(page, "#/messages?status=NOPE", t.messages.title);
  await page.getByRole("alert").getByText(`${t.fields.status}: ${t.problems.unfit}`).waitFor();
  const help = page.getByRole("link", { name: t.state.help });
  assert.equal(await help.getAttribute("href"), "/docs/fa/problems/validation");
  await button(page, t.form.clear).click();
  await page.getByRole("heading", { name: t.messages.none, exact: true }).waitFor();
  await close();
});

test("Persian has its digits, its calendar and its direction, and either can be changed", async () => {
  const shop = await openShop(server, 1_234_567);
  const { page, close, t } = await openConsole(browser, server, shop.key, { language: "fa", hash: "#/wallet" });
  assert.match(await read(page.locator(".tiles")), /۱٬۲۳۴٬۵۶۷ ریال/);
  const [{ createdAt }] = await get(shop.key, "/account/transactions");
  const year = (calendar) =>
    new Intl.DateTimeFormat(`fa-u-ca-${calendar}-nu-arabext`, { year: "numeric" }).formatToParts(new Date(createdAt));
  const yearOf = (calendar) => year(calendar).find(({ type }) => type === "year").value;
  const showsYear = (calendar) => page.locator("table.list td.title", { hasText: yearOf(calendar) }).waitFor();
  await showsYear("persian");
  await goTo(page, "#/settings", t.settings.title);
  await page.getByRole("radio", { name: t.settings.calendars.gregory }).press(" ");
  await goTo(page, "#/wallet", t.wallet.title);
  await showsYear("gregory");
  const document = () => page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]);
  assert.deepEqual(await document(), ["fa", "rtl"]);
  await goTo(page, "#/settings", t.settings.title);
  await page.getByRole("radio", { name: t.settings.languages.en }).press(" ");
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  assert.deepEqual(await document(), ["en", "ltr"]);
  await page.reload();
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  await close();
});

test("a day is chosen in the person's calendar, and the API gets its own", async () => {
  const shop = await openShop(server, 100_000);
  const { page, close, t } = await openConsole(browser, server, shop.key, { language: "fa", hash: "#/wallet" });
  await page.locator("table.list").waitFor();
  await page.locator(".filters .day button").first().click();
  await page.getByRole("button", { name: t.aria.today("") }).press("Enter");
  const today = await page.evaluate(() => new Date().toLocaleDateString("sv"));
  await page.waitForURL(`**/console#/wallet?from=${today}`);
  const persian = new Intl.DateTimeFormat("fa-u-ca-persian", { day: "numeric" }).format(new Date(`${today}T12:00`));
  assert.match(await read(page.locator(".filters .day").first()), new RegExp(`(^|\\D)${persian}($|\\D)`));
  await page.locator("table.list").waitFor();
  await close();
});

test("a page that is opened has the focus on its heading, and names the window", async () => {
  const shop = await openShop(server, 0);
  const { page, close, t } = await openConsole(browser, server, shop.key);
  await button(page, t.app.skip).press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "content");
  await page.getByRole("link", { name: t.wallet.title, exact: true }).press("Enter");
  const heading = page.locator("#content h1:focus", { hasText: t.wallet.title });
  await heading.waitFor();
  assert.equal(await page.title(), `${t.wallet.title} – ${t.app.console}`);
  await close();
});

test("a key that may do less sees what it lacks", async () => {
  const shop = await openShop(server, 0);
  const { key } = await issueKey(server, shop.id, { scopes: ["sms:read"] });
  const { page, faults, close, t } = await openConsole(browser, server, key);
  await page.getByText(t.state.needs("account:read")).waitFor();
  await page.getByText(t.overview.noScheduled).waitFor();
  // Neither the menu nor the page leads to where it may not go.
  assert.equal(await page.getByRole("link", { name: t.messages.compose }).count(), 0);
  assert.deepEqual(faults, []);
  await close();
});
