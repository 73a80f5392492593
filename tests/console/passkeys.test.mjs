// Members sign in with passkeys, which they add, name and remove, and owners require them. A virtual authenticator of Chromium is the
// device. Passkeys count for a domain, so the console is opened as localhost.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  button,
  chooseLanguage,
  dialog,
  field,
  goTo,
  openConsole,
  operatorTexts,
  texts,
} from "../support/console-browser.mjs";
import { assertGood, languages, list, widths } from "../support/console-views.mjs";
import { api, sharedServer } from "../support/server.mjs";
import { admin, openShop } from "../support/shop.mjs";
import { launch, openPage } from "../support/site-browser.mjs";

// The browser is closed first, also if the server did not start.
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const server = sharedServer();

/** The service under a name. */
const named = () => ({ ...server, baseUrl: server.baseUrl.replace("127.0.0.1", "localhost") });

/** Gives a page a device that keeps passkeys and knows its owner, or takes everybody for somebody else. */
async function giveDevice(page) {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  };
  const { authenticatorId } = await protocol.send("WebAuthn.addVirtualAuthenticator", { options });
  return {
    knowsOwner: (isUserVerified) => protocol.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
    passkeys: async () => (await protocol.send("WebAuthn.getCredentials", { authenticatorId })).credentials,
  };
}

/** What the service tells the session of a page. */
const onPage = (page, path) =>
  page.evaluate(async (path) => {
    const answer = await fetch(path, { headers: { "X-Peyk-Console": "1" } });
    return (await answer.json()).data;
  }, path);

const sessionOf = (page) => onPage(page, "/console/session");

let phones = 0;
const anyPhone = () => `+9891211144${String(phones++).padStart(2, "0")}`;

/** Admits a member to a shop. */
async function admit({ id }, role) {
  const body = { phone: anyPhone(), name: "Sara", role, invite: false };
  const added = await admin(server, "POST", `/admin/accounts/${id}/members`, body);
  assert.equal(added.status, 201, added.text);
  return added.json.data.id;
}

/** Opens the sign-in on a page that has a device. */
async function openFront(language, options = {}) {
  const opened = await openPage(browser, named().baseUrl, { givesUp: true, ...options });
  const device = await giveDevice(opened.page);
  await chooseLanguage(opened.page, language);
  return { ...opened, device, t: texts[language], o: operatorTexts[language] };
}

/** Opens the console by the link of a member, at the settings. */
async function openByLink(url, language = "en", options = {}) {
  const opened = await openFront(language, options);
  const { page, faults, t } = opened;
  await page.goto(url);
  await page.locator("#content h1").waitFor();
  await goTo(page, "#/settings", t.settings.title);
  faults.length = 0;
  return opened;
}

/** Opens the console as a member of a shop who has no passkey yet. */
async function openAsMember(shop, role, language, options) {
  const member = await admit(shop, role);
  const made = await api(named(), "POST", `/members/${member}/link`, { key: shop.key, body: { ttlSeconds: 600 } });
  assert.equal(made.status, 201, made.text);
  return openByLink(made.json.data.url, language, options);
}

async function add({ page, t }, title) {
  await button(page, t.passkeys.add).click();
  await field(page, t.passkeys.name).fill(title);
  await button(page, t.passkeys.addSubmit).click();
  await list(page).getByText(title).waitFor();
}

async function signOut({ page, t }) {
  await button(page, t.settings.signOut).click();
  await page.locator(".sign-in h1").waitFor();
}

const signInByPasskey = ({ page, t }) => button(page, t.signIn.byPasskey).click();

/** What Chromium says of refusals that a test brings about, and of the one algorithm that the service takes. */
const expected = /status of (?:401|409|422)|pubKeyCredParams/;
const others = (faults) => faults.splice(0).filter((fault) => !expected.test(fault));

test("an operator gets in by a link, adds a passkey, and signs in with it, unless the device doubts who it is", async () => {
  const body = { phone: anyPhone(), name: "Nima", scopes: ["admin:read", "admin:service"] };
  const added = await admin(server, "POST", "/admin/members", body);
  assert.equal(added.status, 201, added.text);
  const first = await openConsole(browser, named(), server.adminKey, { hash: "#/members" });
  await button(first.page, first.t.members.linkOf("Nima")).click();
  await button(dialog(first.page), first.t.members.linkSubmit).click();
  await first.page.getByRole("heading", { name: first.t.members.linkMade("Nima") }).waitFor();
  const url = await first.page.locator(".shown-key code").innerText();
  await button(first.page, first.t.members.linkDone).click();
  await first.page.locator(".shown-key").waitFor({ state: "detached" });
  assert.deepEqual(first.faults, []);
  await first.close();
  const opened = await openByLink(url);
  const { page, device, faults, close, t } = opened;
  assert.equal((await sessionOf(page)).member.signedInBy, "LINK");
  await add(opened, "Work laptop");
  await list(page).getByText(t.passkeys.neverUsed).waitFor();
  await signOut(opened);
  await device.knowsOwner(false);
  await signInByPasskey(opened);
  await page.getByText(t.passkeys.declined).waitFor();
  assert.equal(await page.getByRole("alert").count(), 0);
  assert.equal(await sessionOf(page), undefined);
  await device.knowsOwner(true);
  await signInByPasskey(opened);
  await page.locator("#content h1").waitFor();
  const { role, member, accounts } = await sessionOf(page);
  assert.deepEqual([role, member.phone, member.signedInBy], ["OPERATOR", body.phone, "PASSKEY"]);
  assert.equal(accounts.length, 1);
  await goTo(page, "#/settings", t.settings.title);
  await list(page).getByText("Work laptop").waitFor();
  assert.equal(await list(page).getByText(t.passkeys.neverUsed).count(), 0);
  assert.deepEqual(others(faults), []);
  await close();
});

test("a member adds a passkey, renames it and removes it, and a device gets no second one", async () => {
  const shop = await openShop(server, 0);
  const opened = await openAsMember(shop, "SENDER");
  const { page, device, faults, close, t } = opened;
  await page.getByText(t.passkeys.none).waitFor();
  await button(page, t.passkeys.add).click();
  await button(page, t.passkeys.addSubmit).click();
  await page.getByText(t.passkeys.noName).waitFor();
  await device.knowsOwner(false);
  await field(page, t.passkeys.name).fill("My phone");
  await button(page, t.passkeys.addSubmit).click();
  await page.getByText(t.passkeys.declined).waitFor();
  assert.deepEqual(await onPage(page, "/console/passkeys"), { passkeys: [] });
  await device.knowsOwner(true);
  await button(page, t.passkeys.addSubmit).click();
  await list(page).getByText("My phone").waitFor();
  const [kept] = await device.passkeys();
  assert.equal(kept.rpId, "localhost");
  await button(page, t.passkeys.add).click();
  await field(page, t.passkeys.name).fill("The same phone");
  await button(page, t.passkeys.addSubmit).click();
  await page.getByText(t.passkeys.isThere).waitFor();
  await button(page, t.form.cancel).click();
  await button(page, t.passkeys.renameOf("My phone")).click();
  await field(dialog(page), t.passkeys.name).fill("Old phone");
  await button(dialog(page), t.passkeys.renameSubmit).click();
  await list(page).getByText("Old phone").waitFor();
  await button(page, t.passkeys.removeOf("Old phone")).click();
  await button(dialog(page), t.passkeys.removeSubmit).click();
  await page.getByText(t.passkeys.none).waitFor();
  assert.deepEqual(await onPage(page, "/console/passkeys"), { passkeys: [] });
  assert.deepEqual(others(faults), []);
  await signOut(opened);
  // The device has it still, and the service does not take it.
  await signInByPasskey(opened);
  await page.getByRole("alert").waitFor();
  assert.equal(await sessionOf(page), undefined);
  await close();
});

test("an owner with a passkey requires passkeys of the members", async () => {
  const shop = await openShop(server, 0);
  const opened = await openAsMember(shop, "OWNER");
  const { page, faults, close, t } = opened;
  const require = async () => {
    await goTo(page, "#/members", t.members.title);
    await page.getByText(t.required.PASSKEY.name, { exact: true }).click();
    await page.getByText(t.required.PASSKEY.means).waitFor();
    await button(page, t.members.ruleSubmit).click();
  };
  const rule = async () => (await api(server, "GET", "/members/sign-in", { key: shop.key })).json.data;
  await require();
  await page.getByRole("alert").waitFor();
  assert.deepEqual(await rule(), { require: "CODE" });
  await goTo(page, "#/settings", t.settings.title);
  await add(opened, "My phone");
  await require();
  await page.getByText(t.members.ruleDone).waitFor();
  assert.deepEqual(await rule(), { require: "PASSKEY" });
  assert.deepEqual(others(faults), []);
  await close();
});

test("an address without a domain says why it has no passkeys", async () => {
  const { page, close } = await openPage(browser, server.baseUrl, { givesUp: true });
  await chooseLanguage(page, "en");
  await page.goto("/console");
  await signInByPasskey({ page, t: texts.en });
  await page
    .getByRole("alert")
    .getByText(/localhost/)
    .waitFor();
  await close();
});

test("a browser without passkeys is offered none", async () => {
  const shop = await openShop(server, 0);
  const opened = await openAsMember(shop, "VIEWER");
  const { page, close, t } = opened;
  await page.addInitScript(() => {
    delete window.PublicKeyCredential;
  });
  await page.reload();
  await page.getByText(t.passkeys.noBrowser).waitFor();
  assert.equal(await button(page, t.passkeys.add).count(), 0);
  await signOut(opened);
  assert.equal(await button(page, t.signIn.byPasskey).count(), 0);
  await close();
});

test("who has signed in with a key has no passkeys", async () => {
  const { key } = await openShop(server, 0);
  const { page, faults, close, t } = await openConsole(browser, named(), key, { hash: "#/settings" });
  await page.getByRole("heading", { name: t.settings.session }).waitFor();
  assert.equal(await page.getByText(t.passkeys.title).count(), 0);
  assert.deepEqual(faults, []);
  await close();
});

for (const language of languages)
  test(`all of passkeys is whole and accessible, in ${language}`, async () => {
    const shop = await openShop(server, 0);
    const opened = await openAsMember(shop, "OWNER", language);
    const { page, faults, close, t } = opened;
    const look = async (name) => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        await assertGood(page, others(faults), `${name} at ${width} px`);
      }
    };
    await look("no passkeys");
    await add(opened, language === "fa" ? "گوشی من" : "My phone");
    await button(page, t.passkeys.add).click();
    await button(page, t.passkeys.addSubmit).click();
    await page.getByText(t.passkeys.noName).waitFor();
    await look("the settings with a passkey, and the form");
    await button(page, t.form.cancel).click();
    await list(page).getByText(t.passkeys.rename, { exact: true }).click();
    await dialog(page).waitFor();
    await look("the dialog that renames a passkey");
    await button(dialog(page), t.form.cancel).click();
    await list(page).getByText(t.passkeys.remove, { exact: true }).click();
    await dialog(page).waitFor();
    await look("the dialog that removes a passkey");
    await button(dialog(page), t.passkeys.keep).click();
    await goTo(page, "#/members", t.members.title);
    await button(page, t.members.linkOf("Sara")).click();
    await dialog(page).waitFor();
    await page.getByText(t.required.CODE.means).waitFor();
    await look("the dialog that makes a link");
    await button(dialog(page), t.members.linkSubmit).click();
    await page.locator(".shown-key").waitFor();
    await look("members with a link and the rule");
    await goTo(page, "#/settings", t.settings.title);
    await signOut(opened);
    await opened.device.knowsOwner(false);
    await signInByPasskey(opened);
    await page.getByText(t.passkeys.declined).waitFor();
    await look("a sign-in that was declined");
    await close();
  });
