// People sign in by phone, with the code that comes to it from a real SMSC, and by links; owners admit them and let them go.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { shopThrough, smppCarrier } from "../support/carriers.mjs";
import {
  button,
  chooseLanguage,
  dialog,
  field,
  goTo,
  openConsole,
  signIn,
  texts,
} from "../support/console-browser.mjs";
import { assertGood, languages, list, testViews, widths } from "../support/console-views.mjs";
import { startSmscProcess } from "../support/peers/smsc-process.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { admin, openShop } from "../support/shop.mjs";
import { launch, openPage, overflow } from "../support/site-browser.mjs";

// The browser is closed first, also if the server did not start.
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

let smsc;
let shop;
const server = sharedServer(async (server) => {
  smsc = await startSmscProcess();
  shop = await shopThrough(server, { carrier: await smppCarrier(server, smsc) });
  // The codes come from the account of the demo data.
  const changed = await admin(server, "PATCH", `/admin/accounts/${server.accountId}`, { defaultLine: shop.line });
  assert.equal(changed.status, 200, changed.text);
});
after(() => smsc?.stop());

async function admit({ id }, phone, role) {
  const added = await admin(server, "POST", `/admin/accounts/${id}/members`, { phone, name: "Sara", role });
  assert.equal(added.status, 201, added.text);
  return added.json.data.id;
}

const members = async ({ key }) => (await api(server, "GET", "/members", { key })).json.data;

const isInvitation = ({ text }) => text.includes("invitation=");

/** The newest text of some that a number has got, as its phone shows it. */
async function textOn(number, isOne) {
  const arrived = async () =>
    (await smsc.messages()).findLast((message) => `+${message.to}` === number && isOne(message));
  return (await until(arrived, { what: `a text to ${number}` })).text;
}

const codeOn = async (number) => /\d{6}/.exec(await textOn(number, (message) => !isInvitation(message)))[0];

/** Admits a person, and returns the member's id with the address that the phone has got. */
async function invite(to, phone, role) {
  const id = await admit(to, phone, role);
  const text = await textOn(phone, (message) => isInvitation(message) && message.text.startsWith(to.fullName));
  return { id, url: /https?:\S+/.exec(text)[0] };
}

const signOut = async ({ page, t }) => {
  await goTo(page, "#/settings", t.settings.title);
  await button(page, t.settings.signOut).click();
  await page.locator(".sign-in h1").waitFor();
};

/** The session of a page, as the service tells it. */
const sessionOf = (page) =>
  page.evaluate(async () => {
    const answer = await fetch("/console/session", { headers: { "X-Peyk-Console": "1" } });
    return (await answer.json()).data;
  });

const wrong = (code) => `${(Number(code[0]) + 1) % 10}${code.slice(1)}`;

async function openSignIn(language, options = {}) {
  const opened = await openPage(browser, server.baseUrl, { givesUp: true, ...options });
  await chooseLanguage(opened.page, language);
  await opened.page.goto("/console");
  await opened.page.locator(".sign-in h1").waitFor();
  return { ...opened, t: texts[language] };
}

async function askForCode({ page, t }, phone) {
  await field(page, t.signIn.phone).fill(phone);
  await button(page, t.signIn.askForCode).click();
  await field(page, t.signIn.code).waitFor();
}

test("a person accepts invitations, signs in with a code, chooses an account, goes over to another, and is out when let go", async () => {
  const phone = "+989121113301";
  const other = {
    fullName: "Another Shop",
    ...(await openShop(server, 100_000, { defaultLine: shop.line, fullName: "Another Shop" })),
  };
  const opened = await openSignIn("fa");
  const { page, faults, t } = opened;
  const ids = {};
  for (const account of [{ fullName: "A Shop", ...shop }, other]) {
    const { id, url } = await invite(account, phone, account === other ? "VIEWER" : "OWNER");
    ids[account.id] = id;
    faults.length = 0;
    await page.goto(url);
    await page.getByRole("heading", { name: t.signIn.invitationTitle }).waitFor();
    assert.ok(!page.url().includes("peyk_link_"));
    assert.equal(await sessionOf(page), undefined, "nothing is accepted before the person says so");
    const others = faults.filter((fault) => !/status of 401/.test(fault));
    await assertGood(page, others, "an invitation");
    await button(page, t.signIn.invitationAccept).click();
    await page.getByRole("heading", { name: account === other ? t.signIn.chooseTitle : t.overview.title }).waitFor();
    assert.equal((await sessionOf(page)).account.id, account.id);
    if (account !== other) await signOut(opened);
  }
  // The second invitation has opened the second account, and the person has not said which one this browser is for.
  await page.getByRole("heading", { name: t.signIn.chooseTitle }).waitFor();
  await assertGood(page, [], "the choice of an account");
  await button(page, "Another Shop").click();
  await page.locator("#content h1", { hasText: t.overview.title }).waitFor();
  await signOut(opened);
  await askForCode(opened, "۰۹۱۲۱۱۱۳۳۰۱");
  const code = await codeOn(phone);
  await field(page, t.signIn.code).fill(wrong(code));
  await button(page, t.signIn.submit).click();
  await page.getByRole("alert").waitFor();
  await field(page, t.signIn.code).fill(code.replace(/\d/g, (digit) => "۰۱۲۳۴۵۶۷۸۹"[digit]));
  await button(page, t.signIn.submit).click();
  // The page is where the person has signed out.
  await page.locator("#content h1", { hasText: t.settings.title }).waitFor();
  const { account, accounts } = await sessionOf(page);
  assert.equal(account.id, other.id, "the browser has kept the choice");
  assert.deepEqual(new Set(accounts.map(({ id }) => id)), new Set([shop.id, other.id]));
  await button(page, t.settings.switchTo("A Shop")).click();
  await page.locator("#content h1", { hasText: t.overview.title }).waitFor();
  const { account: now } = await sessionOf(page);
  assert.notEqual(now.id, account.id);
  const path = `/admin/accounts/${now.id}/members/${ids[now.id]}`;
  assert.equal((await admin(server, "DELETE", path)).status, 204);
  await page.reload();
  await field(page, t.signIn.phone).waitFor();
  await opened.close();
});

test("who is no member sees the same page, and gets no code", async () => {
  const opened = await openSignIn("en");
  await askForCode(opened, "09121113399");
  const { page, t } = opened;
  await field(page, t.signIn.code).fill("123456");
  await button(page, t.signIn.submit).click();
  await page.getByRole("alert").waitFor();
  assert.ok((await smsc.messages()).every(({ to }) => to !== "989121113399"));
  await button(page, t.signIn.otherPhone).click();
  await field(page, t.signIn.phone).waitFor();
  await opened.close();
});

test("a right code opens no session of an operator, and the page says why", async () => {
  const phone = "+989121113307";
  const body = { phone, name: "Nima", scopes: ["admin:read"] };
  const added = await admin(server, "POST", "/admin/members", body);
  assert.equal(added.status, 201, added.text);
  const opened = await openSignIn("en");
  await askForCode(opened, phone);
  const { page, t } = opened;
  await field(page, t.signIn.code).fill(await codeOn(phone));
  await button(page, t.signIn.submit).click();
  await page
    .getByRole("alert")
    .getByText(/passkey/)
    .waitFor();
  await button(page, t.signIn.byPasskey).waitFor();
  assert.equal(await sessionOf(page), undefined);
  const path = `/admin/members/${added.json.data.id}`;
  assert.equal((await admin(server, "DELETE", path)).status, 204);
  await opened.close();
});

test("a link signs in once, and its code leaves the address", async () => {
  const made = await api(server, "POST", "/console/link", { key: shop.key, body: {} });
  assert.equal(made.status, 201, made.text);
  const { url, code } = made.json.data;
  assert.ok(url.startsWith(`${server.baseUrl}/console#`));
  for (const isFirst of [true, false]) {
    const { page, close } = await openPage(browser, server.baseUrl, { givesUp: true });
    await chooseLanguage(page, "en");
    await page.goto(url);
    const t = texts.en;
    if (isFirst) await page.locator("#content h1", { hasText: t.overview.title }).waitFor();
    else await page.getByText(t.signIn.linkRefused).waitFor();
    assert.ok(!page.url().includes(code));
    await close();
  }
});

/** A link for who has this key. */
async function linkFor(key) {
  const made = await api(server, "POST", "/console/link", { key, body: {} });
  assert.equal(made.status, 201, made.text);
  return made.json.data.url;
}

for (const language of languages)
  test(`a link that could not be tried is tried again, in ${language}`, async () => {
    const url = new URL(await linkFor(shop.key));
    const { page, faults, close, t } = await openSignIn(language);
    await page.context().setOffline(true);
    await page.evaluate((hash) => {
      location.hash = hash;
    }, url.hash);
    await page.getByRole("heading", { name: t.signIn.linkFollow }).waitFor();
    await page.getByText(t.state.network).waitFor();
    const expected = /^failed: |ERR_INTERNET_DISCONNECTED|status of 401/;
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      const others = faults.filter((fault) => !expected.test(fault));
      await assertGood(page, others, `a link that could not be tried at ${width} px`);
    }
    await button(page, t.signIn.otherWay).click();
    await field(page, t.signIn.phone).waitFor();
    await page.evaluate((hash) => {
      location.hash = hash;
    }, url.hash);
    await page.getByText(t.state.network).waitFor();
    await page.context().setOffline(false);
    await button(page, t.state.again).click();
    await page.locator("#content h1", { hasText: t.overview.title }).waitFor();
    assert.equal((await sessionOf(page)).account.id, shop.id);
    await close();
  });

for (const language of languages)
  test(`who is signed in is asked before a link counts instead, in ${language}`, async () => {
    const other = await openShop(server, 0, { fullName: "Another Shop" });
    const url = await linkFor(other.key);
    const { page, faults, close, t } = await openConsole(browser, server, shop.key, { language, hash: "#/keys" });
    const ask = async () => {
      await page.goto(url);
      await page.getByRole("heading", { name: t.signIn.linkTitle }).waitFor();
      await page.locator(".sign-in").getByText("A Shop").waitFor();
      assert.ok(!page.url().includes("code"));
    };
    await ask();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      await assertGood(page, faults, `the question at ${width} px`);
    }
    await button(page, t.signIn.linkStay).click();
    await page.locator("#content h1", { hasText: t.overview.title }).waitFor();
    assert.equal((await sessionOf(page)).account.id, shop.id);
    // The page loads anew: it hears of the session only after it has the link.
    await page.goto("/docs");
    await ask();
    await button(page, t.signIn.linkFollow).click();
    await page.locator("#content h1", { hasText: t.overview.title }).waitFor();
    assert.equal((await sessionOf(page)).account.id, other.id);
    await page.locator(".who").getByText("Another Shop").waitFor({ state: "attached" });
    await page.goto("/docs");
    await page.goto(url);
    await button(page, t.signIn.linkFollow).click();
    await page.getByText(t.signIn.linkGone).waitFor();
    await assertGood(
      page,
      faults.filter((fault) => !/status of 4(?:01|22)/.test(fault)),
      "a link that was used",
    );
    await button(page, t.signIn.linkStay).click();
    await page.locator("#content h1", { hasText: t.overview.title }).waitFor();
    assert.equal((await sessionOf(page)).account.id, other.id);
    await close();
  });

test("an owner admits a person, gives another role, and lets the person go", async () => {
  const own = await openShop(server, 100_000);
  const { page, faults, close, t } = await openConsole(browser, server, own.key, { hash: "#/members" });
  await page.getByText(t.members.none).waitFor();
  await button(page, t.members.add).click();
  await button(page, t.members.addSubmit).click();
  await page.getByText(t.members.noPhone).waitFor();
  await field(page, t.members.name).fill("Mina");
  await field(page, t.members.phone).fill("0912 111 33 02");
  await page.getByText(t.roles.FINANCE.name, { exact: true }).click();
  await page.getByText(t.roles.FINANCE.may).waitFor();
  await button(page, t.members.addSubmit).click();
  await list(page).getByText("Mina").waitFor();
  const [mina] = await members(own);
  assert.deepEqual([mina.phone, mina.role, mina.joinedAt], ["+989121113302", "FINANCE", null]);
  await list(page).getByText(t.members.notJoined, { exact: true }).waitFor();
  await button(page, t.members.sendInvitationTo("Mina")).click();
  await page.getByText(t.members.invitationSent).waitFor();
  const sent = (await api(server, "GET", "/messages?type=SIGN_IN", { key: own.key })).json.data;
  assert.equal(sent.length, 2, "the invitation, and once more");
  await button(page, t.members.changeOf("Mina")).click();
  await dialog(page).getByText(t.roles.VIEWER.name, { exact: true }).click();
  await button(dialog(page), t.members.roleSubmit).click();
  await list(page).getByText(t.roles.VIEWER.name).waitFor();
  assert.equal((await members(own))[0].role, "VIEWER");
  await button(page, t.members.removeOf("Mina")).click();
  await button(dialog(page), t.members.removeSubmit).click();
  await page.getByText(t.members.none).waitFor();
  assert.deepEqual(await members(own), []);
  assert.deepEqual(faults, []);
  await close();
});

/** How wide a list is beyond its card, and which of its acts do not stand in one line. */
const shapeOf = (page) =>
  list(page).evaluate((table) => ({
    wider: table.scrollWidth - table.parentElement.clientWidth,
    broken: [...table.querySelectorAll(".actions .button")]
      .filter((button) => {
        const text = document.createRange();
        text.selectNodeContents(button);
        return new Set([...text.getClientRects()].map(({ top }) => top)).size > 1;
      })
      .map(({ textContent }) => textContent),
  }));

for (const language of languages)
  test(`each act of a member stands in one line within its card, in ${language}`, async () => {
    const own = await openShop(server, 100_000);
    const person = { phone: "09121113305", name: "Mina Karimi", role: "OWNER", invite: false };
    await api(server, "POST", "/members", { key: own.key, body: person });
    const { page, faults, close, t } = await openConsole(browser, server, own.key, { hash: "#/members", language });
    for (const width of [390, 1_180, 1_280, 1_600]) {
      await page.setViewportSize({ width, height: 800 });
      await list(page)
        .getByRole("button", { name: t.members.linkOf(person.name) })
        .waitFor();
      assert.deepEqual(await shapeOf(page), { wider: 0, broken: [] }, `${width}`);
      assert.equal(await overflow(page), 0, `${width}`);
    }
    assert.deepEqual(faults, []);
    await close();
  });

/** A person who manages the account and has made a key: the key. */
async function keyOfOwner({ key }, name, phone) {
  const person = { phone, name, role: "OWNER", invite: false };
  const { id } = (await api(server, "POST", "/members", { key, body: person })).json.data;
  const { code } = (await api(server, "POST", `/members/${id}/link`, { key, body: {} })).json.data;
  const entered = await api(server, "POST", "/console/sign-in/link", { body: { code } });
  const cookie = entered.headers.getSetCookie().find((one) => one.startsWith("peyk_session="));
  const headers = { Cookie: cookie.split(";")[0], Origin: server.baseUrl, "X-Peyk-Console": "1" };
  const made = await api(server, "POST", "/keys", { headers, body: { title: name, scopes: ["account:read"] } });
  assert.equal(made.status, 201, made.text);
  return made.json.data.key;
}

test("an owner who removes a person throws out what comes from the person, if that is asked for", async () => {
  const own = await openShop(server, 100_000);
  const kept = await keyOfOwner(own, "Mina", "09121113303");
  const ended = await keyOfOwner(own, "Reza", "09121113304");
  const { page, faults, close, t } = await openConsole(browser, server, own.key, { hash: "#/members" });
  await button(page, t.members.removeOf("Mina")).click();
  await button(dialog(page), t.members.removeSubmit).click();
  await list(page).getByText("Mina").waitFor({ state: "detached" });
  await button(page, t.members.removeOf("Reza")).click();
  await dialog(page).getByText(t.members.cascade).click();
  await button(dialog(page), t.members.removeSubmit).click();
  await page.getByText(t.members.none).waitFor();
  const statusOf = async (key) => (await api(server, "GET", "/account/info", { key })).status;
  assert.deepEqual([await statusOf(kept), await statusOf(ended)], [200, 401]);
  assert.deepEqual(faults, []);
  await close();
});

testViews(
  () => ({ browser, server, key: shop.key }),
  [
    {
      name: "members, with the form",
      hash: "#/members",
      title: (t) => t.members.title,
      ready: async (page, t) => {
        await button(page, t.members.add).click();
        await button(page, t.members.addSubmit).waitFor();
      },
    },
  ],
);

for (const language of languages)
  for (const width of widths)
    test(`the sign-in by phone is whole and accessible, in ${language} at ${width} px`, async () => {
      const opened = await openSignIn(language, { viewport: { width, height: 800 } });
      const { page, faults, close, t } = opened;
      faults.length = 0;
      await button(page, t.signIn.askForCode).click();
      await page.getByText(t.signIn.noPhone).waitFor();
      await assertGood(page, faults, "sign-in");
      await askForCode(opened, "09121113398");
      await assertGood(page, faults, "the code");
      await close();
    });

test("an operator admits the first owner of an account, another operator, and looks at the account by a link", async () => {
  const own = await openShop(server, 100_000);
  const opened = await openConsole(browser, server, server.adminKey, { hash: `#/accounts/${own.id}/members` });
  const { page, faults, close, t, o } = opened;
  await page.getByText(o.members.noOwner).waitFor();
  await button(page, t.members.add).click();
  await field(page, t.members.name).fill("Sara");
  await field(page, t.members.phone).fill("09121113305");
  await page.getByText(t.roles.OWNER.name, { exact: true }).click();
  await button(page, t.members.addSubmit).click();
  await list(page).getByText("Sara").waitFor();
  assert.deepEqual(
    (await members(own)).map(({ phone, role }) => [phone, role]),
    [["+989121113305", "OWNER"]],
  );
  await button(page, o.members.lookSubmit).click();
  const url = await page.locator(".shown-key code").innerText();
  const { page: other, close: closeOther } = await openPage(browser, server.baseUrl, { givesUp: true });
  await chooseLanguage(other, "en");
  await other.goto(url);
  await other.locator("#content h1", { hasText: t.overview.title }).waitFor();
  assert.deepEqual((await sessionOf(other)).scopes, ["sms:read", "account:read"]);
  await closeOther();
  await button(page, t.members.removeOf("Sara")).click();
  await button(dialog(page), t.members.removeSubmit).click();
  await page.getByText(o.members.noOwner).waitFor();
  assert.deepEqual(await members(own), []);
  await goTo(page, "#/members", o.pages.members);
  await button(page, t.members.add).click();
  await field(page, t.members.name).fill("Mina");
  await field(page, t.members.phone).fill("09121113306");
  await page.getByText(o.scopes["admin:read"]).click();
  await button(page, t.members.addSubmit).click();
  await list(page).getByText("Mina").waitFor();
  const { json } = await admin(server, "GET", "/admin/members");
  assert.deepEqual(
    json.data.map(({ phone, scopes }) => [phone, scopes]),
    [["+989121113306", ["admin:read"]]],
  );
  assert.deepEqual(faults, []);
  await close();
});

testViews(
  () => ({ browser, server, key: server.adminKey }),
  [
    {
      name: "operators, with the form",
      hash: "#/members",
      title: (_, o) => o.pages.members,
      ready: async (page, t) => {
        await list(page).waitFor();
        await button(page, t.members.add).click();
        await button(page, t.members.addSubmit).waitFor();
      },
    },
    {
      name: "the members of an account",
      hash: () => `#/accounts/${shop.id}/members`,
      title: () => "A Shop",
      ready: (page, _, o) => button(page, o.members.lookSubmit).waitFor(),
    },
  ],
);

test("who reads Persian and has chosen no calendar gets the Persian one, also from an English browser", async () => {
  const { page, faults, close } = await openPage(browser, server.baseUrl, { givesUp: true, locale: "en-GB" });
  await page.goto("/console");
  await button(page, texts.fa.settings.languages.fa).click();
  await page.locator("html[lang=fa]").waitFor();
  const kept = await page.evaluate(() => JSON.parse(localStorage.getItem("peyk-console")));
  assert.deepEqual([kept.language, kept.calendar], ["fa", undefined]);
  const shop = await openShop(server, 0);
  await signIn(page, shop.key);
  faults.length = 0;
  await goTo(page, "#/settings", texts.fa.settings.title);
  const radio = (name) => page.getByRole("radio", { name });
  assert.ok(await radio(texts.fa.settings.calendars.persian).isChecked());
  await radio(texts.fa.settings.languages.en).press(" ");
  assert.ok(await radio(texts.en.settings.calendars.gregory).isChecked());
  await radio(texts.en.settings.calendars.persian).press(" ");
  await page.reload();
  await page.getByRole("heading", { name: texts.en.settings.title, exact: true }).waitFor();
  assert.ok(await radio(texts.en.settings.calendars.persian).isChecked());
  assert.deepEqual(faults, []);
  await close();
});
