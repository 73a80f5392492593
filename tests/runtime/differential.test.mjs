// Random mixes of clients, faults and a crash; then all that the API tells is compared with what carriers and receivers saw.
// `DIFFERENTIAL_SEED` repeats the choices of a run, `DIFFERENTIAL_ROUNDS` makes more of them.
import { randomInt } from "node:crypto";
import { after, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { randomFrom } from "../../scripts/lib/base/random.mjs";
import { httpCarrier, shopThrough, smppCarrier } from "../support/carriers.mjs";
import { sendMix } from "../support/differential/load.mjs";
import { startFaultyGateway, startFaultyReceiver, startFaultySmsc } from "../support/differential/peers.mjs";
import * as truth from "../support/differential/truth.mjs";
import { openDoor } from "../support/peers/door.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { credit, walletOf } from "../support/shop.mjs";

const SENDS = 50;
const seed = Number(process.env.DIFFERENTIAL_SEED ?? randomInt(2 ** 31));
const rounds = Number(process.env.DIFFERENTIAL_ROUNDS ?? 1);

let door;
const server = sharedServer(undefined, async (starting) => {
  door = await openDoor(starting);
  return { PUBLIC_URL: door.url, WEBHOOK_RETRY_SECONDS: "1,1,1,1,1,1,1,1,1,1,1,1" };
});
after(() => door?.close());

/** Opens a shop whose events go to a receiver of its own. A poor one has not enough money for all that it sends. */
async function openShop(tie, random, isPoor) {
  const shop = await shopThrough(server, tie);
  if (isPoor) await credit(server, shop.id, 300_000 - (await walletOf(server, shop.key)).availableBalance);
  const pattern = await api(server, "POST", "/pattern", {
    key: shop.key,
    body: { title: "Code", text: "Your code is %OTP%." },
  });
  shop.pattern = pattern.json.data.slug;
  await api(server, "POST", `/pattern/${shop.pattern}/versions/1/activate`, { key: shop.key });
  shop.receiver = await startFaultyReceiver(random);
  const endpoint = { url: shop.receiver.url("/"), events: ["message.status", "message.submitted"] };
  shop.endpoint = (await api(server, "POST", "/webhook", { key: shop.key, body: endpoint })).json.data.id;
  shop.money = (await walletOf(server, shop.key)).availableBalance;
  return Object.assign(shop, {
    accepted: new Map(),
    refused: new Set(),
    perhaps: new Set(),
    canceled: new Set(),
    crashes: 0,
  });
}

/** What each carrier has taken: how often each number, as Peyk writes it. */
async function seenBy(smscs, gateways) {
  const peers = new Map();
  for (const [name, smsc] of smscs) {
    const counts = Object.entries(await smsc.counts()).filter(([, { taken }]) => taken > 0);
    peers.set(name, { kind: "smpp", taken: new Map(counts.map(([to, { taken }]) => [`+${to}`, taken])) });
  }
  for (const [name, { taken }] of gateways) {
    const times = new Map();
    for (const to of taken) times.set(to, (times.get(to) ?? 0) + 1);
    peers.set(name, { kind: "http", taken: times });
  }
  return peers;
}

async function round(number, context) {
  const random = randomFrom(seed + number);
  context.diagnostic(`DIFFERENTIAL_SEED=${seed + number}`);
  const [one, two] = [await startFaultySmsc(random), await startFaultySmsc(random)];
  const gateway = await startFaultyGateway(random);
  const shops = [];
  try {
    const [a, b] = [await smppCarrier(server, one), await smppCarrier(server, two)];
    const c = await httpCarrier(server, gateway);
    const to = (...shares) => shares.map(([name, weight]) => ({ name, weight }));
    const ties = [
      {
        routes: [
          { prefixes: ["98935"], carriers: to([b, 1]), backup: to([c, 1]) },
          { prefixes: [], carriers: to([a, 2], [b, 1]), backup: to([c, 1]) },
        ],
      },
      { carrier: c },
      { routes: [{ prefixes: [], carriers: to([a, 1], [c, 1]), backup: to([b, 1]) }] },
    ];
    for (const tie of ties) shops.push(await openShop(tie, random, tie.carrier === c));
    const load = Promise.all(shops.map((shop) => sendMix(server, shop, SENDS, random)));
    const enough = random.integer(20, 2 * SENDS);
    const answers = () => shops.reduce((total, { accepted }) => total + accepted.size, 0);
    await until(() => answers() >= enough, { interval: 5, what: "the moment of the crash" });
    for (const shop of shops) shop.crashes += 1;
    await server.kill();
    context.diagnostic(`killed after ${answers()} answers`);
    await server.restart();
    await load;

    await Promise.all(shops.map((shop) => truth.recipientsAtRest(server, shop)));
    const reported = await gateway.reported();
    for (const smsc of [one, two])
      await until(async () => (await smsc.stats()).owed === 0, { what: "the last receipt" });
    const read = async () => ({
      peers: await seenBy(
        new Map([
          [a, one],
          [b, two],
        ]),
        [[c, gateway]],
      ),
      found: await Promise.all(shops.map((shop) => truth.recipientsAtRest(server, shop, reported))),
    });
    const { found } = await compared(read, (rest) => assertAll(shops, rest));
    for (const [index, { messages, recipients }] of found.entries()) {
      const counts = `${messages.length} messages, ${shops[index].refused.size} refused, ${recipients.length} recipients`;
      context.diagnostic(`${counts}: ${tally(recipients)}`);
    }
  } finally {
    gateway.stop();
    await Promise.all([one.stop(), two.stop(), ...shops.map(({ receiver }) => receiver.close())]);
  }
}

/**
 * Reads what the API tells and compares it with what its peers saw. A receipt that Peyk has taken may still move a recipient: if
 * something has moved meanwhile, the service was not at rest, and all is compared anew.
 */
async function compared(read, assertThat) {
  for (;;) {
    const rest = await read();
    try {
      await assertThat(rest);
      return rest;
    } catch (error) {
      if (isDeepStrictEqual(await read(), rest)) throw error;
    }
  }
}

async function assertAll(shops, { peers, found }) {
  for (const [index, shop] of shops.entries()) {
    const { recipients } = found[index];
    await truth.webhooksAtRest(server, shop, recipients);
    truth.assertWhatClientsKnow(shop, found[index]);
    truth.assertWhatCarriersKnow(recipients, peers);
    await truth.assertMoney(server, shop, recipients);
    await truth.assertEvents(server, shop, recipients, shop.receiver.hits);
  }
  truth.assertNobodyElse(peers, found);
  await truth.assertHealthy(server, shops, peers.keys());
  for (const [index, shop] of shops.entries()) await truth.assertUsage(server, shop, found[index]);
}

const tally = (recipients) => {
  const counts = {};
  for (const { status } of recipients) counts[status] = (counts[status] ?? 0) + 1;
  return JSON.stringify(counts);
};

for (let number = 0; number < rounds; number += 1)
  test(`all that the API tells is what its peers saw, round ${number}`, (context) => round(number, context));
