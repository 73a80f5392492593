// A world of accounts that share four carriers: three SMSCs and a gateway, each with faults of its own.
import { httpCarrier, shopThrough, smppCarrier } from "../carriers.mjs";
import { api } from "../server.mjs";
import { credit, walletOf } from "../shop.mjs";
import { startFaultyGateway, startFaultyReceiver, startFaultySmsc } from "./peers.mjs";

/** How often an SMSC throttles one kind of numbers at most. For each time, the rate that Peyk learns stays low for seconds. */
const [FEW, MANY] = [5, 40];

/**
 * Starts the carriers' peers and opens `accounts` shops that will make `sends` sends each. The peers by the names of their carriers
 * are `smscs` and `gateways`. With `isPatient`, SMSCs throttle long, and Peyk is not told which part of a long message one of them
 * reports: it finds that out within minutes.
 */
export async function openWorld(server, random, { accounts, sends, isPatient }) {
  const part = random.oneOf(["first", "last"]);
  const options = [{}, { countsByConnection: true }, { parts: part }];
  const throttlings = isPatient ? MANY : FEW;
  const peers = [];
  for (const more of options) peers.push(await startFaultySmsc(random, { throttlings, ...more }));
  const gateway = await startFaultyGateway(random);
  const world = { shops: [] };
  world.close = async () => {
    gateway.stop();
    const receivers = world.shops.map(({ receiver }) => receiver.close());
    await Promise.all([...peers.map((smsc) => smsc.stop()), ...receivers]);
  };
  try {
    const settings = [{}, { binds: 2 }, isPatient ? {} : { partReports: part.toUpperCase() }];
    const names = [];
    for (const [index, smsc] of peers.entries()) names.push(await smppCarrier(server, smsc, settings[index]));
    world.smscs = new Map(names.map((name, index) => [name, peers[index]]));
    const http = await httpCarrier(server, gateway);
    world.gateways = new Map([[http, gateway]]);
    const ties = tiesOf(names, http);
    const opened = Array.from({ length: accounts }, (_, index) => {
      const tie = ties[index % ties.length];
      return openShop(server, tie, random, tie.carrier === http && sends);
    });
    world.shops = await Promise.all(opened);
    return world;
  } catch (error) {
    await world.close();
    throw error;
  }
}

/** How lines lead to the carriers: to each alone, to shares of several, and to others if these are down. */
function tiesOf([plain, repeating, ofOnePart], http) {
  const to = (...shares) => shares.map(([name, weight]) => ({ name, weight }));
  return [
    {
      routes: [
        { prefixes: ["98935"], carriers: to([repeating, 1]), backup: to([http, 1]) },
        { prefixes: [], carriers: to([plain, 2], [repeating, 1]), backup: to([http, 1]) },
      ],
    },
    { carrier: http },
    { routes: [{ prefixes: [], carriers: to([plain, 1], [http, 1]), backup: to([repeating, 1]) }] },
    { carrier: repeating },
    { routes: [{ prefixes: [], carriers: to([ofOnePart, 2], [plain, 1]), backup: to([repeating, 1]) }] },
    { carrier: plain },
    { carrier: ofOnePart },
  ];
}

/** Opens a shop whose events go to a receiver of its own. With `poorFor`, it has not enough money for so many sends. */
async function openShop(server, tie, random, poorFor) {
  const shop = await shopThrough(server, tie);
  if (poorFor) await credit(server, shop.id, 6_000 * poorFor - (await walletOf(server, shop.key)).availableBalance);
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
    tie,
    accepted: new Map(),
    refused: new Set(),
    perhaps: new Set(),
    canceled: new Set(),
    crashes: 0,
  });
}

/** What each carrier has taken: how often each number, as Peyk writes it; and whether it reports each part of it. */
export async function seenBy({ smscs, gateways }) {
  const peers = new Map();
  for (const [name, smsc] of smscs) {
    const counts = Object.entries(await smsc.counts()).filter(([, { taken }]) => taken > 0);
    const taken = new Map(counts.map(([to, { taken }]) => [`+${to}`, taken]));
    peers.set(name, { kind: "smpp", taken, reportsAll: smsc.reportsAll });
  }
  for (const [name, { taken }] of gateways) {
    const times = new Map();
    for (const to of taken) times.set(to, (times.get(to) ?? 0) + 1);
    peers.set(name, { kind: "http", taken: times, reportsAll: true });
  }
  return peers;
}
