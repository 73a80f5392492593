// Campaigns of a shop in the console: made of phonebooks, looked over, started once, followed to the last person, steered and resent.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { makeFormat } from "../../console/src/format/format.ts";
import { button, dialog, field, goTo, heading, openConsole, read } from "../support/console-browser.mjs";
import { languages, list, testViews } from "../support/console-views.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { issueKey, openShop, tomorrow, walletOf } from "../support/shop.mjs";
import { launch } from "../support/site-browser.mjs";

// The browser is closed first, also if the server did not start.
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

let shop;
/** A campaign that waits for its start, one that is done, one that waits for its time, and one that is canceled. */
const made = {};
const server = sharedServer(async (server) => {
  shop = await openShop(server, 1_000_000);
  const { key } = shop;
  const books = await fillShop(key);
  const begin = async (title, more) => {
    const id = await counted(key, books, { title, ...more });
    return (await must(server, "POST", `/campaigns/${id}/start`, { key })).id;
  };
  made.draft = await counted(key, books, { title: "پیش‌نویس نوروز", where: condition, window: hours, budget: 50_000 });
  made.done = await begin("حراج بهاره");
  made.resend = await resent(key, await ended(key, books, "Second try"));
  made.scheduled = await begin("Weekend", { sendAt: tomorrow(), perMinute: 600 });
  made.canceled = await begin("Old news", { sendAt: tomorrow() });
  await must(server, "POST", `/campaigns/${made.canceled}/cancel`, { key });
  await whenAllEnded(key, made.done);
});

const guard = { failedShare: 20, optOutShare: 2, after: 100 };

const condition = { match: "ANY", tests: [{ attribute: "city", operator: "EQUALS", value: "تهران" }] };
const hours = { from: "09:00", to: "21:00", timeZone: "Asia/Tehran" };
const text = "سلام %name%، حراج شروع شد";
/** One has it, one of a carrier's does not, and one is on the blacklist. */
const ali = { number: "09121234567", name: "علی", attributes: { city: "تهران" } };
const sara = { number: "09121234902", name: "Sara" };
const reza = { number: "09211234567", name: "رضا", attributes: { city: "تهران" } };
const price = 1_000;

async function must(...call) {
  const answer = await api(...call);
  assert.ok(answer.status < 300, answer.text);
  return answer.json?.data;
}

/** Makes a phonebook, with a number on the blacklist, and another one. Returns the id of the first. */
async function fillShop(key) {
  const book = async (title, numbers) => {
    const { id } = await must(server, "POST", "/phonebook", { key, body: { title } });
    await must(server, "POST", `/phonebook/number/${id}`, { key, body: { numbers } });
    return id;
  };
  await must(server, "POST", "/blacklist", { key, body: { numbers: [reza.number] } });
  const customers = await book("مشتریان", [ali, sara, reza]);
  await book("Newsletter", [sara]);
  return [customers];
}

const campaign = (key, id) => must(server, "GET", `/campaigns/${id}`, { key });

const whenIt = (key, id, holds, what) =>
  until(
    async () => {
      const found = await campaign(key, id);
      return holds(found) ? found : null;
    },
    { what },
  );

const whenAllEnded = (key, id) =>
  whenIt(key, id, ({ state, progress }) => state === "DONE" && progress.open === 0, "the end of a campaign");

/** Makes a campaign by the API, and waits until it is counted. */
async function counted(key, phonebooks, body) {
  const { id } = await must(server, "POST", "/campaigns", { key, body: { message: text, phonebooks, ...body } });
  await whenIt(key, id, ({ state }) => state === "DRAFT", "the count of a campaign");
  return id;
}

/** Makes a campaign that reaches one of two, and waits until both have their ending. */
async function ended(key, phonebooks, title) {
  const id = await counted(key, phonebooks, { title });
  await must(server, "POST", `/campaigns/${id}/start`, { key });
  await whenAllEnded(key, id);
  return id;
}

/** Makes the resend of a campaign by the API, and waits until it is counted. */
async function resent(key, first) {
  const { id } = await must(server, "POST", `/campaigns/${first}/resend`, { key });
  await whenIt(key, id, ({ state }) => state === "DRAFT", "the count of a resend");
  return id;
}

const checkBook = (scope, title) => scope.locator(".books label", { hasText: title }).first().click();
const summary = (page, text) => page.locator("summary", { hasText: text });
const editLink = (page, t) => page.getByRole("link", { name: t.campaign.edit, exact: true });
/** The recipients of a campaign that the list shows. */
const people = (page, t) => page.getByRole("table", { name: t.campaign.recipients });
const radio = (page, name) => page.getByRole("radio", { name, exact: true });

const views = [
  { name: "campaigns", hash: "#/campaigns", title: (t) => t.campaigns.title, ready: (page) => list(page).waitFor() },
  {
    name: "a new campaign, with faults",
    hash: "#/campaigns/new",
    title: (t) => t.newCampaign.title,
    ready: async (page, t) => {
      await page.locator(".books").first().waitFor();
      if ((await page.locator(".condition").count()) === 0) await addAll(page, t);
      await button(page, t.newCampaign.save).click();
      await page.getByText(t.campaigns.noName).waitFor();
      await page.getByText(t.newCampaign.badCondition).waitFor();
      await page.getByText(t.newCampaign.badBudget).waitFor();
    },
  },
  {
    name: "the last look at a campaign",
    hash: () => `#/campaigns/${made.draft}`,
    title: () => "پیش‌نویس نوروز",
    ready: (page) => page.locator(".left-out").waitFor(),
  },
  {
    name: "the edit of a campaign",
    hash: () => `#/campaigns/${made.draft}/edit`,
    title: (t) => t.campaign.editTitle("پیش‌نویس نوروز"),
    ready: async (page, t) => {
      await page.locator(".condition").waitFor();
      await page.getByText(t.newCampaign.hasGuard).click();
      await field(page, t.newCampaign.optOutShare).waitFor();
    },
  },
  {
    name: "the edit of a campaign that was started",
    hash: () => `#/campaigns/${made.done}/edit`,
    title: (t) => t.campaign.editTitle("حراج بهاره"),
    ready: (page, t) => page.getByText(t.campaign.notEditable).waitFor(),
  },
  {
    name: "the last look at a resend",
    hash: () => `#/campaigns/${made.resend}`,
    title: () => "Second try",
    ready: (page, t) => page.getByRole("link", { name: t.campaign.toFirst }).waitFor(),
  },
  {
    name: "the change of a resend",
    hash: () => `#/campaigns/${made.resend}?change`,
    title: () => "Second try",
    ready: async (page, t) => {
      await button(page, t.campaign.change).click();
      await page.getByText(t.newCampaign.hasGuard).click();
      await field(page, t.newCampaign.failedShare).fill("");
      await field(page, t.newCampaign.optOutShare).fill("");
      await button(page, t.campaign.changeSubmit).click();
      await page.getByText(t.newCampaign.noShare).waitFor();
    },
  },
  {
    name: "a campaign that is done",
    hash: () => `#/campaigns/${made.done}`,
    title: () => "حراج بهاره",
    ready: async (page, t) => {
      await people(page, t).waitFor();
      await page.getByRole("table", { name: t.campaign.failures }).waitFor();
    },
  },
  {
    name: "a campaign without such a person",
    hash: () => `#/campaigns/${made.done}?recipient=09129999999`,
    title: () => "حراج بهاره",
    ready: (page, t) => page.getByRole("heading", { name: t.campaign.noPeople }).waitFor(),
  },
  {
    name: "the cancel of a campaign",
    hash: () => `#/campaigns/${made.scheduled}`,
    title: () => "Weekend",
    ready: async (page, t) => {
      await button(page, t.campaign.cancel).click();
      await dialog(page).waitFor();
    },
  },
  {
    name: "the deletion of a campaign",
    hash: () => `#/campaigns/${made.canceled}`,
    title: () => "Old news",
    ready: async (page, t) => {
      await button(page, t.campaign.delete).click();
      await dialog(page).waitFor();
    },
  },
];

/** Opens all that the form of a campaign has. */
async function addAll(page, t) {
  await summary(page, t.newCampaign.conditions).click();
  await button(page, t.newCampaign.addCondition).click();
  await button(page, t.newCampaign.addCondition).click();
  await summary(page, t.newCampaign.leaveOut).click();
  await page.getByText(t.newCampaign.hasWindow).click();
  await page.getByText(t.newCampaign.hasGuard).click();
  await field(page, t.newCampaign.failedShare).fill("101");
  await radio(page, t.compose.later).press(" ");
  await field(page, t.newCampaign.budget).fill("much");
}

testViews(() => ({ browser, server, key: shop.key }), views);

/** Fills the form of a campaign to the customers, and saves it. */
async function makeCampaign(page, t, title) {
  await page.getByRole("link", { name: t.campaigns.create }).click();
  await heading(page, t.newCampaign.title).waitFor();
  await field(page, t.campaigns.name).fill(title);
  await checkBook(page, "مشتریان");
  await button(page, t.compose.addPlaceholder(t.compose.nameAttribute)).click();
  assert.equal(await field(page, t.compose.text).inputValue(), `%${t.compose.nameAttribute}%`);
  await field(page, t.compose.text).fill(text);
  await page.locator(".estimate .samples").getByText("سلام علی، حراج شروع شد", { exact: true }).waitFor();
  await button(page, t.newCampaign.save).click();
  await heading(page, title).waitFor();
}

for (const language of languages)
  test(`a campaign is made, looked over, started once by a double click, and followed to each person, in ${language}`, async () => {
    const own = await openShop(server, 100_000);
    await fillShop(own.key);
    const { page, faults, close, t } = await openConsole(browser, server, own.key, { language, hash: "#/campaigns" });
    const format = makeFormat(language, language === "fa" ? "persian" : "gregory");
    const [one, two] = [1, 2].map(format.number);
    await makeCampaign(page, t, "حراج");
    const start = button(page, t.campaign.start(two));
    await start.waitFor();
    await page.locator(".left-out li", { hasText: t.campaign.skips.BLACKLISTED(one) }).waitFor();
    await page
      .locator(".facts", { hasText: format.money(2 * price, "IRR") })
      .first()
      .waitFor();
    await page.getByText(t.campaign.partsOf(two, one)).waitFor();
    await page
      .locator(".facts", { hasText: format.money(100_000 - 2 * price, "IRR") })
      .first()
      .waitFor();
    await page.locator(".samples").getByText("سلام علی، حراج شروع شد", { exact: true }).waitFor();
    assert.equal((await walletOf(server, own.key)).availableBalance, 100_000);

    const starts = [];
    page.on("request", (request) => request.url().endsWith("/start") && starts.push(request.url()));
    // Both come before the page has drawn what the first one does.
    await start.evaluate((start) => {
      start.click();
      start.click();
    });
    await page.locator("#content .badge.calm", { hasText: t.campaigns.states.DONE }).waitFor();
    await page.getByText(t.campaign.simulated).waitFor();
    await page.locator(".legend li", { hasText: t.messages.simulatedAs(t.campaign.shares.delivered) }).waitFor();
    assert.equal(await page.locator("#content .good").count(), 0);
    await page.locator(".heading [role=status]", { hasText: t.campaign.sent(two, two) }).waitFor();
    const legend = (share) => page.locator(".legend li", { hasText: t.campaign.shares[share] }).locator("b");
    await legend("failed").getByText(one, { exact: true }).waitFor();
    await legend("delivered").getByText(one, { exact: true }).waitFor();
    assert.equal(starts.length, 1);
    const [{ id }] = await must(server, "GET", "/campaigns", { key: own.key });
    assert.equal((await campaign(own.key, id)).progress.waves, 1);

    await field(page, t.messages.recipient).fill(ali.number);
    await field(page, t.messages.recipient).press("Enter");
    const person = people(page, t).locator("tbody tr:only-child");
    await person.locator(".badge", { hasText: t.recipientStatuses.DELIVERED }).waitFor();
    await person.getByRole("link", { name: t.campaign.openWave }).click();
    await heading(page, t.message.title).waitFor();
    await page.getByRole("link", { name: t.message.toCampaign }).click();
    await heading(page, "حراج").waitFor();
    await page.getByRole("link", { name: t.campaign.toLeftOut(one) }).click();
    await person.getByText(t.reasons.BLACKLISTED).waitFor();

    await goTo(page, "#/campaigns", t.campaigns.title);
    const { progress } = await campaign(own.key, id);
    const row = page.locator("table.list tbody tr", { hasText: "حراج" });
    const shown = await read(row);
    for (const text of [t.campaigns.states.DONE, format.money(progress.cost - progress.returned, "IRR")])
      assert.ok(shown.includes(text), shown);
    await row.locator(".badge.calm", { hasText: t.messages.simulated }).waitFor();
    assert.equal(await page.locator("#content .good").count(), 0);
    assert.deepEqual(faults, []);
    await close();
  });

test("a campaign has its conditions, its time, its hours and its bounds from the form, and none of it goes lost in a reload", async () => {
  const own = await openShop(server, 100_000);
  const [customers] = await fillShop(own.key);
  const options = { hash: "#/campaigns/new", timezoneId: "Asia/Tehran" };
  const { page, faults, close, t } = await openConsole(browser, server, own.key, options);
  await field(page, t.campaigns.name).fill("Tehran");
  await checkBook(page, "مشتریان");
  await summary(page, t.newCampaign.conditions).click();
  await button(page, t.newCampaign.addCondition).click();
  await page.locator("datalist option[value=city]").waitFor({ state: "attached" });
  await field(page, t.newCampaign.attribute).fill("town");
  await field(page, t.newCampaign.value).fill("x");
  await field(page, t.compose.text).fill(text);
  await button(page, t.newCampaign.save).click();
  await page.getByRole("alert").getByText(`${t.fields.where}: `).waitFor();
  faults.length = 0;
  await field(page, t.newCampaign.attribute).fill("city");
  await field(page, t.newCampaign.value).fill("تهران");
  await summary(page, t.newCampaign.leaveOut).click();
  await page.getByRole("group", { name: t.newCampaign.exceptBooks }).getByText("Newsletter").click();
  await field(page, t.compose.exclude).fill("0936 123 4567");
  await field(page, t.compose.text).fill("Hello {name}");
  await page.locator(".estimate .note", { hasText: "{name}" }).waitFor();
  await field(page, t.compose.text).fill(text);
  await page.reload();
  await radio(page, t.compose.later).press(" ");
  await page.getByText(t.newCampaign.hasWindow).click();
  await field(page, t.newCampaign.perMinute).fill("۶۰۰");
  await field(page, t.newCampaign.budget).fill("5,000");
  await page.getByText(t.newCampaign.hasGuard).click();
  assert.equal(await field(page, t.newCampaign.after).inputValue(), "100");
  await field(page, t.newCampaign.failedShare).fill("");
  await field(page, t.newCampaign.optOutShare).fill("۳");
  await button(page, t.newCampaign.save).click();
  await button(page, t.campaign.startLater("1")).click();
  await page.locator("#content .badge", { hasText: t.campaigns.states.SCHEDULED }).waitFor();
  const [{ id }] = await must(server, "GET", "/campaigns", { key: own.key });
  const { title, phonebooks, where, exclude, window, perMinute, budget, guard, sendAt } = await campaign(own.key, id);
  assert.deepEqual(
    { title, phonebooks, where, numbers: exclude.numbers, window, perMinute, budget, guard },
    {
      ...{ title: "Tehran", phonebooks: [customers], where: { ...condition, match: "ALL" } },
      ...{ numbers: ["+989361234567"], window: hours, perMinute: 600, budget: 5_000 },
      guard: { failedShare: null, optOutShare: 3, after: 100 },
    },
  );
  assert.equal(exclude.phonebooks.length, 1);
  assert.ok(Date.parse(sendAt) > Date.now());
  await goTo(page, "#/campaigns/new", t.newCampaign.title);
  assert.equal(await field(page, t.campaigns.name).inputValue(), "");
  assert.deepEqual(faults, []);
  await close();
});

/** What the page asks of a campaign with a method. The service hears nothing of it. */
async function sendsNothing(page, key, id, method, act) {
  const path = `**/campaigns/${id}`;
  const data = await campaign(key, id);
  const asked = Promise.withResolvers();
  await page.route(path, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    await route.fulfill({ json: { data, meta: { requestId: id } } });
    asked.resolve(route.request().postDataJSON());
  });
  await act();
  const body = await asked.promise;
  await page.unroute(path);
  return body;
}

/** Shows a campaign with other values than the service has, until something was looked at. */
async function withAnswer(page, key, id, { progress, ...values }, look) {
  const path = `**/campaigns/${id}`;
  const found = await campaign(key, id);
  const data = { ...found, ...values, progress: { ...found.progress, ...progress } };
  await page.route(path, (route) => route.fulfill({ json: { data, meta: { requestId: id } } }));
  await page.reload();
  await look();
  await page.unroute(path);
  await page.reload();
}

test("a campaign is paused, resumed and canceled, and a canceled one is deleted", async () => {
  const own = await openShop(server, 100_000);
  const id = await counted(own.key, await fillShop(own.key), { title: "Weekend", sendAt: tomorrow() });
  await must(server, "POST", `/campaigns/${id}/start`, { key: own.key });
  const { page, faults, close, t } = await openConsole(browser, server, own.key, { hash: `#/campaigns/${id}` });
  const { moment } = makeFormat("en", "gregory");
  const badge = (state) => page.locator("#content .badge", { hasText: t.campaigns.states[state] });
  await badge("SCHEDULED").waitFor();
  const { sendAt } = await campaign(own.key, id);
  await page.getByText(t.campaign.waits.time(moment(sendAt))).waitFor();
  await button(page, t.campaign.change).click();
  await page.locator(".moment .day").first().getByRole("spinbutton").last().press("ArrowUp");
  const asked = await sendsNothing(page, own.key, id, "PATCH", () => button(page, t.campaign.changeSubmit).click());
  assert.equal(asked.title, "Weekend");
  assert.ok(Date.parse(asked.sendAt) > Date.parse(sendAt), asked.sendAt);
  await page.reload();
  await button(page, t.campaign.steps.pause).click();
  await badge("PAUSED").waitFor();
  await button(page, t.campaign.steps.resume).click();
  await badge("SCHEDULED").waitFor();
  await button(page, t.campaign.cancel).click();
  await dialog(page).getByText(t.campaign.cancelText("2")).waitFor();
  await button(dialog(page), t.campaign.keep).click();
  assert.equal((await campaign(own.key, id)).state, "SCHEDULED");
  await button(page, t.campaign.cancel).click();
  await button(dialog(page), t.campaign.cancel).click();
  await badge("CANCELED").waitFor();
  await page.locator(".legend li", { hasText: t.campaign.shares.never }).waitFor();
  const rest = { progress: { waves: 1, recipients: 1, canceled: 1, queued: 0, open: 0 } };
  await withAnswer(page, own.key, id, { state: "PAUSED", reason: "NO_PHONEBOOK", ...rest }, async () => {
    await page.getByText(t.campaign.goneBook).waitFor();
    assert.equal(await button(page, t.campaign.steps.resume).count(), 0);
    await page.locator(".legend li", { hasText: t.campaign.shares.canceled }).waitFor();
    await page.locator(".heading [role=status]", { hasText: t.campaign.sent("0", "2") }).waitFor();
  });
  const [nextAt, ...ends] = [1, 2, 3].map((later) => new Date(Date.now() + later * 3_600_000).toISOString());
  const [from, to] = ends.map((end) => end.slice(11, 16));
  const [line] = await must(server, "GET", "/lines", { key: own.key });
  const lines = {
    data: [{ ...line, hours: { from, to, timeZone: "UTC" } }],
    meta: { requestId: id, nextCursor: null },
  };
  const open = t.campaign.windowOf(from, to, "\u2066UTC\u2069");
  await page.route("**/lines?*", (route) => route.fulfill({ json: lines }));
  await withAnswer(page, own.key, id, { state: "RUNNING", nextAt }, async () => {
    await page.getByText(t.campaign.waits.line(moment(nextAt), open)).waitFor();
    await page.locator(".facts", { hasText: t.campaign.windowOfLine(open) }).waitFor();
  });
  await badge("CANCELED").waitFor();
  await button(page, t.campaign.delete).click();
  await button(dialog(page), t.campaign.deleteSubmit).click();
  await page.getByRole("heading", { name: t.campaigns.none }).waitFor();
  assert.deepEqual(faults, []);
  await close();
});

for (const language of languages)
  test(`a campaign says why people did not get it, and goes again to them alone, in ${language}`, async () => {
    const own = await openShop(server, 100_000);
    const id = await ended(own.key, await fillShop(own.key), "حراج");
    const { page, faults, close, t } = await openConsole(browser, server, own.key, {
      language,
      hash: `#/campaigns/${id}`,
    });
    const format = makeFormat(language, language === "fa" ? "persian" : "gregory");
    const [none, one] = [0, 1].map(format.number);
    const { progress } = await campaign(own.key, id);
    const [{ error, operator }] = progress.failures;
    const failures = page.getByRole("table", { name: t.campaign.failures });
    const why = failures.locator("tbody tr", { hasText: t.reasons[error] });
    await why.locator(`[data-title="${t.operators[operator]}"]`, { hasText: one }).waitFor();
    const optOuts = page.locator(".facts > div", { hasText: t.campaign.optOuts });
    await optOuts.getByText(none, { exact: true }).waitFor();
    await why.getByRole("link").click();
    await people(page, t)
      .locator("tbody tr:only-child", { hasText: format.phone("+989121234902") })
      .waitFor();

    await button(page, t.campaign.resend(one)).click();
    const start = button(page, t.campaign.start(one));
    await start.waitFor();
    await page.getByText(t.campaign.mayChangeAgain).waitFor();
    assert.equal(await editLink(page, t).count(), 0);
    const resendId = (await campaign(own.key, id)).resentAs;
    await page.getByRole("link", { name: t.campaign.toFirst }).click();
    await page.getByRole("link", { name: t.campaign.toPrepared }).click();
    assert.equal(await page.evaluate(() => location.hash), `#/campaigns/${resendId}`);
    await start.click();
    await page.locator("#content .badge", { hasText: t.campaigns.states.DONE }).waitFor();
    await whenAllEnded(own.key, resendId);
    const { progress: again, resendOf } = await campaign(own.key, resendId);
    assert.deepEqual([again.recipients, resendOf], [1, id]);
    await why.waitFor();
    assert.equal(await button(page, t.campaign.resend(one)).count(), 0, "a resend is not resent");
    await goTo(page, "#/campaigns", t.campaigns.title);
    await page.locator("table.list tbody tr", { hasText: t.campaigns.resend }).waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

test("the people of a campaign come as a file, also those alone whom it did not reach", async () => {
  const { page, faults, close, t } = await openConsole(browser, server, shop.key, { hash: `#/campaigns/${made.done}` });
  const path = `/campaigns/${made.done}/recipients?format=csv`;
  for (const filter of ["", "&status=UNDELIVERED"]) {
    await goTo(page, `#/campaigns/${made.done}?${filter.slice(1)}`, "حراج بهاره");
    await people(page, t).waitFor();
    const [file] = await Promise.all([page.waitForEvent("download"), button(page, t.form.csv).click()]);
    const csv = await api(server, "GET", path + filter, { key: shop.key });
    const saved = readFileSync(await file.path(), "utf8");
    assert.equal(saved.split("\n").length, csv.text.split("\n").length);
    assert.equal(saved.includes('"=""09121234567"""'), filter === "", saved);
    assert.ok(saved.includes('"=""09121234902"""'), saved);
    assert.equal(file.suggestedFilename(), "peyk-recipients.csv");
  }
  assert.deepEqual(faults, []);
  await close();
});

test("a saved draft is edited in the form that made it, and counted anew", async () => {
  const own = await openShop(server, 1_500);
  const { key } = own;
  const [customers] = await fillShop(key);
  const { id: gone } = await must(server, "POST", "/phonebook", { key, body: { title: "Short-lived" } });
  const plan = {
    where: { ...condition, match: "ANY" },
    window: { ...hours, timeZone: "Europe/Berlin" },
    budget: 50_000,
  };
  const exclude = { numbers: ["+989361234567"] };
  const id = await counted(key, [customers, gone], { title: "Tehran", ...plan, exclude, guard, perMinute: 600 });
  await must(server, "DELETE", `/phonebook/${gone}`, { key });
  const options = { hash: `#/campaigns/${id}`, timezoneId: "Asia/Tehran" };
  const { page, faults, close, t } = await openConsole(browser, server, key, options);
  await button(page, t.campaign.start("1")).waitFor();
  await editLink(page, t).click();
  await page.getByText(t.newCampaign.windowHintOf("\u2066Europe/Berlin\u2069")).waitFor();
  await field(page, t.campaigns.name).fill("Everywhere");
  await field(page, t.compose.text).fill("سلام، حراج شروع شد");
  await button(page, t.newCampaign.removeCondition("1")).click();
  await field(page, t.newCampaign.budget).fill("");
  await button(page, t.newCampaign.save).click();
  await heading(page, "Everywhere").waitFor();
  await button(page, t.campaign.start("2")).waitFor();
  await page.getByText(t.campaign.lacks("IRR 500")).waitFor();
  const { title, message, phonebooks, where, window, perMinute, budget, ...rest } = await campaign(key, id);
  assert.deepEqual(
    { title, message, phonebooks, where, window, perMinute, budget, guard: rest.guard, exclude: rest.exclude },
    {
      ...{ title: "Everywhere", message: "سلام، حراج شروع شد", phonebooks: [customers], where: null },
      ...{ window: plan.window, perMinute: 600, budget: null, guard, exclude: { phonebooks: [], ...exclude } },
    },
  );

  await editLink(page, t).click();
  await field(page, t.campaigns.name).fill("Nowhere");
  await button(page, t.form.cancel).click();
  await heading(page, "Everywhere").waitFor();
  assert.deepEqual(faults, []);
  await close();
});

test("a draft that sends a pattern at a time is edited with its values and its time", async () => {
  const own = await openShop(server, 100_000);
  const { key } = own;
  const phonebooks = await fillShop(key);
  const body = { slug: "day", title: "Day", text: "%DAY%", variables: [{ name: "DAY", type: "TEXT" }] };
  await must(server, "POST", "/pattern", { key, body });
  await must(server, "POST", "/pattern/day/versions/1/activate", { key });
  const sendAt = `${tomorrow().slice(0, 16)}:00.000Z`;
  const sends = { message: undefined, pattern: "day", variables: { DAY: "Monday" } };
  const id = await counted(key, phonebooks, { title: "Day", sendAt, ...sends });
  const { page, faults, close, t } = await openConsole(browser, server, key, { hash: `#/campaigns/${id}/edit` });
  await field(page, "DAY").fill("Friday");
  await button(page, t.newCampaign.save).click();
  await button(page, t.campaign.startLater("2")).waitFor();
  const { pattern, variables, message, sendAt: at } = await campaign(key, id);
  assert.deepEqual([pattern, variables, message, at], ["day", { DAY: "Friday" }, null, sendAt]);
  await page.locator(".samples").getByText("Friday", { exact: true }).waitFor();

  await page.getByRole("link", { name: t.campaign.copy, exact: true }).click();
  await heading(page, t.campaign.copyTitle("Day")).waitFor();
  assert.ok(await radio(page, t.compose.now).isChecked());
  await field(page, t.campaigns.name).fill("Day again");
  await button(page, t.newCampaign.save).click();
  await button(page, t.campaign.start("2")).waitFor();
  const [copy] = await must(server, "GET", "/campaigns", { key });
  const { title, sendAt: none, variables: values, phonebooks: books } = await campaign(key, copy.id);
  assert.deepEqual([title, none, values, books], ["Day again", null, { DAY: "Friday" }, phonebooks]);
  assert.deepEqual(faults, []);
  await close();
});

test("a campaign of which too many fail is stopped by its guard, says why, and goes on when it is resumed", async () => {
  const own = await openShop(server, 2_000_000);
  const { key } = own;
  // More than one wave has.
  const numbers = Array.from({ length: 1_001 }, (_, index) => ({ number: `0912${1_000_902 + index * 1_000}` }));
  const { id: book } = await must(server, "POST", "/phonebook", { key, body: { title: "Wrong numbers" } });
  for (const some of [numbers.slice(0, 900), numbers.slice(900)])
    await must(server, "POST", `/phonebook/number/${book}`, { key, body: { numbers: some } });
  const id = await counted(key, [book], { title: "Bad", guard: { failedShare: 20 } });
  const { page, faults, close, t } = await openConsole(browser, server, key, { hash: `#/campaigns/${id}` });
  await page.getByText(t.campaign.guardOf(t.campaign.failedShare("20%"), "100")).waitFor();
  await button(page, t.campaign.start("1,001")).click();
  await page.getByText(t.campaigns.why.FAILED_SHARE).waitFor();
  assert.equal((await campaign(key, id)).progress.waves, 1);
  await button(page, t.campaign.change).click();
  await page.getByText(t.newCampaign.hasGuard).click();
  await button(page, t.campaign.changeSubmit).click();
  await page.locator(".facts", { hasText: t.campaign.noGuard }).waitFor();
  await button(page, t.campaign.steps.resume).click();
  await page.locator("#content .badge", { hasText: t.campaigns.states.DONE }).waitFor();
  await button(page, t.campaign.resend("1,001")).waitFor();
  assert.equal((await campaign(key, id)).guard, null);
  assert.deepEqual(faults, []);
  await close();
});

test("a campaign that its budget stops says so, and goes on with a larger one", async () => {
  const own = await openShop(server, 100_000);
  const id = await counted(own.key, await fillShop(own.key), { title: "Cheap", budget: 1 });
  const { page, faults, close, t } = await openConsole(browser, server, own.key, { hash: `#/campaigns/${id}` });
  await page.getByText(t.campaign.overBudget("IRR 1,999")).waitFor();
  await button(page, t.campaign.start("2")).click();
  await page.getByText(t.campaigns.why.BUDGET).waitFor();
  await button(page, t.campaign.change).click();
  await field(page, t.newCampaign.budget).fill("0");
  await button(page, t.campaign.changeSubmit).click();
  await page.getByText(t.newCampaign.badBudget).waitFor();
  await field(page, t.newCampaign.budget).fill("50000");
  await button(page, t.campaign.changeSubmit).click();
  await page.locator(".facts", { hasText: "IRR 50,000" }).waitFor();
  await button(page, t.campaign.steps.resume).click();
  await page.locator("#content .badge", { hasText: t.campaigns.states.DONE }).waitFor();
  assert.deepEqual(faults, []);
  await close();
});

test("a campaign sends a pattern with its values", async () => {
  const own = await openShop(server, 100_000);
  const { key } = own;
  await fillShop(key);
  const variables = [{ name: "DAY", type: "TEXT" }];
  await must(server, "POST", "/pattern", {
    key,
    body: { slug: "holiday", title: "Holiday", text: "%DAY%", variables },
  });
  await must(server, "POST", "/pattern/holiday/versions/1/activate", { key });
  const { page, faults, close, t } = await openConsole(browser, server, key, { hash: "#/campaigns/new" });
  await field(page, t.campaigns.name).fill("Holidays");
  await checkBook(page, "مشتریان");
  await radio(page, t.newCampaign.kinds.pattern).press(" ");
  await page.getByRole("button", { name: new RegExp(`${t.compose.pattern}$`) }).click();
  await page.getByRole("option", { name: "Holiday", exact: true }).click();
  await button(page, t.newCampaign.save).click();
  await page.getByText(t.compose.noValues).waitFor();
  await field(page, "DAY").fill("Monday");
  await button(page, t.newCampaign.save).click();
  await button(page, t.campaign.start("2")).waitFor();
  const [{ id }] = await must(server, "GET", "/campaigns", { key });
  const { pattern, variables: values } = await campaign(key, id);
  assert.deepEqual({ pattern, values }, { pattern: "holiday", values: { DAY: "Monday" } });
  assert.deepEqual(faults, []);
  await close();
});

test("a key that only reads sees campaigns, and can neither make nor steer them", async () => {
  const { key } = await issueKey(server, shop.id, { scopes: ["sms:read"] });
  const { page, faults, close, t } = await openConsole(browser, server, key, { hash: "#/campaigns" });
  await list(page).waitFor();
  assert.equal(await page.getByRole("link", { name: t.campaigns.create }).count(), 0);
  await goTo(page, `#/campaigns/${made.draft}`, "پیش‌نویس نوروز");
  await page.locator(".left-out").waitFor();
  assert.equal(await page.locator("#content button").count(), 0);
  await goTo(page, "#/campaigns/new", t.newCampaign.title);
  await page.getByText(t.state.needs("sms:send")).waitFor();
  assert.deepEqual(faults, []);
  await close();
});
