// A console session on the real runtime: the cookie is in a real Chromium, the service in workerd, and a page of another origin on
// the same host, to which the browser sends the cookie too, tries to use it.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { api, sharedServer } from "../support/server.mjs";
import { openShop } from "../support/shop.mjs";
import { launch, patience } from "../support/site-browser.mjs";
import { rowsOfState } from "../support/state-rows.mjs";

/** The sessions that pages have had. */
const secrets = [];
const message = { message: "x", recipients: ["09121234567"] };

// The browser is closed first, also if the server did not start.
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

let shop;
const server = sharedServer(async (server) => {
  shop = await openShop(server, 1_000_000);
});

/** A page of another origin. */
const stranger = createServer((_, response) => response.setHeader("content-type", "text/html").end("<title>x</title>"));
before(() => new Promise((resolve) => stranger.listen(0, "127.0.0.1", resolve)));
after(() => stranger.close());

/** A page of the service, whose browser has signed in. */
async function signedIn() {
  const context = await browser.newContext({ baseURL: server.baseUrl });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  await page.goto("/docs/en");
  const headers = { Authorization: `Bearer ${shop.key}`, "X-Peyk-Console": "1" };
  assert.equal((await ask(page, "/console/session", { method: "POST", headers })).status, 204);
  return { context, page };
}

/** What a script of a page gets: the status of the answer and its text, or the name of its error. */
function ask(page, url, options = { headers: { "X-Peyk-Console": "1" } }) {
  return page.evaluate(
    ([url, options]) =>
      fetch(url, options).then(
        async (answer) => ({ status: answer.status, text: await answer.text() }),
        (error) => ({ error: error.name }),
      ),
    [url, options],
  );
}

async function messages() {
  const { json } = await api(server, "GET", "/messages", { key: shop.key });
  return json.data.length;
}

test("a page that has signed in asks without a key, and no script sees the session", async () => {
  const { context, page } = await signedIn();
  const told = await ask(page, "/console/session");
  assert.equal(JSON.parse(told.text).data.account.id, shop.id, told.text);
  assert.equal(await page.evaluate(() => document.cookie), "");
  const [cookie] = await context.cookies();
  assert.deepEqual(
    [cookie.name, cookie.httpOnly, cookie.sameSite, cookie.secure],
    ["peyk_session", true, "Strict", false],
  );
  assert.equal((await ask(page, "/account/info", {})).status, 403, "without the header of the console");
  const headers = { "X-Peyk-Console": "1", "Content-Type": "application/json" };
  const sent = await ask(page, "/sms/send", { method: "POST", headers, body: JSON.stringify(message) });
  assert.equal(sent.status, 201, sent.text);
  secrets.push(cookie.value);
  await context.close();
});

test("a page of another origin does nothing with the cookie that the browser sends for it", async () => {
  const { context, page } = await signedIn();
  const before = await messages();
  await page.goto(`http://127.0.0.1:${stranger.address().port}/`);
  const url = `${server.baseUrl}/sms/send`;
  const statuses = [];
  page.on("response", (response) => response.url() === url && statuses.push(response.status()));
  const body = JSON.stringify(message);
  const plain = { method: "POST", mode: "no-cors", credentials: "include", body };
  assert.equal((await ask(page, url, plain)).status, 0, "the page sees nothing of the answer");
  assert.deepEqual(statuses, [403]);
  const headers = { "X-Peyk-Console": "1", "Content-Type": "application/json" };
  const marked = await ask(page, url, { method: "POST", credentials: "include", headers, body });
  assert.equal(marked.error, "TypeError", "the browser asks first whether it may, and may not");
  assert.equal(await messages(), before);
  await context.close();
});

test("a session that has ended is refused at once, wherever it ended", async () => {
  const [one, other] = [await signedIn(), await signedIn()];
  const everywhere = { method: "DELETE", headers: { "X-Peyk-Console": "1" } };
  assert.equal((await ask(one.page, "/console/session?everywhere=true", everywhere)).status, 204);
  assert.deepEqual(await one.context.cookies(), []);
  for (const { page, context } of [one, other]) {
    assert.equal((await ask(page, "/account/info")).status, 401);
    await context.close();
  }
});

test("no store has a session", async () => {
  await server.kill();
  const stored = rowsOfState(server.stateDir);
  assert.ok(secrets.length > 0 && stored.length > 0);
  for (const secret of secrets) assert.ok(!stored.some((row) => row.includes(secret)));
});
