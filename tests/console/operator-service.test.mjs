// The pages of operators about the service itself, and what an operator does there, held against what the API says afterwards.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  changeCarrier,
  healthOf,
  httpCarrier,
  numbers,
  sendTexts,
  shopThrough,
  smppCarrier,
} from "../support/carriers.mjs";
import { withClock } from "../support/clocked.mjs";
import { button, dialog, field, goTo, openConsole, pressUntil, read } from "../support/console-browser.mjs";
import { list, testViews } from "../support/console-views.mjs";
import { startSmscProcess } from "../support/peers/smsc-process.mjs";
import { sharedServer, until } from "../support/server.mjs";
import { admin, openShop } from "../support/shop.mjs";
import { launch } from "../support/site-browser.mjs";

// The browser is closed first, also if the server did not start.
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

let shop;
/** An SMSC that nobody runs, so a carrier that is down. */
let down;
/** A line with two routes. */
const routed = "30001234";
const gateway = "kannel";
const reserve = "asiatech";
const server = sharedServer(
  async (server) => {
    shop = await openShop(server, 1_000_000);
    down = await smppCarrier(server, { port: 1 });
    const http = { url: "https://127.0.0.1:1/sendsms", username: "peyk", password: "secret" };
    await made(admin(server, "POST", "/admin/carriers", { name: gateway, kind: "http", http, paused: true }));
    await made(admin(server, "POST", "/admin/carriers", { name: reserve, kind: "http", http, active: false }));
    const way = (name) => [{ name, weight: 1 }];
    const routes = [
      { prefixes: [], carriers: way("sandbox") },
      { prefixes: ["98912", "98991"], carriers: way(down), backup: way(gateway) },
    ];
    const line = { number: routed, operations: ["WEBSERVICE", "PATTERN"], routes, allowSandbox: true };
    await made(admin(server, "POST", "/admin/lines", { ...line, accounts: [shop.id] }));
    await makeDeadLetter(server);
  },
  () => ({ PUBLIC_URL: "https://sms.example.com" }),
);

async function made(pending) {
  const answer = await pending;
  assert.ok(answer.status < 300, answer.text);
  return answer.json?.data;
}

/** Three recipients wait for a carrier that is down, and an hour goes by. */
async function makeDeadLetter(server) {
  const goAhead = await withClock(server);
  const shop = await shopThrough(server, { carrier: down });
  await sendTexts(server, shop, new Map(numbers(3).map((number) => [number, "late"])));
  await goAhead(61 * 60_000);
  const letters = async () => (await admin(server, "GET", "/admin/dead-letters")).json.data;
  await until(async () => (await letters()).length > 0, { interval: 500, what: "the dead letter" });
}

const open = (hash, options) => openConsole(browser, server, server.adminKey, { hash, ...options });
const get = async (path) => (await admin(server, "GET", `/admin${path}`)).json.data;
const row = (page, text) => page.locator("table.list tbody tr", { hasText: text });

testViews(
  () => ({ browser, server, key: server.adminKey }),
  [
    { name: "carriers", hash: "#/carriers", title: (_, o) => o.pages.carriers, ready: (page) => list(page).waitFor() },
    {
      name: "no carriers found",
      hash: "#/carriers?q=nobody",
      title: (_, o) => o.pages.carriers,
      ready: (page, _, o) => page.getByRole("heading", { name: o.carriers.noneFound }).waitFor(),
    },
    {
      name: "a new carrier",
      hash: "#/carriers",
      title: (_, o) => o.pages.carriers,
      ready: async (page, _, o) => {
        await button(page, o.carriers.add).click();
        await button(page, o.carriers.create).waitFor();
      },
    },
    {
      name: "a carrier that is down",
      hash: () => `#/carriers/${down}`,
      title: () => down,
      ready: async (page, _, o) => {
        await page.locator(".tiles .badge", { hasText: o.carrierStates.DOWN }).waitFor();
        await page.locator(".chips a").first().waitFor();
      },
    },
    {
      name: "the settings of a gateway",
      hash: `#/carriers/${gateway}`,
      title: () => gateway,
      ready: async (page, _, o) => {
        await page.getByText(o.carrier.inboundUrl).waitFor();
        await button(page, o.carrier.change).click();
        await field(page, o.httpSettings.url).waitFor();
      },
    },
    {
      name: "overview",
      hash: "#/",
      title: (_, o) => o.pages.overview,
      ready: async (page) => {
        await page.locator(".charts svg").waitFor();
        await page.locator(".warnings li", { hasText: down }).waitFor();
        await page.locator("#content table.list").last().waitFor();
      },
    },
    {
      name: "dead letters",
      hash: "#/dead-letters",
      title: (_, o) => o.pages.deadLetters,
      ready: async (page, _, o) => {
        await button(page, o.deadLetters.retry).click();
        await dialog(page).waitFor();
      },
    },
    {
      name: "no dead letters",
      hash: "#/dead-letters?kind=GIVEN_UP",
      title: (_, o) => o.pages.deadLetters,
      ready: (page, _, o) => page.getByRole("heading", { name: o.deadLetters.noneFound }).waitFor(),
    },
    {
      name: "the switch for all",
      hash: "#/sending",
      title: (_, o) => o.pages.sending,
      ready: async (page, _, o) => {
        await button(page, o.sending.switchOff).click();
        await dialog(page).waitFor();
      },
    },
    { name: "lines", hash: "#/lines", title: (_, o) => o.pages.lines, ready: (page) => list(page).waitFor() },
    {
      name: "a new line",
      hash: "#/lines",
      title: (_, o) => o.pages.lines,
      ready: async (page, _, o) => {
        await list(page).waitFor();
        await button(page, o.lines.add).click();
        await button(page, o.lines.create).waitFor();
      },
    },
    {
      name: "a line with its routes",
      hash: `#/lines/${routed}`,
      title: (_, o) => o.line.title(""),
      ready: async (page, _, o) => {
        await page.locator(".route-picture .carrier").nth(2).waitFor();
        await page.locator(".chips a").first().waitFor();
        await page.getByText(o.routes.asTable).click();
        await page.locator(".shares .badge").first().waitFor();
      },
    },
    {
      name: "the routes and the settings of a line, while they are changed",
      hash: `#/lines/${routed}`,
      title: (_, o) => o.line.title(""),
      ready: async (page, _, o) => {
        await page.locator(".route-picture .carrier").nth(2).waitFor();
        await button(page, o.routes.change).click();
        await button(page, o.line.change).click();
        await button(page, o.inbound.change).click();
        await field(page, o.inbound.keyword).waitFor();
      },
    },
    {
      name: "the pause of a carrier",
      hash: "#/carriers/sandbox",
      title: () => "sandbox",
      ready: async (page, _, o) => {
        await button(page, o.carrierSwitches.pause).click();
        await dialog(page).waitFor();
      },
    },
  ],
);

test("a carrier is added, shows that it is up, is changed, paused and resumed", async () => {
  const smsc = await startSmscProcess();
  try {
    const { page, faults, close, t, o } = await open("#/carriers");
    await button(page, o.carriers.add).click();
    await field(page, o.carriers.name).fill("tci");
    await field(page, o.smppSettings.host).fill("127.0.0.1");
    await field(page, o.smppSettings.port).fill("many");
    await button(page, o.carriers.create).click();
    await page.getByText("must be a whole number").first().waitFor();
    assert.equal((await admin(server, "GET", "/admin/carriers/tci")).status, 404);
    faults.length = 0;
    await field(page, o.smppSettings.port).fill(String(smsc.port));
    await field(page, o.smppSettings.systemId).fill("peyk");
    await field(page, o.smppSettings.password).fill("secret");
    await page.getByText(o.smppSettings.tls).click();
    await button(page, o.carriers.create).click();
    await page.locator("#content h1", { hasText: "tci" }).waitFor();
    await page.locator(".tiles .badge", { hasText: o.carrierStates.UP }).waitFor();

    await button(page, o.carrier.change).click();
    await field(page, o.smppSettings.window).fill("۲۵");
    await button(page, o.carrier.save).click();
    await button(page, o.carrier.change).waitFor();
    const { smpp } = await get("/carriers/tci");
    assert.deepEqual([smpp.window, smpp.port, smpp.tls], [25, smsc.port, false]);
    await page.locator(".tiles", { hasText: o.carriers.windowOf("0", "25") }).waitFor();

    await button(page, o.carrierSwitches.pause).click();
    assert.match(await read(dialog(page)), /Now 0 recipients wait for it, and 0 lines have a route to it\./);
    await button(dialog(page), t.form.cancel).click();
    assert.equal((await get("/carriers/tci")).paused, false);
    await button(page, o.carrierSwitches.pause).click();
    await button(dialog(page), o.carrierSwitches.pause).click();
    await page.locator(".tiles .badge", { hasText: o.carrierStates.PAUSED }).waitFor();
    assert.equal((await get("/carriers/tci")).paused, true);
    await button(page, o.carrierSwitches.resume).click();
    await button(dialog(page), o.carrierSwitches.resume).click();
    await page.locator(".tiles .badge", { hasText: o.carrierStates.UP }).waitFor();
    assert.deepEqual(faults, []);
    await close();
    await changeCarrier(server, "tci", { active: false });
  } finally {
    await smsc.stop();
  }
});

test("the list shows without a reload that a carrier goes down and comes back", async () => {
  const smsc = await startSmscProcess();
  try {
    const name = await smppCarrier(server, smsc);
    await until(async () => (await healthOf(server, name)).state === "UP", { what: "the bind" });
    const { page, close, o } = await open("#/carriers");
    const badge = (state) => row(page, name).locator(".badge", { hasText: o.carrierStates[state] });
    await badge("UP").waitFor();
    await smsc.kill();
    await badge("DOWN").waitFor();
    await smsc.restart();
    await badge("UP").waitFor();
    await close();
    await changeCarrier(server, name, { active: false });
  } finally {
    await smsc.stop();
  }
});

test("a gateway gets new addresses, and a carrier that a line uses is not deleted", async () => {
  const name = await httpCarrier(server, { url: "http://127.0.0.1:1/sendsms", username: "peyk", password: "secret" });
  const { page, close, t, o } = await open(`#/carriers/${name}`);
  const before = (await get(`/carriers/${name}`)).inboundUrl;
  await page.getByText(before).waitFor();
  await button(page, o.carrier.rotate).click();
  await button(dialog(page), o.carrier.rotate).click();
  await page.getByText(before).waitFor({ state: "detached" });
  const { inboundUrl } = await get(`/carriers/${name}`);
  await page.getByText(inboundUrl).waitFor();

  await made(admin(server, "POST", "/admin/lines", { number: "30007711", carrier: name, operations: ["PATTERN"] }));
  await page.reload();
  await page.getByRole("link", { name: "30007711" }).waitFor();
  await button(page, o.carrier.remove).click();
  await dialog(page).getByText(o.carrier.removeUsed("1")).waitFor();
  await button(dialog(page), o.carrier.remove).click();
  await dialog(page).getByRole("link", { name: t.state.help }).waitFor();
  assert.equal((await admin(server, "DELETE", "/admin/lines/30007711")).status, 204);
  await button(dialog(page), o.carrier.remove).click();
  await page.locator("#content h1", { hasText: o.pages.carriers }).waitFor();
  assert.equal((await admin(server, "GET", `/admin/carriers/${name}`)).status, 404);
  await close();
});

test("who insists deletes a carrier that owes reports, after hearing of how many", async () => {
  const smsc = await startSmscProcess({ receipts: null });
  try {
    const name = await smppCarrier(server, smsc);
    const shop = await shopThrough(server, { carrier: name });
    await sendTexts(server, shop, new Map(numbers(3).map((number) => [number, "on its way"])));
    const taken = async () => {
      const { json } = await admin(server, "GET", `/admin/usage?by=carrier&carrier=${name}`);
      return json.data.some(({ recipients }) => recipients === 3);
    };
    await until(taken, { interval: 1_000, what: "the usage in the directory" });
    assert.equal((await admin(server, "PATCH", `/admin/lines/${shop.line}`, { carrier: "sandbox" })).status, 200);
    const { page, close, o } = await open(`#/carriers/${name}`);
    await button(page, o.carrier.remove).click();
    await dialog(page).getByText(o.carrier.removeText).waitFor();
    await button(dialog(page), o.carrier.remove).click();
    await dialog(page).getByText("not reported yet: 3.").waitFor();
    await dialog(page).getByText(o.carrier.removeAnyway).click();
    await button(dialog(page), o.carrier.remove).click();
    await page.locator("#content h1", { hasText: o.pages.carriers }).waitFor();
    assert.equal((await admin(server, "GET", `/admin/carriers/${name}`)).status, 404);
    await close();
  } finally {
    await smsc.stop();
  }
});

const picture = (page) => page.locator(".route-picture svg");
/** The boxes of carriers in the picture, as a person reads them: name, state and share. */
const drawn = async (page) => {
  const boxes = await page.locator(".route-picture .carrier").all();
  return Promise.all(boxes.map(async (box) => (await box.locator("text").allTextContents()).join(" ")));
};
const choose = async (page, select, name) => {
  await select.click();
  await page.getByRole("option", { name, exact: true }).click();
};

test("a line is added, and its routes are changed while the picture follows", async () => {
  const { page, faults, close, o } = await open("#/lines");
  await button(page, o.lines.add).click();
  await field(page, o.lines.number).fill("۳۰۰۰۹۹");
  await choose(page, page.locator("form .select"), gateway);
  await button(page, o.lines.create).click();
  await picture(page).waitFor();
  assert.deepEqual(await drawn(page), [`${gateway} paused · 100%`]);
  const { routes } = await get("/lines/300099");
  assert.deepEqual(routes, [{ prefixes: [], carriers: [{ name: gateway, weight: 1 }], backup: [] }]);

  await button(page, o.routes.change).click();
  await button(page, o.routes.add).click();
  const added = page.locator(".route-editor fieldset").first();
  await field(added, o.routes.prefixes).fill("+98935، ۹۸۹۳۶");
  await choose(page, added.locator(".select").first(), down);
  await button(added, o.routes.addCarrier).click();
  await field(added, o.routes.weight).nth(1).fill("3");
  await button(added, o.routes.addBackup).click();
  await choose(page, added.locator(".select").nth(1), gateway);
  await choose(page, added.locator(".select").nth(2), reserve);
  await page.locator(".route-picture .title", { hasText: "98935, 98936" }).waitFor();
  assert.deepEqual(await drawn(page), [
    `${down} down · 25%`,
    `${gateway} paused · 75%`,
    `${reserve} out of service · backup`,
    `${gateway} paused · 100%`,
  ]);
  assert.equal((await get("/lines/300099")).routes.length, 1);
  await button(page, o.routes.save).click();
  await button(page, o.routes.change).waitFor();
  const [first] = (await get("/lines/300099")).routes;
  assert.deepEqual(first, {
    prefixes: ["98935", "98936"],
    carriers: [
      { name: down, weight: 1 },
      { name: gateway, weight: 3 },
    ],
    backup: [{ name: reserve, weight: 1 }],
  });
  await page.getByText(o.routes.asTable).click();
  assert.match(await read(row(page, "98935")), new RegExp(`${down}\\s+weight 1\\s+down`));

  await button(page, o.line.remove).click();
  await button(dialog(page), o.line.remove).click();
  await page.locator("#content h1", { hasText: o.pages.lines }).waitFor();
  assert.equal((await admin(server, "GET", "/admin/lines/300099")).status, 404);
  assert.deepEqual(faults, []);
  await close();
});

test("routes that the service refuses stay as they were, and the page says why", async () => {
  const before = (await get(`/lines/${routed}`)).routes;
  const { page, close, t, o } = await open(`#/lines/${routed}`);
  await button(page, o.routes.change).click();
  await field(page, o.routes.prefixes).fill("98abc");
  await button(page, o.routes.save).click();
  await page.getByRole("link", { name: t.state.help }).waitFor();
  await page.locator("fieldset").getByText("1 to 15 digits").waitFor();
  await field(page, o.routes.prefixes).fill("98912");
  await button(page, o.routes.save).click();
  await page.getByRole("alert").getByText("billed").waitFor();
  assert.deepEqual((await get(`/lines/${routed}`)).routes, before);
  await page.getByText(o.routes.allowSandbox).click();
  await button(page, o.routes.save).click();
  await button(page, o.routes.change).waitFor();
  const prefixes = (await get(`/lines/${routed}`)).routes.map((route) => route.prefixes);
  assert.deepEqual(prefixes.flat(), ["98912"]);
  await close();
});

test("who may use a line, what it costs and appends, and who gets its messages from phones by username, is set", async () => {
  const { username } = await get(`/accounts/${shop.id}`);
  const demo = await get(`/accounts/${server.accountId}`);
  const { page, close, o } = await open(`#/lines/${routed}`);
  await page.getByRole("link", { name: username }).first().waitFor();
  await button(page, o.line.change).click();
  await field(page, o.accountField.username).fill("nobody-at-all");
  await button(page, o.accountField.add).click();
  await page.getByText(o.accountField.none).waitFor();
  await field(page, o.accountField.username).fill(demo.username);
  await page.keyboard.press("Enter");
  await button(page, o.accountField.removeOf(demo.username)).waitFor();
  await field(page, o.coefficients.ENGLISH).fill("۱٫۲");
  await field(page, o.line.suffix).fill("100%");
  await button(page, o.line.save).click();
  await page.getByText("one line of text with a letter or a digit").first().waitFor();
  await field(page, o.line.suffix).fill(" لغو۱۱ ");
  await button(page, o.line.save).click();
  await button(page, o.line.change).waitFor();
  const line = await get(`/lines/${routed}`);
  assert.deepEqual([line.accounts.toSorted(), line.coefficients.ENGLISH], [[shop.id, demo.id].toSorted(), 1.2]);
  assert.equal(line.suffix, "لغو۱۱");
  await page.locator(".facts", { hasText: "لغو۱۱" }).waitFor();

  await button(page, o.line.change).click();
  await field(page, o.line.suffix).fill("");
  await button(page, o.line.save).click();
  await page.locator(".facts", { hasText: o.line.noSuffix }).waitFor();
  assert.equal((await get(`/lines/${routed}`)).suffix, null);

  await button(page, o.line.change).click();
  await page.locator("label", { hasText: o.line.hours }).click();
  await field(page, o.line.timeZone).fill("Mars/Phobos");
  await button(page, o.line.save).click();
  await page.getByText("Mars/Phobos;").first().waitFor();
  await field(page, o.line.timeZone).fill("Asia/Tehran");
  await button(page, o.line.save).click();
  const hours = { from: "08:00", to: "21:00", timeZone: "Asia/Tehran" };
  await page.locator(".facts", { hasText: o.line.fromTo(hours.from, hours.to, hours.timeZone) }).waitFor();
  assert.deepEqual((await get(`/lines/${routed}`)).hours, hours);
  await button(page, o.line.change).click();
  await page.locator("label", { hasText: o.line.hours }).click();
  await button(page, o.line.save).click();
  await page.locator(".facts", { hasText: o.line.allHours }).waitFor();

  await button(page, o.inbound.change).click();
  await field(page, o.inbound.keyword).fill("win");
  await field(page, o.inbound.keywordAccount).fill(demo.username);
  await page.keyboard.press("Enter");
  await page.locator(".chips", { hasText: "win" }).waitFor();
  await field(page, o.accountField.username).fill(username);
  await button(page, o.accountField.choose).click();
  await button(page, o.accountField.removeOf(username)).waitFor();
  await button(page, o.inbound.save).click();
  await button(page, o.inbound.change).waitFor();
  const { account, keywords } = await get(`/lines/${routed}/inbound`);
  assert.deepEqual([account, keywords], [shop.id, [{ keyword: "win", account: demo.id }]]);
  await close();
});

test("a line is paused and resumed, and its dialog says how many wait", async () => {
  const { page, close, o } = await open(`#/lines/${routed}`);
  await button(page, o.lineSwitches.pause).click();
  assert.match(await read(dialog(page)), /Now 0 recipients wait/);
  await button(dialog(page), o.lineSwitches.pause).click();
  await page.locator(".facts .badge", { hasText: o.lineStates.paused }).waitFor();
  assert.equal((await get(`/lines/${routed}`)).paused, true);
  await button(page, o.lineSwitches.resume).click();
  await button(dialog(page), o.lineSwitches.resume).click();
  await page.locator(".facts .badge", { hasText: o.lineStates.active }).waitFor();
  assert.equal((await get(`/lines/${routed}`)).paused, false);
  await close();
});

test("the overview warns of what needs a look, and leads there", async () => {
  const { page, close, o } = await open("#/");
  const warning = page.locator(".warnings li");
  await warning
    .filter({ hasText: o.serviceWarnings.stuck("1") })
    .getByRole("link")
    .click();
  await page.waitForURL("**/console#/dead-letters?kind=STUCK");
  await row(page, o.deadLetterReasons.waits).waitFor();
  await page.goBack();
  const text = o.serviceWorries.CARRIER_DOWN(down);
  await warning.first().waitFor();
  assert.ok((await Promise.all((await warning.all()).map(read))).some((line) => line.includes(text)));
  const [today] = await get("/usage?by=day");
  assert.match(await read(page.locator(".tiles")), new RegExp(`${o.service.today}\\s+${today.recipients}`));
  await close();
});

test("the overview says if something did not answer, in place of saying that all is well", async () => {
  const { page, close, o } = await open("#/sending");
  const refused = { type: "", title: "", status: 409, detail: "not now", errors: [] };
  await page.route("**/admin/dead-letters*", (route) =>
    route.fulfill({ status: 409, contentType: "application/problem+json", json: refused }),
  );
  await goTo(page, "#/", o.pages.overview);
  await page.locator(".warnings li", { hasText: o.serviceWarnings.unknown }).waitFor();
  await page.unroute("**/admin/dead-letters*");
  await page.reload();
  await page.locator(".warnings li", { hasText: o.serviceWarnings.stuck("1") }).waitFor();
  assert.equal(await page.getByText(o.serviceWarnings.unknown).count(), 0);
  await close();
});

test("a dead letter is tried again, and the dialog says for how many", async () => {
  const [letter] = await get("/dead-letters");
  const { page, close, o } = await open(`#/dead-letters?account=${letter.account}`);
  await button(page, o.deadLetters.retry).click();
  assert.match(await read(dialog(page)), /3 recipients are tried at once, by the routes of now/);
  await pressUntil(page, o.deadLetters.retrySubmit("3"), o.deadLetters.retried("3"));
  const audited = async () => (await get("/audit?operation=AdminRetryDeadLetter"))[0];
  const { thing } = await until(audited, { what: "the retry in the audit log" });
  assert.deepEqual([thing.kind, thing.account], ["deadLetter", letter.account]);
  await close();
});

test("sending is switched off for all with a reason, and on again", async () => {
  const { page, close, t, o } = await open("#/sending");
  await button(page, o.sending.switchOff).click();
  await button(dialog(page), t.form.cancel).click();
  assert.equal((await get("/sending")).enabled, true);
  await button(page, o.sending.switchOff).click();
  await field(page, o.sending.why).fill("the SMSC is being moved");
  await button(dialog(page), o.sending.switchOff).click();
  await page.getByText(o.sending.offText).waitFor();
  await page.getByText("the SMSC is being moved").waitFor();
  await page.locator(".facts", { hasText: "npm run operator-key" }).waitFor();
  assert.deepEqual((({ enabled, reason }) => [enabled, reason])(await get("/sending")), [
    false,
    "the SMSC is being moved",
  ]);
  await goTo(page, "#/", o.pages.overview);
  await page.getByText(o.serviceWarnings.sendingOff).waitFor();
  await goTo(page, "#/sending", o.pages.sending);
  await button(page, o.sending.switchOn).click();
  await button(dialog(page), o.sending.switchOn).click();
  await page.getByText(o.sending.onText).waitFor();
  assert.equal((await get("/sending")).enabled, true);
  await close();
});

test("an operator who may only read sees carriers, and nothing to change them with", async () => {
  const body = { title: "reader", scopes: ["admin:read"] };
  const { key } = await made(admin(server, "POST", "/admin/keys", body));
  const { page, close, o } = await openConsole(browser, server, key, { hash: "#/carriers/sandbox" });
  await page.locator(".tiles .badge").waitFor();
  assert.equal(await button(page, o.carrierSwitches.pause).count(), 0);
  assert.equal(await button(page, o.carrier.change).count(), 0);
  await goTo(page, "#/carriers", o.pages.carriers);
  await list(page).waitFor();
  assert.equal(await button(page, o.carriers.add).count(), 0);
  await close();
});
