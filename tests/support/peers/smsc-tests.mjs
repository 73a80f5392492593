// What the runtime tests of carriers that speak SMPP have in common.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  assertOnceAndPaid,
  changeCarrier,
  numbers,
  sendTexts,
  settled,
  shopThrough,
  smppCarrier,
  tally,
} from "../carriers.mjs";
import { startSmscProcess } from "./smsc-process.mjs";

const textFor = (number) => `to ${number}`;

export function smppTests(server) {
  /** A test with an SMSC, a carrier that binds to it, and a shop whose line is tied to the carrier. */
  function smppTest(name, { smsc: options = {}, carrier: settings = {} }, work) {
    test(name, async () => {
      const smsc = await startSmscProcess(options);
      try {
        const carrier = await smppCarrier(server, smsc, settings);
        const shop = await shopThrough(server, { carrier });
        await work({ smsc, carrier, shop });
        const { errors, faults } = await smsc.stats();
        assert.deepEqual([errors, faults], [[], []]);
        // So that its bind does not go on while the other tests run.
        await changeCarrier(server, carrier, { active: false });
      } finally {
        await smsc.stop();
      }
    });
  }

  const texts = (count, first = 0) => new Map(numbers(count, first).map((number) => [number, textFor(number)]));

  /** Sends to `count` numbers, waits for their ends, and asserts what always holds. Returns the statuses. */
  async function sendAndSettle({ smsc, shop }, count, meanwhile = async () => {}) {
    const uids = await sendTexts(server, shop, texts(count));
    await meanwhile(uids);
    const statuses = await settled(server, shop, uids, smsc);
    assert.equal(statuses.size, count);
    await assertOnceAndPaid(server, shop, statuses, await smsc.counts());
    return statuses;
  }

  async function assertAllDelivered(peers, count, meanwhile) {
    const statuses = await sendAndSettle(peers, count, meanwhile);
    assert.deepEqual(tally(statuses), { DELIVERED: count });
    const arrived = await peers.smsc.messages();
    assert.equal(arrived.length, count);
    for (const { to, text } of arrived) assert.equal(text, textFor(`+${to}`));
  }

  return { smppTest, texts, sendAndSettle, assertAllDelivered };
}
