// What a service on a machine of one's own does by itself: it calls the public internet and the private networks of its settings, and
// looks after its accounts at night.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { environment } from "../../scripts/lib/base/command.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { startService } from "../../scripts/lib/serve/service/service.mjs";
import {
  assertOnceAndPaid,
  healthOf,
  httpCarrier,
  numbers,
  settled,
  shopThrough,
  smppCarrier,
  tally,
} from "../support/carriers.mjs";
import { startGateway } from "../support/peers/gateway.mjs";
import { startSmsc } from "../support/peers/smsc.mjs";
import { until } from "../support/server.mjs";
import { keyIn, newPlace, startServing } from "../support/serving.mjs";
import { admin, openShop, send } from "../support/shop.mjs";

const place = newPlace();
const server = { line: "10001" };
let gateway;

async function start(env) {
  const running = await startServing(place, { args: server.baseUrl ? [] : ["--demo"], env });
  assert.ok(running.baseUrl, running.output());
  Object.assign(server, running, { adminKey: keyIn(place) });
}

async function stop() {
  server.child.kill("SIGTERM");
  assert.deepEqual(await server.exited, { code: 0, signal: null }, server.output());
}

before(async () => {
  gateway = await startGateway();
  await start({ PUBLIC_URL: "https://sms.example.com" });
});
after(async () => {
  await stop();
  gateway.stop();
  place.remove();
});

/** What stands in the files of the objects, whose work is due: what waits is tried again and again. */
const objects = () =>
  readdirSync(join(place.data, "state", "do"), { recursive: true })
    .toSorted()
    .map((name) => [name, statSync(join(place.data, "state", "do", name)).mtimeMs]);

/** A start that is refused for its settings, and the making of an operator key, do nothing of the service's work. */
async function nothingHappens() {
  const before = objects();
  assert.ok(before.length > 2, "there are objects");
  const refused = await startServing(place, { env: { MAX_PARTS: "300" } });
  assert.deepEqual(await refused.exited, { code: 1, signal: null }, refused.output());
  assert.match(refused.output(), /MAX_PARTS="300": must be 1 to 255/);
  const words = [inRoot("scripts/operator-key.mjs"), "--data", place.data, "--key-file", `${place.keyFile}-2`];
  assert.equal(spawnSync(process.execPath, words, { env: environment() }).status, 0);
  assert.deepEqual(objects(), before);
}

test("a private network is reached only if the settings name it; what waits for it leaves then", async () => {
  const name = await httpCarrier(server, gateway);
  // The runtime looks at the address that a name leads to.
  const named = await httpCarrier(server, { ...gateway, url: gateway.url.replace("127.0.0.1", "localhost") });
  const shop = await shopThrough(server, { carrier: name });
  const sent = await send(server, shop.key, ["+989121234567"]);
  assert.equal(sent.status, 201, sent.text);
  const other = await shopThrough(server, { carrier: named });
  assert.equal((await send(server, other.key, ["+989121234568"])).status, 201);
  for (const one of [name, named])
    await until(async () => (await healthOf(server, one)).lastError, { what: "an error of the carrier" });
  assert.deepEqual(gateway.requests, []);
  await stop();
  await nothingHappens();
  await start({ PUBLIC_URL: "https://sms.example.com", PRIVATE_NETWORKS: "127.0.0.1" });
  await until(() => gateway.counts()["+989121234567"] === 1, { what: "the message at the gateway" });
});

test("on SIGTERM the session with an SMSC ends in order, and what waits leaves once after the next start", async () => {
  const smsc = await startSmsc();
  try {
    // At most ten a second leave, so many wait.
    const shop = await shopThrough(server, { carrier: await smppCarrier(server, smsc, { throughputPerSecond: 10 }) });
    const people = numbers(60);
    const sent = await send(server, shop.key, people);
    assert.equal(sent.status, 201, sent.text);
    await until(() => smsc.stats().submits > 5, { what: "messages at the SMSC" });
    await stop();
    const { unbinds, submits } = smsc.stats();
    assert.equal(unbinds, 1);
    assert.ok(submits < people.length, `${submits}`);
    await start({ PUBLIC_URL: "https://sms.example.com" });
    const statuses = await settled(server, shop, [sent.json.data.uid]);
    assert.deepEqual(tally(statuses), { DELIVERED: people.length });
    await assertOnceAndPaid(server, shop, statuses, smsc.counts());
  } finally {
    await smsc.stop();
  }
});

test("the night's work is done when the cron calls, and the worker needs no address for that", async () => {
  const shop = await openShop(server, 10_000);
  const nightly = async () => {
    const { json } = await admin(server, "GET", `/admin/reconciliation?account=${shop.id}`);
    return json.data[0].nightly;
  };
  assert.equal(await nightly(), null);
  await stop();
  const stores = join(place.data, "state");
  const service = await startService({ stores, settings: {}, secrets: {}, networks: [], log: console.log });
  const [cron] = service.crons;
  assert.equal(await service.ask("scheduled", { cron, time: Date.now() }), "ok");
  await service.stop();
  await start({});
  assert.deepEqual((await nightly()).differences, []);
});
