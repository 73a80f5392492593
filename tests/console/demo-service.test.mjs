// Every page of an operator on what `npm start` has to see: the demo account's thirty days, and other customers. What a page shows is
// what the API tells.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { operatorPlaces } from "../../console/src/app/operator-pages.ts";
import { makeFormat } from "../../console/src/format/format.ts";
import { inOrder, rowOf } from "../../console/src/pages/operator/usage/sums.ts";
import { field, goTo, openConsole } from "../support/console-browser.mjs";
import {
  assertGoodAt,
  languages,
  list,
  movedWhileLoading,
  sizeOf,
  widths,
  widthsIn,
} from "../support/console-views.mjs";
import { historyState } from "../support/fresh-state.mjs";
import { sharedServer, until } from "../support/server.mjs";
import { admin, all, issueKey } from "../support/shop.mjs";
import { launch } from "../support/site-browser.mjs";

// The browser is closed first, also if the server did not start.
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** As `npm start` sets it: the address of a gateway's page is made of it. */
const vars = () => ({ PUBLIC_URL: "https://sms.example.com" });
const server = sharedServer(usageIsWhole, vars, historyState);

/** What the API answers to the operator. */
async function get(path) {
  const answer = await admin(server, "GET", `/admin${path}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json.data;
}

const sumOf = (rows, of) => rows.reduce((sum, row) => sum + of(row), 0);

/** The sums of all accounts come from a copy that follows. */
async function usageIsWhole() {
  const others = (await get("/accounts")).filter(({ id }) => id !== server.accountId);
  await usageOfIsWhole(server.accountId, server.apiKey);
  for (const { id } of others) await usageOfIsWhole(id, (await issueKey(server, id, { scopes: ["account:read"] })).key);
}

async function usageOfIsWhole(account, key) {
  const own = await all(server, key, "/account/usage");
  const counted = (rows, of) => sumOf(rows, (row) => of(row).recipients);
  const from = own.at(-1)?.date;
  const isThere = async () =>
    counted(await get(`/usage?account=${account}&from=${from}`), (sum) => sum) === counted(own, (day) => day.live);
  if (from) await until(isThere, { what: "the usage of the thirty days" });
}

/** What a table shows, row by row and cell by cell, as a person reads it. */
async function cellsOf(table) {
  await table.waitFor();
  const rows = await table
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText)));
  return rows.map((row) => row.map(plain));
}

const plain = (text) =>
  text
    .replace(/[\u2066-\u2069\u200e\u200f]/g, "")
    .replace(/\s+/g, " ")
    .trim();

/** Asserts that the first columns of a list are these. */
async function assertRows(page, expected) {
  const width = expected[0]?.length ?? 0;
  const shown = (await cellsOf(list(page))).map((row) => row.slice(0, width));
  assert.deepEqual(
    shown,
    expected.map((row) => row.map(plain)),
  );
}

/** Asserts what tiles show, by their titles. */
async function assertTiles(page, expected) {
  await page.locator(".tiles").waitFor();
  const shown = await page
    .locator(".tiles > div")
    .evaluateAll((tiles) => tiles.map((tile) => ["dt", "strong"].map((part) => tile.querySelector(part).innerText)));
  const values = new Map(shown.map((tile) => tile.map(plain)));
  for (const [title, value] of Object.entries(expected)) assert.equal(values.get(title), plain(value), title);
}

/** Asserts what facts say, by their titles. */
async function assertFacts(page, expected) {
  for (const [title, value] of Object.entries(expected)) {
    const fact = page.locator(".facts > div").filter({ has: page.locator("dt", { hasText: title }) });
    assert.equal(plain(await fact.first().locator("dd").innerText()), plain(value), title);
  }
}

const emptyState = (title) => async (page) => page.getByRole("heading", { name: title }).waitFor();

const carrierNames = ({ routes }) => [
  ...new Set(routes.flatMap(({ carriers, backup }) => [...carriers, ...backup].map(({ name }) => name))),
];

const accountOf = async (username) => (await get(`/accounts?q=${username}`))[0];
const clinic = () => accountOf("mehr-clinic");

const failedOf = (sum) => sum.undelivered + sum.expired + sum.rejected;

async function usageRows({ format, o }, by) {
  const rows = inOrder(by, (await get(`/usage?by=${by}&limit=200`)).map(rowOf));
  const nameOf = { day: format.day, line: format.digits, carrier: (key) => key || o.usage.noCarrier };
  return rows.map((row) => [
    by === "account" ? row.username : nameOf[by](row.key),
    ...[...(by === "carrier" ? [] : ["messages"]), "recipients", "parts", "delivered", "failed"].map((name) =>
      format.number(row[name]),
    ),
    row.rate === null ? "–" : format.percent(row.rate),
    format.money(row.spent, "IRR"),
  ]);
}

const usageBy = (by) => ({
  hash: `#/usage?by=${by}`,
  title: ({ o }) => o.pages.usage,
  shows: async (page, texts) => assertRows(page, await usageRows(texts, by)),
});

/** A page of the demo account. */
const demo = (tab) => () => `#/accounts/${server.accountId}${tab}`;

const ofDemo = (tab, shows) => ({
  hash: demo(tab),
  title: async () => (await get(`/accounts/${server.accountId}`)).fullName,
  shows,
});

/** The pages, each with what it has to show. */
const pages = [
  {
    hash: "#/",
    title: ({ o }) => o.pages.overview,
    shows: async (page, { o, format }) => {
      const days = await get("/usage?by=day");
      const today = days.find(({ key }) => key === new Date().toISOString().slice(0, 10));
      const delivered = sumOf(days, (day) => day.delivered);
      await assertTiles(page, {
        [o.service.status]: o.serviceStatuses[(await get("/health")).status],
        [o.service.today]: format.number(today?.recipients ?? 0),
        [o.service.rate]: format.percent(delivered / (delivered + sumOf(days, failedOf))),
      });
      await page.locator(".charts svg").waitFor();
      const sums = (await get("/usage?by=carrier")).sort(
        (a, b) => Number(a.key === "") - Number(b.key === "") || b.recipients - a.recipients,
      );
      const carriers = page.locator("#content > section").last().locator("table");
      const shown = (await cellsOf(carriers)).map((row) => [row[0], row.at(-1)]);
      assert.deepEqual(
        shown,
        sums.map(({ key, recipients }) => [key || o.service.noCarrier, format.number(recipients)]),
      );
      const warnings = page.locator(".warnings li");
      const { length } = await get("/credits?status=PENDING");
      await warnings.filter({ hasText: o.serviceWarnings.credits(format.number(length)) }).waitFor();
      const paused = (await get("/carriers")).filter((carrier) => carrier.paused);
      const { worries } = await get("/health");
      assert.equal(await warnings.count(), 1 + paused.length + worries.length);
    },
  },
  {
    hash: "#/dead-letters",
    title: ({ o }) => o.pages.deadLetters,
    shows: async (page, { o }) => {
      assert.deepEqual(await get("/dead-letters"), []);
      await emptyState(o.deadLetters.none)(page);
    },
  },
  {
    hash: "#/sending",
    title: ({ o }) => o.pages.sending,
    shows: async (page, { o }) => {
      const { enabled, since } = await get("/sending");
      assert.deepEqual([enabled, since], [true, null]);
      await page.getByText(o.sending.onText).waitFor();
      await page.getByText(o.sending.never).waitFor();
    },
  },
  {
    hash: "#/carriers",
    title: ({ o }) => o.pages.carriers,
    shows: async (page, { o }) => {
      const carriers = await get("/carriers");
      assert.ok(carriers.length > 1);
      await assertRows(
        page,
        carriers.map(({ name, kind, health }) => [`${name} ${o.carrierKinds[kind]}`, o.carrierStates[health.state]]),
      );
    },
  },
  {
    hash: "#/carriers/gateway",
    title: () => "gateway",
    shows: async (page, { o, format }) => {
      const { health, http, inboundUrl, waiting } = await get("/carriers/gateway");
      await assertTiles(page, {
        [o.carriers.state]: o.carrierStates[health.state],
        [o.carriers.waiting]: format.number(waiting.recipients),
      });
      await assertFacts(page, { [o.httpSettings.url]: http.url, [o.httpSettings.username]: http.username });
      await page.getByText(inboundUrl).waitFor();
      const lines = (await get("/lines")).filter((line) => carrierNames(line).includes("gateway"));
      await page.locator(".chips a").first().waitFor();
      const shown = await page.locator(".chips a").allInnerTexts();
      assert.deepEqual(
        shown.map(plain),
        lines.map(({ number }) => format.digits(number)),
      );
    },
  },
  {
    hash: "#/lines",
    title: ({ o }) => o.pages.lines,
    shows: async (page, { o, format }) => {
      const lines = await get("/lines");
      await assertRows(
        page,
        lines.map((line) => [
          format.digits(line.number),
          o.lineStates.active,
          carrierNames(line).join(", "),
          line.shared ? o.lines.shared : o.lines.accountsOf(format.number(line.accounts.length)),
        ]),
      );
    },
  },
  {
    hash: "#/lines/10240",
    title: ({ o }) => o.line.title("").trim(),
    shows: async (page, { o, format }) => {
      const { coefficients, routes } = await get("/lines/10240");
      const drawn = plain(await page.locator(".route-picture svg").evaluate((svg) => svg.textContent));
      for (const [{ name }] of routes.map(({ carriers }) => carriers)) assert.ok(drawn.includes(name), drawn);
      await assertFacts(page, { [o.coefficients.ENGLISH]: format.number(coefficients.ENGLISH) });
      await page.locator(".chips a", { hasText: "demo" }).first().waitFor();
      await page.getByText(o.inbound.soleOwner).waitFor();
    },
  },
  {
    hash: "#/accounts",
    title: ({ o }) => o.pages.accounts,
    shows: async (page, { o, format }) => {
      const accounts = await get("/accounts");
      assert.ok(accounts.length > 2);
      await assertRows(
        page,
        accounts.map(({ fullName, username, status, plan, defaultLine, wallet }) => [
          fullName,
          username,
          o.accounts.states[status],
          plan.title,
          defaultLine ? format.digits(defaultLine) : "–",
          format.money(wallet.availableBalance, wallet.unit),
        ]),
      );
    },
  },
  ofDemo("", async (page, { t, o, format }) => {
    const { wallet, spentToday, plan, username, createdAt } = await get(`/accounts/${server.accountId}`);
    const money = (amount) => format.money(amount, wallet.unit);
    await assertTiles(page, {
      [t.wallet.available]: money(wallet.availableBalance),
      [t.wallet.reserved]: money(wallet.lockedBalance),
      [o.account.spentToday]: money(spentToday),
      [o.account.plan]: plan.title,
    });
    await assertFacts(page, { [o.accounts.username]: username, [o.account.made]: format.moment(createdAt) });
    await page.locator(".inline li").first().waitFor();
    const numbers = (await get("/lines")).map(({ number }) => format.digits(number));
    assert.deepEqual((await page.locator(".inline a").allInnerTexts()).map(plain).sort(), numbers.sort());
  }),
  ofDemo("/settings", async (page, { o }) => {
    const { fullName, plan, rateLimit } = await get(`/accounts/${server.accountId}`);
    assert.equal(await field(page, o.accounts.fullName).inputValue(), fullName);
    await page
      .getByRole("button", { name: new RegExp(`${o.account.plan}|${plan.title}`) })
      .first()
      .waitFor();
    const limit = page.getByRole("group", { name: o.account.rateLimit, exact: true });
    assert.equal(await limit.getByLabel(o.account.limitParts.limit).inputValue(), String(rateLimit.limit));
    await field(page, o.lowBalance.threshold).waitFor();
  }),
  ofDemo("/keys", async (page, { t }) => {
    const keys = await get(`/accounts/${server.accountId}/keys`);
    assert.ok(keys.length > 0);
    await assertRows(
      page,
      keys.map(({ title, hint, mode }) => [mode === "test" ? `${title} ${t.modes.test}` : title, t.keys.active, hint]),
    );
  }),
  {
    hash: async () => `#/accounts/${(await clinic()).id}/members`,
    title: async () => (await clinic()).fullName,
    shows: async (page, { t, format }) => {
      const members = await get(`/accounts/${(await clinic()).id}/members`);
      assert.ok(members.length > 0);
      await assertRows(
        page,
        members.map(({ name, phone, role, joinedAt }) => [
          joinedAt === null ? `${name} ${t.members.notJoined}` : name,
          format.phone(phone),
          t.roles[role].name,
        ]),
      );
    },
  },
  {
    hash: "#/plans",
    title: ({ o }) => o.pages.plans,
    shows: async (page, { format }) =>
      assertRows(
        page,
        (await get("/plans")).map(({ title, slug, tariff }) => [
          title,
          slug,
          format.money(tariff.price, "IRR"),
          format.number(tariff.prices.length),
        ]),
      ),
  },
  {
    hash: "#/plans/wholesale",
    title: async () => (await get("/plans?q=wholesale"))[0].title,
    shows: async (page, { o }) => {
      const [{ tariff }] = await get("/plans?q=wholesale");
      const prices = page.getByLabel(o.plans.price, { exact: true });
      assert.equal(await prices.first().inputValue(), String(tariff.price));
      assert.equal(await field(page, o.plans.prefix).inputValue(), tariff.prices[0].prefix);
    },
  },
  {
    hash: "#/patterns",
    title: ({ o }) => o.pages.patterns,
    shows: async (page, { o }) => {
      assert.deepEqual(await get("/patterns"), []);
      await emptyState(o.patterns.none)(page);
    },
  },
  {
    hash: "#/credits",
    title: ({ o }) => o.pages.credits,
    shows: async (page, { o, format }) => {
      const credits = await get("/credits?status=PENDING");
      assert.equal(credits.length, 1);
      const [{ amount, note }] = credits;
      await list(page)
        .getByRole("link", { name: (await clinic()).fullName })
        .waitFor();
      await assertRows(page, [
        [`${(await clinic()).fullName} ${note}`, format.change(amount, "IRR"), o.credits.statuses.PENDING],
      ]);
    },
  },
  { ...usageBy("day"), hash: "#/usage" },
  usageBy("account"),
  usageBy("line"),
  usageBy("carrier"),
  {
    hash: "#/audit",
    title: ({ o }) => o.pages.audit,
    shows: async (page, { o, format }) => {
      await page.locator(".entry").first().waitFor();
      const entries = await get("/audit");
      const shown = (await page.locator(".entry").allInnerTexts()).map(plain);
      assert.equal(shown.length, entries.length);
      for (const [index, { thing, operation, at }] of entries.entries())
        for (const part of [o.audit.kinds[thing.kind], operation, format.moment(at)])
          assert.ok(shown[index].includes(plain(part)), `${part}: ${shown[index]}`);
    },
  },
  {
    hash: "#/reconciliation",
    title: ({ o }) => o.pages.reconciliation,
    shows: async (page, { o }) => {
      const accounts = await get("/reconciliation");
      for (const { error, now } of accounts) assert.deepEqual([error, now.differences], [null, []]);
      const shown = await cellsOf(list(page));
      assert.deepEqual(
        shown.map(([name]) => name),
        accounts.map(({ username }) => username),
      );
      for (const [, now] of shown) assert.ok(now.startsWith(o.reconciliation.agrees), now);
    },
  },
  {
    hash: "#/erasures",
    title: ({ o }) => o.pages.erasures,
    shows: async (page, { o, format }) => {
      const erasures = await get("/erasures");
      assert.ok(erasures.length > 0);
      await assertRows(
        page,
        erasures.map(({ numberEnding, status }) => [`…${format.digits(numberEnding)}`, o.erasures.statuses[status]]),
      );
    },
  },
  {
    hash: "#/keys",
    title: ({ o }) => o.pages.keys,
    shows: async (page, { t, o }) => {
      await list(page).waitFor();
      const keys = await get("/keys");
      const shown = await cellsOf(list(page));
      assert.deepEqual(
        shown.map((row) => row[2]),
        keys.map(({ hint }) => hint),
      );
      for (const [index, { title, sessionOf }] of keys.entries())
        assert.ok(shown[index][0].startsWith(title), sessionOf);
      await page.getByText(t.keys.current).waitFor();
      await field(page, o.findKey.key).waitFor();
    },
  },
  {
    hash: "#/members",
    title: ({ o }) => o.pages.members,
    shows: async (page, { o, format }) => {
      const members = await get("/members");
      assert.ok(members.length > 1);
      await assertRows(
        page,
        members.map(({ name, phone, scopes }) => [
          name,
          format.phone(phone),
          scopes.map((scope) => o.scopes[scope]).join(" · "),
        ]),
      );
    },
  },
  {
    hash: "#/settings",
    title: ({ t }) => t.settings.title,
    shows: async (page, { t, language }) => {
      const chosen = page.getByRole("radio", { name: t.settings.languages[language] });
      assert.ok(await chosen.isChecked());
      const own = (await get("/keys")).find(({ createdBy }) => createdBy === null);
      await page.getByText(t.settings.signedInOperator(own.title)).waitFor();
    },
  },
];

const hashOf = async ({ hash }) => (typeof hash === "function" ? hash() : hash);
/** The path in a hash, without filters. */
const pathOf = (hash) => hash.slice(1).split("?")[0];

test("each page of an operator has a row here, and each row is a page", async () => {
  const paths = (await Promise.all(pages.map(hashOf))).map(pathOf);
  const untested = operatorPlaces.filter(({ address }) => !paths.some((path) => address.test(path)));
  assert.deepEqual(
    untested.map(({ address }) => address.source),
    [],
  );
  for (const path of paths)
    assert.ok(
      operatorPlaces.some(({ address }) => address.test(path)),
      path,
    );
});

async function open(language, options) {
  const opened = await openConsole(browser, server, server.adminKey, { language, ...options });
  const format = makeFormat(language, language === "fa" ? "persian" : "gregory");
  const { t, o } = opened;
  return { ...opened, texts: { t, o, format, language } };
}

for (const language of languages)
  test(`every page of an operator shows the demo's data and is whole, in ${language} at ${widths.join(" and ")} px`, async () => {
    const order = widthsIn(language);
    const viewport = sizeOf(order[0]);
    const { page, faults, close, texts } = await open(language, { viewport });
    for (const row of pages) {
      const hash = await hashOf(row);
      await page.setViewportSize(viewport);
      await goTo(page, hash, await row.title(texts));
      await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
      await row.shows(page, texts);
      assert.equal(await page.locator(".state [role=alert]").count(), 0, hash);
      await assertGoodAt(order, page, faults, hash, language);
    }
    const moved = await movedWhileLoading(page, [[390, ["/", "/carriers", "/lines", "/accounts"]]]);
    assert.deepEqual(moved, []);
    await close();
  });

/** Ways from one page to another: where a link stands, which one it is, and the heading and the address that it leads to. */
const ways = [
  { from: "#/", link: "gateway", to: /#\/carriers\/gateway$/, title: () => "gateway" },
  { from: "#/", link: /credit/, to: /#\/credits/, title: ({ o }) => o.pages.credits },
  { from: "#/carriers", link: "sandbox", to: /#\/carriers\/sandbox$/, title: () => "sandbox" },
  { from: "#/carriers/gateway", link: "98300", to: /#\/lines\/98300$/, title: () => "98300" },
  { from: "#/lines", link: "10240", to: /#\/lines\/10240$/, title: () => "10240" },
  { from: "#/lines/10240", link: "demo", to: /#\/accounts\/[^/]+$/, title: () => "Demo" },
  { from: "#/accounts", link: "Demo", to: /#\/accounts\/[^/]+$/, title: () => "Demo" },
  { from: demo(""), link: "98300", to: /#\/lines\/98300$/, title: () => "98300" },
  { from: demo(""), link: "Keys", to: /\/keys$/, title: () => "Demo" },
  { from: demo(""), link: "Usage", to: /#\/usage\?account=/, title: ({ o }) => o.pages.usage },
  { from: "#/plans", link: "Demo", to: /#\/plans\/demo$/, title: () => "Demo" },
  { from: "#/credits", link: "کلینیک مهر", to: /#\/accounts\/[^/]+$/, title: () => "کلینیک مهر" },
  { from: "#/usage?by=account", link: "mehr-clinic", to: /#\/usage\?account=/, title: ({ o }) => o.pages.usage },
  { from: "#/usage?by=line", link: "98300", to: /#\/usage\?line=98300$/, title: ({ o }) => o.pages.usage },
  { from: "#/usage?by=carrier", link: "gateway", to: /#\/usage\?carrier=gateway$/, title: ({ o }) => o.pages.usage },
  { from: "#/audit?thing=carrier", link: "gateway", to: /#\/carriers\/gateway$/, title: () => "gateway" },
  { from: "#/reconciliation", link: "alborz", to: /#\/accounts\/[^/]+$/, title: () => "آموزشگاه البرز" },
];

test("the links of lists lead to what they name", async () => {
  const { page, faults, close, t, texts } = await open("en");
  for (const { from, link, to, title } of ways) {
    await goTo(page, "#/settings", t.settings.title);
    const start = typeof from === "function" ? from() : from;
    await page.evaluate((hash) => {
      location.hash = hash;
    }, start);
    const options = typeof link === "string" ? { name: link, exact: true } : { name: link };
    await page.locator("#content").getByRole("link", options).first().click();
    await page.waitForURL(to);
    await page.locator("#content h1", { hasText: title(texts) }).waitFor();
    await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
    assert.deepEqual(faults, [], start);
  }
  await close();
});
