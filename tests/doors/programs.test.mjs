// Programs that are written for other providers, against the service: some as they are, the others by the requests that their sources write.
// `programs.json` is the table of them, and docs/doors.md shows it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { openLibrary } from "../support/doors/libraries.mjs";
import { asker } from "../support/doors/programs/ask.mjs";
import { ippanel } from "../support/doors/programs/ippanel.mjs";
import { kavenegar } from "../support/doors/programs/kavenegar.mjs";
import { smsir } from "../support/doors/programs/smsir.mjs";
import { twilioLibraries } from "../support/doors/programs/twilio-libraries.mjs";
import { twilioServices } from "../support/doors/programs/twilio-services.mjs";
import { unmodified } from "../support/doors/programs/unmodified.mjs";
import { unmodifiedTwilio } from "../support/doors/programs/unmodified-twilio.mjs";
import { post, shopWithPattern } from "../support/doors/shop.mjs";
import { standFor } from "../support/doors/terminator.mjs";
import { gatewaySettings, openInbox } from "../support/phones.mjs";
import { sharedServer, until } from "../support/server.mjs";
import { all, inbox, issueKey, openShop } from "../support/shop.mjs";

const programs = JSON.parse(readFileSync(new URL("programs.json", import.meta.url), "utf8"));
const hosts = [
  "api.kavenegar.com",
  ...["api2.ippanel.com", "edge.ippanel.com", "api.sms.ir", "restfulsms.com"],
  ...["api", "messaging", "lookups", "events", "monitor"].map((name) => `${name}.twilio.com`),
];
/** How each program is run, by the word of the table. */
const runs = {
  library: { ...unmodified, ...unmodifiedTwilio },
  requests: { ...kavenegar, ...ippanel, ...smsir, ...twilioLibraries, ...twilioServices },
};

const opened = ["python-programs", "programs-apart", "symfony-php", "smsir-js", "npm-programs", "django-otp-twilio"];
const libraries = {};
let doors;
let shop;
let listener;
const server = sharedServer(async () => {
  doors = await standFor(hosts, () => server.baseUrl);
  for (const name of opened) libraries[name] = await openLibrary(name, doors.env);
  const pattern = "100200";
  shop = { ...(await shopWithPattern(server, 10_000_000, pattern, "code %token%")), pattern, line: server.line };
  shop.hexKey = (await issueKey(server, shop.id, { form: "HEX32" })).key;
  Object.assign(shop, { to: "+989121234567", also: "+989121234568", barred: "+989121234569", text: "سلام دنیا" });
  await post(server, shop.key, "/blacklist", { numbers: [shop.barred] });
  listener = await openShop(server, 0);
  listener.inbox = await openInbox(server, listener.id, "30007");
}, gatewaySettings);
after(async () => {
  for (const library of Object.values(libraries)) await library.close();
  await doors?.stop();
});

const known = new Set();
/** Waits until the carrier has what the shop has sent since the last time: pairs of a number and a text, and nothing else. */
async function sent(...expected) {
  const news = await until(
    async () => {
      const handed = [...(await inbox(server, shop.id)).values()].filter(({ uid }) => !known.has(uid));
      return handed.length >= expected.length ? handed : null;
    },
    { what: `${expected.length} messages at the carrier` },
  );
  for (const { uid } of news) known.add(uid);
  assert.deepEqual(news.map(({ recipient, message }) => [recipient, message]).sort(), expected.sort());
}

const list = async () => (await all(server, shop.key, "/messages")).map(({ uid }) => uid);
/** Does what the service must refuse, and makes no message of. */
async function unchanged(work) {
  const before = await list();
  await work();
  assert.deepEqual(await list(), before);
}

const given = () => ({
  shop,
  listener,
  sent,
  unchanged,
  ask: asker(doors.env),
  python: (program, method, ...args) => libraries["python-programs"].call(program, method, ...args),
  apart: (program, method, ...args) => libraries["programs-apart"].call(program, method, ...args),
  php: (client, method, ...args) => libraries["symfony-php"].call(client, method, ...args),
  smsir: (client, method, ...args) => libraries["smsir-js"].call(client, method, ...args),
  npm: (program, method, ...args) => libraries["npm-programs"].call(program, method, ...args),
  django: (settings, method, ...args) => libraries["django-otp-twilio"].call(settings, method, ...args),
});

for (const [how, of] of Object.entries(runs)) {
  for (const [name, run] of Object.entries(of)) test(`${name} (${how})`, () => run(given()));
}

test("the table has these programs, each with how it is run", () => {
  const here = programs.filter(({ test }) => test === "programs");
  const inTable = here.map(({ program, how }) => `${program} (${how})`);
  const run = Object.entries(runs).flatMap(([how, of]) => Object.keys(of).map((name) => `${name} (${how})`));
  assert.deepEqual(inTable.sort(), run.sort());
});
