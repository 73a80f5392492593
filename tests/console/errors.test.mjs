// What people see when something is refused or does not answer.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { button, chooseLanguage, field, goTo, openConsole, texts } from "../support/console-browser.mjs";
import { languages } from "../support/console-views.mjs";
import { api, sharedServer } from "../support/server.mjs";
import { admin, openShop } from "../support/shop.mjs";
import { launch, openPage } from "../support/site-browser.mjs";

// The browser is closed first, also if the server did not start.
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

let shop;
const server = sharedServer(async (server) => {
  shop = await openShop(server, 0);
});

/** Opens the console by the link of a new member. */
async function openAsMember(role, language) {
  const body = { phone: `+98912111550${language === "fa" ? 1 : 2}`, name: "Sara", role, invite: false };
  const added = await admin(server, "POST", `/admin/accounts/${shop.id}/members`, body);
  const path = `/members/${added.json.data.id}/link`;
  const { json } = await api(server, "POST", path, { key: shop.key, body: { ttlSeconds: 600 } });
  const opened = await openPage(browser, server.baseUrl, { givesUp: true });
  await chooseLanguage(opened.page, language);
  await opened.page.goto(json.data.url);
  await opened.page.locator("#content h1").waitFor();
  return { ...opened, t: texts[language] };
}

for (const language of languages) {
  test(`a service that does not answer is not called a bad connection, in ${language}`, async () => {
    const { page, close, t } = await openConsole(browser, server, shop.key, { language });
    const listed = ({ pathname }) => pathname === "/phonebook";
    const busy = { status: 503, contentType: "text/html", body: "<html>" };
    await page.route(listed, (route) => route.fulfill(busy));
    await goTo(page, "#/phonebooks", t.phonebooks.title);
    await page.getByRole("alert").getByText(t.problems.busy).waitFor();
    assert.equal(await page.getByText(t.state.network).count(), 0);
    await page.unroute(listed);
    await page.route(listed, (route) => route.abort());
    await button(page, t.state.again).click();
    await page.getByRole("alert").getByText(t.state.network).waitFor();
    await close();
  });

  test(`a change that gets no answer may have been done, in ${language}`, async () => {
    const { page, close, t } = await openConsole(browser, server, shop.key, { hash: "#/phonebooks", language });
    await page.route("**/phonebook", (route) =>
      route.request().method() === "POST" ? route.fulfill({ status: 503, body: "" }) : route.continue(),
    );
    await button(page, t.phonebooks.create).click();
    await field(page, t.phonebooks.name).fill("Customers");
    await button(page, t.phonebooks.createSubmit).click();
    await page.getByRole("alert").getByText(`${t.problems.busy} ${t.problems.mayBeDone}`).waitFor();
    await close();
  });

  test(`a send without money says so in the person's currency, in ${language}`, async () => {
    const { page, close, t } = await openConsole(browser, server, shop.key, { hash: "#/compose", language });
    await field(page, t.compose.numbers).fill("09121234567");
    await field(page, t.compose.text).fill("سلام");
    await button(page, t.compose.review).click();
    const money = (amount) =>
      ({ en: `IRR ${amount.toLocaleString("en-GB")}`, fa: `${amount.toLocaleString("fa-IR")} ریال` })[language];
    await page
      .getByRole("alert")
      .getByText(t.problems.noCredit(money(1_000), money(0)))
      .waitFor();
    await close();
  });

  test(`a member sees what the role may, and no word of keys, in ${language}`, async () => {
    const { page, close, t } = await openAsMember("VIEWER", language);
    const { name, may } = t.roles.VIEWER;
    await goTo(page, "#/phonebooks", t.phonebooks.title);
    await page.getByText(t.state.needsRole(name, may)).waitFor();
    assert.doesNotMatch(await page.locator("#content").innerText(), /\bkeys?\b|کلید/);
    await goTo(page, "#/settings", t.settings.title);
    await page.getByText(`${name}: ${may}`).waitFor();
    await close();
  });
}
