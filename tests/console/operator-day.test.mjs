// A day of an operator, in the console alone: a new customer, two carriers and a line between them, one carrier that dies, messages
// that wait for too long, and what the audit log says of it all. The carriers are SMSCs that speak SMPP over TCP.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { takenBy } from "../support/carriers.mjs";
import { withClock } from "../support/clocked.mjs";
import { button, dialog, field, goTo, openConsole, pressUntil, read } from "../support/console-browser.mjs";
import { startSmscProcess } from "../support/peers/smsc-process.mjs";
import { sharedServer, until } from "../support/server.mjs";
import { admin, message, send, whenDone } from "../support/shop.mjs";
import { launch } from "../support/site-browser.mjs";

// The browser is closed first, also if the server did not start.
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

let goAhead;
const server = sharedServer(async (server) => {
  goAhead = await withClock(server);
});

const line = "30004455";
const hour = 3_600_000;

async function choose(page, label, name) {
  await page.getByRole("button", { name: label }).last().click();
  await page.getByRole("option", { name, exact: true }).click();
}

/** Opens an account, gives it money, and issues its key. Returns the address of its page and the key. */
async function openAccount({ page, t, o }) {
  await goTo(page, "#/accounts", o.pages.accounts);
  await button(page, o.accounts.create).click();
  await field(page, o.accounts.fullName).fill("Saffron Shop");
  await field(page, o.accounts.username).fill("saffron");
  await choose(page, o.account.plan, "Demo");
  await button(page, o.accounts.createSubmit).click();
  await page.locator("h1", { hasText: "Saffron Shop" }).waitFor();
  const { hash } = new URL(page.url());
  await button(page, o.credit.open).click();
  await field(page, o.credit.amount).fill("۱۰۰٬۰۰۰");
  await button(page, o.credit.look).click();
  await dialog(page).getByRole("button", { name: /^Add/ }).click();
  await page.locator(".tiles", { hasText: "100,000" }).waitFor();
  await goTo(page, `${hash}/keys`, "Saffron Shop");
  await button(page, t.keys.issue).click();
  await field(page, t.keys.name).fill("web shop");
  await button(page, t.keys.issueSubmit).click();
  const key = await page.locator(".shown-key code").innerText();
  await button(page, t.keys.shownDone).click();
  return { hash, key };
}

async function addCarrier({ page, o }, name, smsc) {
  await goTo(page, "#/carriers", o.pages.carriers);
  await button(page, o.carriers.add).click();
  await field(page, o.carriers.name).fill(name);
  await field(page, o.smppSettings.host).fill("127.0.0.1");
  await field(page, o.smppSettings.port).fill(String(smsc.port));
  await field(page, o.smppSettings.systemId).fill("peyk");
  await field(page, o.smppSettings.password).fill("secret");
  await page.getByText(o.smppSettings.tls).click();
  await button(page, o.carriers.create).click();
  await page.locator(".tiles .badge", { hasText: o.carrierStates.UP }).waitFor();
}

/** A line that goes by the first carrier, with the second one as its backup. */
async function addLine({ page, o }, first, second) {
  await goTo(page, "#/lines", o.pages.lines);
  await button(page, o.lines.add).click();
  await field(page, o.lines.number).fill(line);
  await choose(page, o.lines.carrier, first);
  await page.getByText(o.lines.sharedLabel).click();
  await button(page, o.lines.create).click();
  await button(page, o.routes.change).click();
  await button(page, o.routes.addBackup).click();
  await choose(page, o.routes.carrier, second);
  await button(page, o.routes.save).click();
  await button(page, o.routes.change).waitFor();
  await drawn(page, `${first} up · 100%`).waitFor();
  await drawn(page, `${second} up · backup`).waitFor();
}

/** The box of a carrier in the picture of a line, by what stands in it. */
const drawn = (page, text) =>
  page.locator(".route-picture .carrier").filter({ hasText: new RegExp(text.split(" ").join("\\s*")) });

async function sent(key, number) {
  const answer = await send(server, key, [number], { sourceNumber: line });
  assert.equal(answer.status, 201, answer.text);
  return answer.json.data.uid;
}

const arrived = async (key, number) => {
  const { counts } = await whenDone(server, key, await sent(key, number));
  assert.equal(counts.DELIVERED, 1);
};

test("a day of an operator: customer, carriers, a line, a carrier that dies, a dead letter, a hold, and the audit log", async () => {
  const [a, b] = [await startSmscProcess(), await startSmscProcess({ firstId: 1_000_000 })];
  try {
    const opened = await openConsole(browser, server, server.adminKey);
    const { page, faults, close, o } = opened;
    const { hash, key } = await openAccount(opened);
    await addCarrier(opened, "tci", a);
    await addCarrier(opened, "asiatech", b);
    await addLine(opened, "tci", "asiatech");
    await arrived(key, "+989121110001");
    assert.equal(takenBy(await a.counts(), "+989121110001"), 1);

    await a.kill();
    await drawn(page, "tci down · 100%").waitFor();
    await arrived(key, "+989121110002");
    assert.equal(takenBy(await b.counts(), "+989121110002"), 1);

    await b.kill();
    await drawn(page, "asiatech down · backup").waitFor();
    const late = await sent(key, "+989121110003");
    await goAhead(hour + 60_000);
    await goTo(page, "#/dead-letters", o.pages.deadLetters);
    await button(page, o.deadLetters.retry).click();
    assert.match(await read(dialog(page)), /1 recipient is tried at once/);
    await pressUntil(page, o.deadLetters.retrySubmit("1"), o.deadLetters.retried("1"));
    assert.equal((await message(server, key, late)).status, "QUEUED");
    await a.restart();
    assert.equal((await whenDone(server, key, late)).counts.DELIVERED, 1);
    await goTo(page, "#/carriers/tci", "tci");
    await page.locator(".tiles .badge", { hasText: o.carrierStates.UP }).waitFor();

    await goTo(page, hash, "Saffron Shop");
    await button(page, o.switches.turnOff.hold).click();
    await button(dialog(page), o.switches.turnOff.hold).click();
    await dialog(page).waitFor({ state: "detached" });
    const held = await sent(key, "+989121110004");
    assert.equal((await message(server, key, held)).status, "QUEUED");
    await button(page, o.switches.turnOn.hold).click();
    await button(dialog(page), o.switches.turnOn.hold).click();
    assert.equal((await whenDone(server, key, held)).counts.DELIVERED, 1);

    await assertAudited(opened, hash.split("/").at(-1));
    // The browser notes a retry that came before the service knew that the message is stuck.
    const isTooSoon = (fault) => fault.includes("status of 409");
    assert.deepEqual(
      faults.filter((fault) => !isTooSoon(fault)),
      [],
    );
    await close();
  } finally {
    await Promise.all([a.stop(), b.stop()]);
  }
});

/** What the audit log has of the day: of the account, and of what belongs to none. The directory hears of it a little later. */
async function assertAudited({ page, o }, account) {
  const wanted = {
    [`account=${account}`]: ["CreateAccount", "AddCredit", "IssueKey", "RetryDeadLetter", "ChangeAccount"],
    "thing=carrier": ["CreateCarrier"],
    "thing=line": ["CreateLine", "ChangeLine"],
  };
  for (const [query, names] of Object.entries(wanted)) {
    const logged = async () => (await admin(server, "GET", `/admin/audit?${query}`)).json.data;
    const lacks = async () => {
      const found = (await logged()).map(({ operation }) => operation);
      return names.filter((name) => !found.includes(`Admin${name}`));
    };
    await until(async () => (await lacks()).length === 0, { interval: 1_000, what: `the audit log of ${query}` });
    await goTo(page, `#/audit?${query}`, o.pages.audit);
    for (const name of names)
      await page
        .locator(".entry", { hasText: `Admin${name}` })
        .first()
        .waitFor();
  }
  await goTo(page, `#/audit?account=${account}&operation=AdminChangeAccount`, o.pages.audit);
  const holds = page.locator(".entry tbody tr", { hasText: "hold" });
  await holds.nth(1).waitFor();
  const values = await Promise.all((await holds.all()).map((row) => row.locator("td").allInnerTexts()));
  assert.deepEqual(values, [
    ["hold", "true", "false"],
    ["hold", "false", "true"],
  ]);
}
