// A world at rest: waits for it, and compares all that the API tells with what the peers saw.
import { isDeepStrictEqual } from "node:util";
import { until } from "../server.mjs";
import * as truth from "./truth.mjs";
import { seenBy } from "./world.mjs";

/** Waits until nothing of a world is under way, and asserts all that must hold then. `say` hears how far it is. */
export async function assertWorldAtRest(server, world, say) {
  try {
    await compareAtRest(server, world, say);
  } catch (error) {
    await showWhatPeersSaw(error, world.smscs);
    throw error;
  }
}

async function compareAtRest(server, world, say) {
  const { shops, smscs, gateways } = world;
  await Promise.all(shops.map((shop) => truth.assertAllKnown(server, shop)));
  await Promise.all(shops.map((shop) => truth.recipientsAtRest(server, shop)));
  say("each has an ending, or nobody knows");
  for (const gateway of gateways.values()) await gateway.reported();
  for (const smsc of smscs.values())
    await until(async () => (await smsc.stats()).owed === 0, { what: "the last receipt" });
  say("all is reported");
  const read = async () => {
    const peers = await seenBy(world);
    const isTold = truth.isToldBy(peers);
    return { peers, found: await Promise.all(shops.map((shop) => truth.recipientsAtRest(server, shop, isTold))) };
  };
  const { found } = await compared(read, (rest) => assertAll(server, shops, rest));
  const of = (name) => found.flatMap((rest) => rest[name]);
  const refused = shops.reduce((total, shop) => total + shop.refused.size, 0);
  say(`${of("messages").length} messages, ${refused} refused, recipients: ${tally(of("recipients"))}`);
}

/** Shows each submit to the numbers that an error names. */
async function showWhatPeersSaw({ message }, smscs) {
  for (const [number] of message.matchAll(/989\d{9}/g))
    for (const [name, smsc] of smscs)
      for (const { id, status, at, part } of await smsc.submits(number))
        console.log(
          `${name}, ${number}: ${JSON.stringify({ id, status, at: new Date(at), part: part.number, of: part.total })}`,
        );
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

async function assertAll(server, shops, { peers, found }) {
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
