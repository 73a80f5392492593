// A service on a machine of one's own that is killed again and again, at random moments, while many send by SMSCs and a gateway: the
// command, one of its two runtimes, or the command as it starts. Then all that the API tells is compared with what carriers, receivers
// and clients have seen. `KILLS` is how many, `KILLS_SEED` repeats the choices of a run.
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { call } from "../../scripts/lib/base/client.mjs";
import { randomFrom } from "../../scripts/lib/base/random.mjs";
import { build } from "../../scripts/lib/build/build.mjs";
import { assertChanged, makeChanges } from "../support/differential/changes.mjs";
import { assertSignedIn, signIn } from "../support/differential/codes.mjs";
import { sendMix } from "../support/differential/load.mjs";
import { assertWorldAtRest } from "../support/differential/rest.mjs";
import { openWorld } from "../support/differential/world.mjs";
import { KillableServer, targets } from "../support/killing.mjs";
import { openDoor } from "../support/peers/door.mjs";
import { listen } from "../support/receiver.mjs";
import { api, until } from "../support/server.mjs";
import { keyIn, newPlace } from "../support/serving.mjs";

const kills = Number(process.env.KILLS ?? 5);
const seed = Number(process.env.KILLS_SEED ?? randomInt(2 ** 31));
const random = randomFrom(seed);
/** Apart from the load, whose choices come in the order of its answers. */
const moments = randomFrom(seed + 1);
/** As many as there are ways to the carriers. */
const accounts = 7;
/** Of each account, between two kills. */
const sends = 3;

const opened = [];
before(() => build());
after(async () => {
  for (const close of opened.toReversed()) await close();
});
afterEach((context) => {
  if (!context.passed) console.log(`KILLS_SEED=${seed}`);
});

/** A service on a new folder, which does not run yet. */
function newServer(env) {
  const place = newPlace();
  const server = new KillableServer(place, env);
  opened.push(async () => {
    await server.end();
    place.remove();
  });
  return { server, place };
}

test("after kills at random moments nobody has a message twice, and all that is told is what peers saw", async () => {
  const began = performance.now();
  const say = (what) => console.log(`after ${Math.round((performance.now() - began) / 1_000)} s: ${what}`);
  say(`KILLS_SEED=${seed}`);
  const where = {};
  const door = await openDoor(where);
  opened.push(door.close);
  const retries = Array(20).fill(1).join(",");
  const settings = { PUBLIC_URL: door.url, WEBHOOK_ALLOW_LOOPBACK: "true", WEBHOOK_RETRY_SECONDS: retries };
  const { server } = newServer(settings);
  await server.start(["--demo"]);
  where.baseUrl = server.baseUrl;
  const world = await openWorld(server, random, { accounts, sends: sends * kills, isPatient: false });
  opened.push(world.close);
  say(`${accounts} accounts are open`);
  const login = await openLogin(server, world);
  const [load, changes] = [[], []];
  for (let kill = 0; kill < kills; kill += 1) {
    for (const shop of world.shops) load.push(sendMix(server, shop, sends, random));
    load.push(login.people(sends));
    changes.push(makeChanges(server, world.shops[0].id, sends));
    await killedOnce(server, world, say);
    where.baseUrl = server.baseUrl;
  }
  await Promise.all(load);
  const changed = await Promise.all(changes);
  say("all is sent");
  await assertWorldAtRest(server, world, say);
  await login.assertAll();
  await assertChanged(server, changed);
});

/** Lets people sign in by the shop whose messages all go by the first SMSC. */
async function openLogin(server, { smscs, shops }) {
  const [[carrier, smsc]] = smscs;
  const shop = shops.find(({ tie }) => tie.carrier === carrier);
  const receiver = await listen();
  opened.push(receiver.close);
  const endpoint = { url: receiver.url("/"), events: ["verify.status"] };
  const made = await api(server, "POST", "/webhook", { key: shop.key, body: endpoint });
  assert.equal(made.status, 201, made.text);
  const signedIn = [];
  return {
    people: async (count) => signedIn.push(...(await signIn(server, shop, smsc, count))),
    assertAll: () => assertSignedIn(server, shop, signedIn, receiver.hits),
  };
}

/** Kills it at a random moment, sometimes once more as it starts again, and starts it. */
async function killedOnce(server, { shops }, say) {
  const [target, afterMs] = [moments.oneOf(targets), moments.integer(0, 1_500)];
  await sleep(afterMs);
  for (const shop of shops) shop.crashes += 1;
  await server.kill(target);
  say(`killed the ${target}, ${afterMs} ms after it served`);
  if (moments.isTrue(0.3)) {
    const ms = moments.integer(0, 3_000);
    const served = await server.killInStart(() => sleep(ms));
    for (const shop of shops) shop.crashes += 1;
    say(`killed the command ${served ? "as it served" : `${ms} ms after its start`}`);
  }
  const began = performance.now();
  await server.start();
  say(`serves again, ${Math.round(performance.now() - began)} ms after its start`);
}

/** What a first start makes, in this order. */
const steps = {
  secret: ({ data }) => existsSync(join(data, "secret")),
  stores: ({ data }) => existsSync(join(data, "state")) && readdirSync(join(data, "state")).length > 0,
  version: ({ data }) => existsSync(join(data, "version.json")),
  key: ({ keyFile }) => existsSync(keyFile),
};

for (const [what, isThere] of Object.entries(steps))
  test(`a first start that is killed when its ${what} is there: the next one serves, and one operator key works`, () =>
    assertOneKey((place) => until(() => isThere(place), { interval: 0, what })));

test("a first start that is killed at a random moment: the next one serves, and one operator key works", () =>
  assertOneKey(() => sleep(moments.integer(0, 3_000))));

/** Kills a first start at a moment. The next one serves, or says what to do. Of the keys that were given, one works. */
async function assertOneKey(moment) {
  const { server, place } = newServer();
  const served = await server.killInStart(() => moment(place));
  const given = existsSync(place.keyFile) ? [keyIn(place)] : [];
  if (!(await server.tryToStart())) {
    assert.match(server.output(), /--key-file PATH/);
    place.keyFile = `${place.keyFile}-2`;
    await server.start();
  }
  given.push(keyIn(place));
  const works = async (key) => (await call(server.baseUrl, "GET", "/admin/keys", { key })).status === 200;
  const usable = [];
  for (const key of new Set(given)) if (await works(key)) usable.push(key);
  assert.equal(
    usable.length,
    1,
    `${usable.length} of ${given.length} keys work; it ${served ? "had" : "had not"} served`,
  );
}
