// What the pictures of the console show beside the demo's thirty days: a name, another phonebook, and carriers of which one is down.
import assert from "node:assert/strict";
import { withClock } from "./clocked.mjs";
import { startSmscProcess } from "./peers/smsc-process.mjs";
import { api, until } from "./server.mjs";
import { admin, all } from "./shop.mjs";

export const routedLine = "30001234";
export const brokenCarrier = "asiatech";
/** The line whose messages wait for the carrier that is down. */
const waitingLine = "50004321";
/** By how much the clock of the service is ahead, ms: what waits for an hour is a dead letter. */
export const aheadBy = 61 * 60_000;
export const englishPhonebook = "Newsletter";
const festivalPhonebook = "جشنواره";

/** Of some, nobody knows yet whether they have got it. */
const rules = [{ to: "7$", receipts: null }];

async function made(pending) {
  const answer = await pending;
  assert.ok(answer.status < 300, answer.text);
  return answer.json?.data;
}

/** Fills the demo account and the service. Returns the SMSCs, and the ids of what pages show. */
export async function fillForPictures(server) {
  const goAhead = await withClock(server);
  const smscs = await Promise.all([startSmscProcess({ rules }), startSmscProcess({ rules })]);
  await made(admin(server, "PATCH", `/admin/accounts/${server.accountId}`, { fullName: "Narenj" }));
  await addWays(server, smscs);
  await makeDeadLetter(server, goAhead);
  const phonebook = await addPhonebook(server);
  const festival = await runCampaign(server);
  return { smscs, phonebook, festival, campaign: await sendCampaign(server), operator: await addOperator(server) };
}

/** Each call of the account's own program. */
const own = (server, method, path, body) => made(api(server, method, path, { key: server.apiKey, body }));

async function addPhonebook(server) {
  const { id } = await own(server, "POST", "/phonebook", { title: englishPhonebook });
  const numbers = [
    { number: "09121112201", name: "Sara", attributes: { city: "Tehran" } },
    { number: "09351112202", name: "Ali", attributes: { city: "Shiraz" } },
    { number: "09191112203", name: "Mina", attributes: { city: "Tabriz" } },
    { number: "09011112204", name: "Reza", attributes: { city: "Yazd" } },
  ];
  await own(server, "POST", `/phonebook/number/${id}`, { numbers });
  return id;
}

/** A message to all customers by the carriers that are up. Returns its uid when all of it has left. */
async function sendCampaign(server) {
  const book = (await all(server, server.apiKey, "/phonebook")).find(({ title }) => title === "مشتریان");
  const message = "%نام% عزیز، جشنواره‌ی نارنج شروع شد: ارسال رایگان تا شنبه. لغو۱۱";
  const body = { phonebook: book.id, message, sourceNumber: routedLine };
  const { uid } = await own(server, "POST", "/sms/phonebook/send", body);
  const hasLeft = async () => {
    const { counts } = await own(server, "GET", `/messages/${uid}`);
    return !counts.QUEUED && counts.DELIVERED > book.count / 2;
  };
  await until(hasLeft, { interval: 500, what: "the way of the campaign" });
  return uid;
}

/** The ends of numbers by which the sandbox fails to reach some of many. */
const failing = { 7: "902", 11: "902", 18: "903", 29: "902" };
const operatorsInTurn = ["0912", "0935", "0912", "0921"];

/** A campaign that has reached most of its people. Returns its id. */
async function runCampaign(server) {
  const { id: book } = await own(server, "POST", "/phonebook", { title: festivalPhonebook });
  const numbers = Array.from({ length: 640 }, (_, index) => ({
    number: `${operatorsInTurn[index % 4]}${1_000 + index}${failing[index % 61] ?? "100"}`,
  }));
  await own(server, "POST", "/blacklist", { numbers: numbers.slice(40, 58).map(({ number }) => number) });
  await own(server, "POST", `/phonebook/number/${book}`, { numbers });
  const message = "جشنواره‌ی نارنج شروع شد: ارسال رایگان تا شنبه. لغو۱۱";
  const { id } = await own(server, "POST", "/campaigns", { title: "جشنواره‌ی نارنج", message, phonebooks: [book] });
  const whenIt = (holds, what) =>
    until(async () => holds(await own(server, "GET", `/campaigns/${id}`)), { interval: 500, what });
  await whenIt(({ state }) => state === "DRAFT", "the count of the campaign");
  await own(server, "POST", `/campaigns/${id}/start`);
  await whenIt(({ state, progress }) => state === "DONE" && progress.open === 0, "the end of the campaign");
  return id;
}

/** An operator with a name, who changes the account. Returns the key. */
async function addOperator(server) {
  const { key } = await made(admin(server, "POST", "/admin/keys", { title: "Sara Ahmadi", scopes: ["admin"] }));
  const account = `/admin/accounts/${server.accountId}`;
  const change = (body) => made(api(server, "PATCH", account, { key, body }));
  await change({ hold: true });
  await change({ hold: false });
  await change({ dailySpend: 2_000_000, destinations: ["98"] });
  return key;
}

/** Carriers over SMPP, of which nobody runs the last one, and lines with routes to them. */
async function addWays(server, smscs) {
  const smpp = { host: "127.0.0.1", tls: false, systemId: "peyk", password: "secret" };
  for (const [index, name] of ["mci", "irancell"].entries()) {
    const settings = { ...smpp, port: smscs[index].port };
    await made(admin(server, "POST", "/admin/carriers", { name, kind: "smpp", smpp: settings }));
  }
  const broken = { name: brokenCarrier, kind: "smpp", smpp: { ...smpp, port: 1 } };
  await made(admin(server, "POST", "/admin/carriers", broken));
  const routes = [
    {
      prefixes: ["98910", "98912", "98919"],
      carriers: [
        { name: "mci", weight: 3 },
        { name: brokenCarrier, weight: 1 },
      ],
      backup: [{ name: "irancell", weight: 1 }],
    },
    { prefixes: [], carriers: [{ name: "irancell", weight: 1 }] },
  ];
  const line = { operations: ["WEBSERVICE", "PATTERN"], accounts: [server.accountId] };
  await made(admin(server, "POST", "/admin/lines", { ...line, number: routedLine, routes }));
  await made(admin(server, "POST", "/admin/lines", { ...line, number: waitingLine, carrier: brokenCarrier }));
}

/** Recipients wait for the carrier that is down, and an hour goes by. */
async function makeDeadLetter(server, goAhead) {
  const body = {
    message: "سفارش شما آماده‌ی تحویل است. فروشگاه نارنج",
    recipients: ["09121110011", "09121110012", "09121110013"],
    sourceNumber: waitingLine,
  };
  await made(api(server, "POST", "/sms/send", { key: server.apiKey, body }));
  await goAhead(aheadBy);
  const waits = async (path) => (await made(admin(server, "GET", path))) ?? [];
  await until(async () => (await waits("/admin/dead-letters")).length > 0, { interval: 500, what: "the dead letter" });
  const told = async () => (await waits(`/admin/carriers/${brokenCarrier}`)).waiting?.recipients > 0;
  await until(told, { interval: 500, what: "who waits for the carrier" });
}
