// A person signs in with a code on the real runtime: their page is in a real Chromium, their phone is an SMSC behind a real
// connection. Afterwards nothing that the service keeps, says or posts has the code.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { shopThrough, smppCarrier } from "../support/carriers.mjs";
import { openLoginShop } from "../support/login-shop.mjs";
import { startSmscProcess } from "../support/peers/smsc-process.mjs";
import { listen } from "../support/receiver.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { assertLedgerAddsUp, send, whenDone } from "../support/shop.mjs";
import { launch, openPage } from "../support/site-browser.mjs";
import { rowsOfState } from "../support/state-rows.mjs";

/** So many digits are nowhere by chance. */
const codeLength = 10;
const [person, crowd, late] = ["+989121112201", "+989121112202", "+989121112203"];
/** A text of a message that is no code: it shows that the search finds what is there. */
const seen = "7305551942";

/** Each answer of the service to a program. */
const answers = [];
const realFetch = globalThis.fetch;
globalThis.fetch = async (...args) => {
  const response = await realFetch(...args);
  answers.push(await response.clone().text());
  return response;
};

// The browser is closed first, also if the server did not start.
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

let smsc;
let shop;
let login;
let receiver;
let webhook;
const server = sharedServer(async (server) => {
  smsc = await startSmscProcess();
  shop = await shopThrough(server, { carrier: await smppCarrier(server, smsc) });
  receiver = await listen();
  const events = ["verify.status", "message.status", "message.submitted"];
  webhook = (await post("/webhook", { url: receiver.url(), events })).data.id;
  login = await openLoginShop({ baseUrl: server.baseUrl, apiKey: shop.key, more: { codeLength } });
});
after(async () => {
  for (const opened of [login, receiver]) await opened?.close();
  await smsc?.stop();
});

async function post(path, body, status = 201) {
  const answer = await api(server, "POST", path, { key: shop.key, body });
  assert.equal(answer.status, status, answer.text);
  return answer.json;
}

/** The code that a number has got, as its phone shows it. */
async function codeOn(number) {
  const arrived = async () => (await smsc.messages()).find(({ to }) => `+${to}` === number);
  const { text, from } = await until(arrived, { what: `a text to ${number}` });
  assert.equal(from, shop.line);
  return new RegExp(`\\d{${codeLength}}`).exec(text)?.[0] ?? assert.fail(text);
}

const inPersian = (digits) => digits.replace(/\d/g, (digit) => "۰۱۲۳۴۵۶۷۸۹"[digit]);
const wrong = (code) => `${(Number(code[0]) + 1) % 10}${code.slice(1)}`;

/** Notes what the page asks the browser for. The browser does as it always does. */
function noteCredentials() {
  window.asked = [];
  const get = CredentialsContainer.prototype.get;
  CredentialsContainer.prototype.get = function (options) {
    window.asked.push(Object.keys(options).sort().join());
    return get.call(this, options);
  };
}

test("a person signs in with the code that their phone shows, and hears of a wrong one", async (context) => {
  const { page, faults, close } = await openPage(browser, login.url, { isMobile: true, hasTouch: true });
  await page.addInitScript(noteCredentials);
  await page.goto("/");
  assert.equal(await page.getByLabel("The code").isVisible(), false);
  await page.getByLabel("Your mobile number").fill(`0${person.slice(3)}`);
  await page.getByRole("button", { name: "Send the code" }).click();
  const status = page.getByRole("status");
  await status.getByText("The code is on its way.").waitFor();
  const code = await codeOn(person);

  const field = page.getByLabel("The code");
  assert.equal(await field.getAttribute("autocomplete"), "one-time-code");
  const [text] = (await smsc.messages()).map(({ text }) => text);
  assert.ok(text.endsWith(`\n@localhost #${code}`), "the text is bound to the page");
  const hasWebOtp = await page.evaluate("'OTPCredential' in window");
  context.diagnostic(`the browser ${hasWebOtp ? "has" : "has no"} WebOTP`);
  assert.deepEqual(await page.evaluate("asked"), hasWebOtp ? ["otp,signal"] : []);

  await field.fill(inPersian(wrong(code)));
  await page.getByRole("button", { name: "Sign in" }).click();
  await status.getByText("The code is wrong. 4 tries are left.").waitFor();
  assert.deepEqual(login.customers, []);
  await field.fill(inPersian(code));
  await page.getByRole("button", { name: "Sign in" }).click();
  await status.getByText(`Hello, ${person}`).waitFor();
  assert.deepEqual(login.customers, [person]);

  await page.getByRole("button", { name: "Sign in" }).click();
  await status.getByText("APPROVED").waitFor();
  assert.deepEqual(login.customers, [person]);
  await close();
  // The browser logs each answer of the shop that is an error: the wrong code, and the one that had been used.
  const refused = /^console: Failed to load resource: the server responded with a status of (403|422)/;
  assert.deepEqual(
    faults.map((fault) => refused.exec(fault)?.[1] ?? fault),
    ["403", "422"],
  );
});

test("of a hundred right checks at once, one succeeds", async () => {
  const { id } = (await post("/verify", { recipient: crowd, codeLength })).data;
  const code = await codeOn(crowd);
  const all = await Promise.all(
    Array.from({ length: 100 }, () => api(server, "POST", "/verify/check", { key: shop.key, body: { id, code } })),
  );
  const [first, ...others] = all.sort((one, other) => one.status - other.status);
  assert.equal(first.status, 200, first.text);
  assert.deepEqual([first.json.data.verified, first.json.data.status], [true, "APPROVED"]);
  for (const { status, json, text } of others) assert.deepEqual([status, json?.code], [422, 3019], text);
  assert.equal(all.filter(({ text }) => text.includes('"proof"')).length, 1);
});

/** What may have a code, by its name. */
async function traces() {
  const rows = rowsOfState(server.stateDir);
  const files = readdirSync(server.stateDir, { recursive: true })
    // The build was there before all codes.
    .filter((name) => !name.startsWith("build/"))
    .map((name) => [name, join(server.stateDir, name)])
    .filter(([, path]) => statSync(path).isFile())
    .map(([name, path]) => [name, readFileSync(path)]);
  const texts = (name, all) => all.map((text) => [name, Buffer.from(text)]);
  const posted = receiver.hits.flatMap(({ body, headers }) => [body.toString(), JSON.stringify(headers)]);
  return [...texts("a row", rows), ...files, ...texts("an answer", answers), ...texts("an event", posted)];
}

/** The forms in which a text may be stored. */
function formsOf(text) {
  const base64 = [0, 1, 2].map((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]).toString("base64");
    return whole.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + text.length) * 8) / 6));
  });
  const written = [text, inPersian(text)].flatMap((one) => ["utf8", "utf16le"].map((form) => Buffer.from(one, form)));
  const hex = ["utf8", "utf16le"].map((form) => Buffer.from(Buffer.from(text, form).toString("hex")));
  const bigEndian = Buffer.from(text, "utf16le").swap16();
  return [...written, ...hex, bigEndian, ...base64.map((one) => Buffer.from(one))];
}

const placesOf = (all, text) => {
  const forms = formsOf(text);
  return [...new Set(all.filter(([, content]) => forms.some((form) => content.includes(form))).map(([name]) => name))];
};

/** Asks for all that the service shows of the account and of itself. */
async function readEverything(messages, verifications) {
  const { paths } = JSON.parse(readFileSync(inRoot("openapi.json"), "utf8"));
  // The address itself is for browsers, and two need a number.
  const needy = ["/", "/held", "/verify"];
  const lists = Object.keys(paths).filter((path) => paths[path].get && !path.includes("{") && !needy.includes(path));
  const own = [
    `/held?number=${encodeURIComponent(person)}`,
    `/verify?recipient=${encodeURIComponent(late)}`,
    ...messages.flatMap((uid) => [`/messages/${uid}`, `/messages/${uid}/recipients`]),
    ...messages.map((uid) => `/admin/accounts/${shop.id}/messages/${uid}/recipients`),
    ...verifications.map((id) => `/verify/${id}`),
    ...["day", "prefix", "line", "carrier"].map((by) => `/verify/stats?by=${by}`),
    ...[`/webhook/${webhook}`, `/webhook/${webhook}/deliveries`],
    ...[`/admin/accounts/${shop.id}`, `/admin/accounts/${shop.id}/sandbox`],
  ];
  for (const path of [...lists, ...own]) {
    const key = /^\/(admin\/|metrics$)/.test(path) ? server.adminKey : shop.key;
    const { status, text } = await api(server, "GET", path, { key });
    assert.equal(status, 200, `${path}: ${text}`);
  }
  for (const path of ["/messages", "/verify/stats", "/admin/audit", "/admin/dead-letters"])
    assert.ok(lists.includes(path), path);
}

test("nothing that the service keeps, says or posts has a code", async () => {
  // This one is pending when the service stops.
  const pending = (await post("/verify", { recipient: late, codeLength, purpose: "pay" })).data;
  await codeOn(late);
  const plain = await send(server, shop.key, [late], { message: `order ${seen}` });
  const shown = await api(server, "GET", "/messages", { key: shop.key });
  const messages = shown.json.data.map(({ uid }) => uid);
  assert.equal(messages.length, 4);
  for (const uid of messages) await whenDone(server, shop.key, uid);
  const ended = () => receiver.hits.filter(({ event }) => event.type === "verify.status");
  await until(() => ended().length === 2, { what: "the events of both logins" });
  assert.deepEqual(
    ended().map(({ event }) => [event.data.recipient, event.data.status]),
    [person, crowd].map((number) => [number, "APPROVED"]),
  );
  const delivered = () => receiver.hits.filter(({ event }) => event.type === "message.status");
  await until(() => delivered().length === 4, { what: "the events of all messages" });
  await readEverything(messages, [...ended().map(({ event }) => event.data.id), pending.id]);
  assert.ok(plain.json.data.uid);
  await assertLedgerAddsUp(server, shop.key);
  const codes = (await smsc.messages()).flatMap(({ text }) => text.match(new RegExp(`\\d{${codeLength}}`)) ?? []);
  assert.equal(codes.length, 4);

  await server.kill();
  const all = await traces();
  for (const name of ["a row", "an answer"]) assert.ok(placesOf(all, seen).includes(name), name);
  assert.ok(placesOf(all, seen).some((name) => /\.sqlite(-wal)?$/.test(name)));
  for (const name of ["an event", "runtime.log"])
    assert.ok(
      all.some(([one]) => one === name),
      name,
    );
  for (const code of codes.filter((code) => code !== seen)) {
    assert.deepEqual(placesOf(all, code), []);
    assert.deepEqual(placesOf(all, wrong(code)), [], "a wrong one");
  }
});
