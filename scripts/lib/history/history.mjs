// Thirty days of the demo account: a shop sends, and phones answer. All goes through the API, in a runtime whose clock is set back. So
// what is stored is what the service stores, and all of its rules hold.
import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { call } from "../base/client.mjs";
import { Failure, say } from "../base/command.mjs";
import { inRoot } from "../base/paths.mjs";
import { randomFrom } from "../base/random.mjs";
import { builtModules, startRuntime } from "../runtime/runtime.mjs";
import { ensureDemo } from "../start/demo.mjs";
import { prepareState, secretKey } from "../start/state.mjs";
import { closeWebhook, openAccount } from "./beside.mjs";
import { nextCampaign } from "./campaigns.mjs";
import { momentsOf, toCome } from "./days.mjs";
import { startGateway } from "./gateway.mjs";
import { people } from "./people.mjs";
import { CREDIT_APPROVAL_ABOVE, openService, remind, toDo } from "./service.mjs";
import { closeGateway, openShop } from "./shop.mjs";

const DAYS = 30;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const CUSTOMERS = 120;
const SEED = 20_260_101;
/** How long an answer may take, ms. Only what never comes takes so long. */
const PATIENCE_MS = 60_000;

/**
 * Makes a state with a history, if there is no state yet. It is made beside and comes to its place as a whole, so an interrupted run
 * leaves nothing half done.
 */
export async function ensureHistory(stateDir) {
  if (existsSync(stateDir) && readdirSync(stateDir).length > 0) return;
  say("making thirty days of history for the demo account …");
  const unfinished = `${stateDir}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  await makeHistory(unfinished);
  if (existsSync(stateDir)) rmdirSync(stateDir);
  renameSync(unfinished, stateDir);
}

/** Makes a state as if it had been there for thirty days. */
export async function makeHistory(stateDir) {
  const begin = Date.now() - DAYS * DAY_MS;
  await prepareState(stateDir, begin);
  const past = await startPast(stateDir);
  try {
    await live(past, stateDir, begin);
  } finally {
    await past.stop();
  }
}

async function startPast(stateDir) {
  const modules = [{ type: "ESModule", path: inRoot("scripts/lib/history/worker.mjs") }, ...builtModules()];
  // Only the paths of the addresses below it are used.
  const address = { PUBLIC_URL: "http://127.0.0.1", WEBHOOK_ALLOW_LOOPBACK: "true" };
  const settings = { SECRET_KEY: secretKey(stateDir), CREDIT_APPROVAL_ABOVE, ...address };
  const runtime = await startRuntime({ modules, stateDir, settings });
  const baseUrl = `http://127.0.0.1:${runtime.port}`;
  let behindMs = 0;
  return {
    ...runtime,
    baseUrl,
    now: () => Date.now() - behindMs,
    /** Sets the clock. It only goes on. */
    async goTo(ms) {
      behindMs = Math.max(0, Date.now() - ms);
      await must(call(baseUrl, "PUT", `/clock?behind=${behindMs}`));
    },
  };
}

async function live(past, stateDir, begin) {
  const random = randomFrom(SEED);
  await past.goTo(begin);
  const demo = await ensureDemo(stateDir, past.baseUrl);
  const gateway = await startGateway((path) => must(call(past.baseUrl, "GET", path)));
  try {
    const shop = await openedShop(past, demo, gateway, random);
    const clinic = await openService(shop);
    for (const moment of momentsFrom(begin, shop, random)) await liveThrough(moment, past, shop, random);
    await end(past, shop, clinic);
  } finally {
    gateway.stop();
  }
}

/** All moments of the history, in their order. The last ones are some minutes ago. */
function momentsFrom(begin, shop, random) {
  const midnight = begin - (begin % DAY_MS);
  const days = Array.from({ length: DAYS + 1 }, (_, index) => ({ index, date: new Date(midnight + index * DAY_MS) }));
  const moments = days.flatMap((day) =>
    momentsOf(day, shop, random).map(({ minute, works }) => ({ ms: day.date.getTime() + minute * MINUTE_MS, works })),
  );
  return moments.filter(({ ms }) => ms > begin + MINUTE_MS && ms < Date.now() - 10 * MINUTE_MS);
}

async function liveThrough({ ms, works }, past, shop, random) {
  await past.goTo(ms);
  const later = await Promise.all(works.map((work) => work()));
  await settled(shop);
  await past.goTo(past.now() + random.integer(9, 40) * 1_000);
  await Promise.all(later.filter((work) => typeof work === "function").map((work) => work()));
}

async function openedShop(past, demo, gateway, random) {
  const { baseUrl, now } = past;
  const { adminKey, apiKey, accountId } = demo;
  const admin = (method, path, body) => must(call(baseUrl, method, `/admin${path}`, { key: adminKey, body }));
  const api = (method, path, body, csv) => {
    const file = csv === undefined ? {} : { raw: csv, headers: { "content-type": "text/csv" } };
    return must(call(baseUrl, method, path, { key: apiKey, body, ...file }));
  };
  const as = (key) => (method, path, body) => must(call(baseUrl, method, path, { key, body }));
  const customers = people(random, CUSTOMERS);
  const { phonebook, inboundPath } = await openShop({ admin, api, accountId }, { gatewayUrl: gateway.url, customers });
  const webhook = await openAccount({ admin, api, accountId }, gateway.receiverUrl);
  let received = 0;
  return {
    admin,
    api,
    as,
    now,
    accountId,
    defaultLine: demo.line,
    customers,
    phonebook,
    webhook,
    until,
    textTo: (number) => until(() => gateway.take(number), `the text to ${number}`),
    credit: (amount, note) => admin("POST", `/accounts/${accountId}/credit`, { amount, note }),
    receive: (about) =>
      must(call(baseUrl, "GET", `${inboundPath}&${new URLSearchParams({ ...about, id: `${++received}` })}`)),
  };
}

/** Waits until no money is reserved any more: all that was sent has ended. */
const settled = ({ api }) =>
  until(async () => {
    const { wallet } = await api("GET", "/account/info");
    return wallet.lockedBalance === 0;
  }, "the end of what was sent");

/** Comes back to the present, and waits until the directory shows what the accounts have. */
async function end(past, shop, clinic) {
  await closeWebhook(shop, until);
  const patients = shop.customers.slice(40, 54).map(({ number }) => number);
  await remind(clinic, patients);
  await settled(clinic);
  await closeGateway(shop);
  await past.goTo(Date.now());
  await toCome(shop);
  await nextCampaign(shop);
  await toDo(shop, clinic);
  await until(async () => {
    const checked = await shop.admin("GET", "/reconciliation");
    return checked.every(({ now }) => now.differences.length === 0);
  }, "the mirror of the accounts");
}

async function until(probe, what) {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(10)) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > deadline) throw new Failure(`the history could not be made: ${what} did not come`);
  }
}

async function must(pending) {
  const { status, text, json } = await pending;
  if (status >= 300) throw new Failure(`the history could not be made: ${status} ${text}`);
  return json?.data;
}
