// Deaths in the middle of a send: of a carrier that has a backup, and of the runtime itself. The peers' own counts say that
// nobody is sent to twice.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  assertOnceAndPaid,
  numbers,
  sendTexts,
  settled,
  shopThrough,
  smppCarrier,
  statusesOf,
  takenBy,
  tally,
} from "../support/carriers.mjs";
import { startSmscProcess } from "../support/peers/smsc-process.mjs";
import { sharedServer, until } from "../support/server.mjs";
import { admin } from "../support/shop.mjs";

/** A session fills its window of 50 again when a quarter of it is free. So this many unanswered submits may be all. */
const FULL = 38;

const server = sharedServer();
const texts = (count, first = 0) => numbers(count, first).map((number) => [number, `to ${number}`]);

test("a carrier dies in the middle of 2,000 submits: its backup gets the rest, and it is used again when it is back", async () => {
  // Nobody reports for A until the end, so nothing is lost with its process but answers.
  const a = await startSmscProcess({ receipts: null, rules: [{ skip: 699, times: 1, next: "die" }] });
  const b = await startSmscProcess({ firstId: 1_000_000 });
  try {
    const [first, second] = [await smppCarrier(server, a), await smppCarrier(server, b)];
    const way = (name) => [{ name, weight: 1 }];
    const shop = await shopThrough(server, { routes: [{ prefixes: [], carriers: way(first), backup: way(second) }] });
    const uids = await sendTexts(server, shop, texts(2_000));
    await a.exited();
    const isOpen = (status) => status === "QUEUED";
    await until(async () => ![...(await statusesOf(server, shop, uids)).values()].some(isOpen), {
      interval: 2_000,
      what: "the handover of every recipient",
    });
    const handed = await statusesOf(server, shop, uids);
    const [countsOfA, countsOfB] = [a.record().counts, await b.counts()];
    for (const [number, status] of handed) {
      const [atA, atB] = [takenBy(countsOfA, number), takenBy(countsOfB, number)];
      if (status === "UNKNOWN") assert.equal(atB, 0, `${number} is UNKNOWN, and B was given it`);
      else assert.equal(atA + atB, 1, `${number} is ${status}`);
    }
    const unknown = [...handed.values()].filter((status) => status === "UNKNOWN").length;
    assert.ok(unknown >= 1 && unknown <= 50, `${unknown} are UNKNOWN, a window has 50`);
    assert.equal(Object.keys(countsOfA).length, 700);

    await a.restart({ receipts: null });
    for (const { n } of await a.submits()) await a.receipt({ n });
    await untilUsedAgain(shop, a);
    // A reports what it has read. The rest of its window was written and not read.
    const statuses = await settled(server, shop, uids, a);
    const counts = [await a.counts(), await b.counts()];
    for (const [number, status] of statuses) {
      const taken = counts.reduce((sum, count) => sum + takenBy(count, number), 0);
      assert.ok(taken <= 1, `${number} was taken ${taken} times`);
      assert.equal(status, taken === 1 ? "DELIVERED" : "UNKNOWN", number);
    }
  } finally {
    await Promise.all([a.stop(), b.stop()]);
  }
});

/** The circuit closes with one try; until then, messages go by the backup. */
async function untilUsedAgain(shop, smsc) {
  let next = 5_000;
  const before = (await smsc.stats()).submits;
  await until(
    async () => {
      await sendTexts(server, shop, texts(1, next++));
      return (await smsc.stats()).submits > before;
    },
    { interval: 1_000, what: "a submit to the carrier that is back" },
  );
}

test("what waits for a carrier that is down is told within a minute, and no longer when it is back", async () => {
  const smsc = await startSmscProcess();
  try {
    const carrier = await smppCarrier(server, smsc);
    const shop = await shopThrough(server, { carrier });
    await smsc.kill();
    const uids = await sendTexts(server, shop, texts(3));
    const paths = ["/admin/health", `/admin/carriers/${carrier}`, `/admin/lines/${shop.line}`];
    const waiting = async () => {
      const answers = await Promise.all(paths.map((path) => admin(server, "GET", path)));
      return answers.map(({ json }) => json.data.waiting);
    };
    const areAll = async (count) => (await waiting()).slice(1).every(({ recipients }) => recipients === count);
    const began = Date.now();
    await until(() => areAll(3), { interval: 2_000, what: "the sums of what waits" });
    const seconds = (Date.now() - began) / 1_000;
    assert.ok(seconds <= 60, `it took ${seconds} s`);
    const [inAll, { oldestSeconds }] = await waiting();
    assert.ok(inAll.recipients >= 3 && oldestSeconds >= 10 && oldestSeconds <= seconds + 20, `${oldestSeconds} s`);
    await smsc.restart();
    await settled(server, shop, uids);
    await until(() => areAll(0), { interval: 2_000, what: "nothing that waits" });
  } finally {
    await smsc.stop();
  }
});

test("carriers share by weight, and a longer prefix goes before", async () => {
  const peers = [await startSmscProcess(), await startSmscProcess(), await startSmscProcess()];
  try {
    const names = [];
    for (const peer of peers) names.push(await smppCarrier(server, peer));
    const [a, b, c] = names;
    const routes = [
      {
        prefixes: [],
        carriers: [
          { name: a, weight: 3 },
          { name: b, weight: 1 },
        ],
        backup: [],
      },
      { prefixes: ["989120001"], carriers: [{ name: c, weight: 1 }], backup: [] },
    ];
    const shop = await shopThrough(server, { routes });
    // Recipients are shared a call at a time, so it takes some calls until the shares show.
    const uids = [];
    for (let first = 0; first < 2_000; first += 50)
      uids.push(...(await sendTexts(server, shop, texts(2_000).slice(first, first + 50))));
    const statuses = await settled(server, shop, uids);
    assert.deepEqual(tally(statuses), { DELIVERED: 2_000 });
    const counts = await Promise.all(peers.map((peer) => peer.counts()));
    await assertOnceAndPaid(server, shop, statuses, ...counts);
    for (const [number] of statuses)
      assert.equal(takenBy(counts[2], number), number.startsWith("+989120001") ? 1 : 0, number);
    const [sharedByA, sharedByB] = counts.map((count) => Object.keys(count).length);
    assert.equal(sharedByA + sharedByB, 1_000);
    assert.ok(sharedByA > sharedByB, `${sharedByA} went by the heavier, ${sharedByB} by the lighter`);
  } finally {
    await Promise.all(peers.map((peer) => peer.stop()));
  }
});

test("the runtime dies in the middle of 1,000 submits, with a full window or at any moment", async (context) => {
  const smsc = await startSmscProcess();
  try {
    const shop = await shopThrough(server, { carrier: await smppCarrier(server, smsc) });
    const uids = [];
    for (const [round, skip] of [100, 300, 700, null, null].entries()) {
      // A hundred answers open the window. Without held answers, the crash comes at any moment, perhaps after the last submit.
      await smsc.set({ rules: skip === null ? [] : [{ skip, answer: "hold" }] });
      const before = (await smsc.stats()).submits;
      uids.push(...(await sendTexts(server, shop, texts(1_000, round * 10_000))));
      const moment = Math.floor(Math.random() * 1_000);
      const isThere = ({ held, submits }) => (skip === null ? submits - before >= moment : held >= FULL);
      await until(async () => isThere(await smsc.stats()), { interval: 5, what: "the moment of the crash" });
      await server.kill();
      context.diagnostic(`round ${round}: killed after ${(await smsc.stats()).submits - before} submits`);
      await smsc.set({ rules: [] });
      // The connections of these answers are gone.
      await smsc.release();
      await server.restart();
    }
    const statuses = await settled(server, shop, uids, smsc);
    assert.equal(statuses.size, 5_000);
    await assertOnceAndPaid(server, shop, statuses, await smsc.counts());
    const { DELIVERED = 0, UNKNOWN = 0, ...others } = tally(statuses);
    assert.deepEqual(others, {});
    assert.equal(DELIVERED + UNKNOWN, 5_000);
    // A crash makes at most those UNKNOWN that were about to leave.
    context.diagnostic(`${UNKNOWN} are UNKNOWN after five crashes`);
    assert.ok(UNKNOWN <= 5 * 200, `${UNKNOWN} are UNKNOWN`);
  } finally {
    await smsc.stop();
  }
});
