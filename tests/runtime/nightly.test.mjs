// What the service does by itself at night, called as the runtime's cron calls it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { wrangler } from "../../scripts/lib/base/command.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { admin, openShop, send, whenDone } from "../support/shop.mjs";

const server = sharedServer();

/** Calls the worker as the cron does, and waits for its end. */
const night = async () => {
  const called = await fetch(`${server.baseUrl}/cdn-cgi/local/scheduled`);
  assert.deepEqual([called.status, await called.text()], [200, "ok"]);
};

async function reconciliation(shop) {
  const answer = await admin(server, "GET", `/admin/reconciliation?account=${shop.id}`);
  assert.equal(answer.status, 200, answer.text);
  const [found] = answer.json.data;
  assert.equal(found.error, null);
  return found;
}

const checksOf = (report) => report.differences.map(({ check }) => check);

/** The lines of the log about differences of an account. */
const logged = (shop) =>
  server
    .log()
    .split("\n")
    .filter((line) => line.includes('"event":"reconciliation"') && line.includes(shop.id))
    .map((line) => JSON.parse(line.slice(line.indexOf("{"))));

/** An account that has sent, with mirrors in D1 that show all of it. */
async function settledShop() {
  const shop = await openShop(server, 10_000);
  const sent = await send(server, shop.key, ["09121234567"]);
  await whenDone(server, shop.key, sent.json.data.uid);
  const delivered = async () => {
    const answer = await api(server, "GET", `/admin/usage?account=${shop.id}`, { key: server.adminKey });
    return answer.json.data[0]?.delivered === 1;
  };
  await until(delivered, { what: "the mirror of the usage" });
  const shown = async () => {
    const list = await admin(server, "GET", `/admin/accounts?q=${shop.id}`);
    return list.json.data[0].wallet.availableBalance === 9_000;
  };
  await until(shown, { what: "the mirror of the balance" });
  return shop;
}

test("the cron finds what does not agree, keeps it for operators and logs it", async () => {
  const [good, bad] = [await settledShop(), await settledShop()];
  await server.kill();
  const change = `UPDATE account SET available = available + 7 WHERE id = '${bad.id}';
    UPDATE usage SET messages = messages + 1 WHERE account = '${bad.id}' AND messages > 0`;
  await wrangler(["d1", "execute", "DB", "--local", "--persist-to", server.stateDir, "--yes", "--command", change]);
  await server.restart();
  assert.equal((await reconciliation(bad)).nightly, null, "nobody has looked yet");

  await night();
  const found = await reconciliation(bad);
  assert.deepEqual(checksOf(found.nightly).sort(), ["MIRROR", "USAGE"]);
  assert.deepEqual(checksOf(found.now).sort(), ["MIRROR", "USAGE"]);
  assert.match(found.nightly.differences.find(({ check }) => check === "MIRROR").detail, /9007/);
  const lines = await until(() => logged(bad).length === 2 && logged(bad), { what: "the lines of the log" });
  assert.deepEqual(lines.map(({ level, check }) => [level, check]).sort(), [
    ["error", "MIRROR"],
    ["error", "USAGE"],
  ]);

  const agreed = await reconciliation(good);
  assert.deepEqual([agreed.nightly.differences, agreed.nightly.unchecked], [[], []]);
  assert.deepEqual(logged(good), []);

  await night();
  assert.deepEqual((await reconciliation(bad)).nightly, found.nightly, "once a night");
});

test("operators see how full D1 is", async () => {
  const { status, json } = await admin(server, "GET", "/admin/health");
  const { storage } = json.data;
  // An earlier test has changed copies of an account.
  assert.deepEqual([status, storage.state], [200, "UP"]);
  assert.deepEqual(
    json.data.worries.map(({ code, urgent }) => [code, urgent]),
    [["COPIES_DIFFER", false]],
  );
  assert.ok(storage.bytes > 100_000 && storage.bytes < storage.maxBytes, JSON.stringify(storage));
});
