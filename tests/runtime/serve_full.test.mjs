// The disk of a service on a machine of one's own fills up while it serves: what was accepted stays, and all goes on when there is room.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { build } from "../../scripts/lib/build/build.mjs";
import { until } from "../support/server.mjs";
import { demoIn, keyIn, newPlace, startServing } from "../support/serving.mjs";
import { all, assertLedgerAddsUp, openShop, send, whenDone } from "../support/shop.mjs";
import { openDisk } from "../support/small-disk.mjs";

/** A start needs 64 MiB. */
const disk = await openDisk("96m");
/** What a database has written over takes no room. So some sends may be accepted yet, but not so many. */
const mostSends = 5_000;
const own = newPlace();
const place = { data: join(disk.dir, "data"), keyFile: own.keyFile };
const server = {};
let running;
after(async () => {
  running?.child.kill("SIGKILL");
  await running?.exited;
  disk.close();
  own.remove();
});

async function start(args = []) {
  running = await startServing(place, { args, inside: disk.inside });
  assert.ok(running.baseUrl, running.output());
  server.baseUrl = running.baseUrl;
}

/** Sends one message after the other until the service gives another answer than before, and returns that one. The uids are in `accepted`. */
async function sendUntil(shop, accepted, isLast) {
  return until(
    async () => {
      const answer = await send(server, shop.key, ["09121111111"], { message: "x".repeat(500) });
      if (answer.status === 201) accepted.push(answer.json.data.uid);
      return isLast(answer) && answer;
    },
    { interval: 0, what: "another answer" },
  );
}

test("while the disk is full, requests get a 503 and nothing accepted is lost; when there is room, all goes on", {
  skip: disk.why ?? false,
}, async () => {
  await build();
  await start(["--demo"]);
  Object.assign(server, { adminKey: keyIn(place), ...demoIn(running.output()) });
  const shop = await openShop(server, 1_000_000_000);
  const accepted = [];
  await sendUntil(shop, accepted, () => accepted.length === 20);
  disk.fill();
  const isOver = ({ status }) => status !== 201 || accepted.length > mostSends;
  const refused = await sendUntil(shop, accepted, isOver);
  assert.deepEqual([refused.status, refused.json?.status], [503, 503], refused.text);
  assert.ok(refused.headers.get("retry-after"), refused.text);
  disk.free();
  const before = accepted.length;
  await sendUntil(shop, accepted, () => accepted.length === before + 5);
  for (const uid of accepted) await whenDone(server, shop.key, uid);
  const { spent } = await assertLedgerAddsUp(server, shop.key);
  running.child.kill("SIGKILL");
  await running.exited;
  await start();
  const kept = new Set((await all(server, shop.key, "/messages")).map(({ uid }) => uid));
  for (const uid of accepted) assert.ok(kept.has(uid), `${uid} is gone`);
  assert.equal((await assertLedgerAddsUp(server, shop.key)).spent, spent);
});
