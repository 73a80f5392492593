// The load test that a user runs, as a program of its own, against the real runtime.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { environment, finished } from "../../scripts/lib/base/command.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { api, sharedServer } from "../support/server.mjs";
import { admin, all, issueKey, openShop } from "../support/shop.mjs";

const server = sharedServer();

/** Runs `npm run load` with these arguments. `whenOutput` sees what it has printed so far. */
async function load(args, { whenOutput = () => {} } = {}) {
  const command = [inRoot("scripts/load.mjs"), ...args];
  const child = spawn(process.execPath, command, {
    stdio: ["ignore", "pipe", "pipe"],
    env: environment({ STATE_DIR: server.stateDir }),
  });
  const said = { out: "", err: "" };
  child.stdout.on("data", (piece) => {
    said.out += piece;
    whenOutput(said.out, child);
  });
  child.stderr.on("data", (piece) => {
    said.err += piece;
  });
  const { code } = await finished(child);
  return { code, ...said, rows: rowsOf(said.out) };
}

/** The table: the numbers in front of it by their names. */
function rowsOf(output) {
  const rows = output.split("\n").map((line) => /^(\S.*?) {2,}([\d,.]+)( ms)?(?: {2}.*)?$/.exec(line));
  return Object.fromEntries(rows.filter(Boolean).map(([, name, value]) => [name, Number(value.replaceAll(",", ""))]));
}

const at = (key, ...more) => ["--url", server.baseUrl, "--key", key, ...more];

const testKey = async (shop) => (await issueKey(server, shop.id, { mode: "test" })).key;

test("the table counts what the server has, and no message of a test key costs anything", async () => {
  const shop = await openShop(server, 1_000);
  const key = await testKey(shop);
  const run = await load(at(key, "--rate", "25", "--seconds", "2", "--recipients", "3"));
  assert.equal(run.code, 0, run.out + run.err);
  const messages = await all(server, key, "/messages");
  assert.equal(run.rows["asked for"], 50);
  // On a slow machine the time may be over before all have started. Whatever was sent, the server has.
  assert.equal(run.rows.sent + run.rows["never started"], 50, run.out);
  assert.equal(run.rows["201"], run.rows.sent, run.out);
  assert.equal(messages.length, run.rows["201"]);
  assert.ok(messages.length > 0);
  assert.ok(
    messages.every(({ recipientCount, test }) => recipientCount === 3 && test === true),
    run.out,
  );
  const { p50, p90, p99, longest } = run.rows;
  assert.ok(0 < p50 && p50 <= p90 && p90 <= p99 && p99 <= longest, run.out);
  // Both are rounded to a tenth.
  assert.ok(Math.abs(run.rows["messages/s"] - 3 * run.rows["requests/s"]) <= 0.21, run.out);
});

test("a rate that the account's limit can't take is refused before a message is sent", async () => {
  const testRateLimit = { limit: 60, windowSeconds: 60, burst: 5 };
  const shop = await openShop(server, 0, { testRateLimit });
  const key = await testKey(shop);
  const refused = await load(at(key, "--rate", "10", "--seconds", "60"));
  assert.equal(refused.code, 1);
  assert.match(refused.err, /the account's limit is 60 tokens in 60 s.*At most --rate 1 fits.*--over-limit/s);
  // Five hundred recipients cost six tokens.
  const dear = await load(at(key, "--rate", "1", "--seconds", "60", "--recipients", "500"));
  assert.match(dear.err, /take 6 tokens a second.*At most --rate 0\.1 fits/s);
  await admin(server, "PATCH", `/admin/accounts/${shop.id}`, {
    testRateLimit: { limit: 100_000, windowSeconds: 1, burst: 100 },
  });
  assert.deepEqual(await all(server, key, "/messages"), []);
});

test("told to go over the limit, it counts the 429s and the server has the rest", async () => {
  // No token comes back while the test runs: of seven, the question for the limit takes one.
  const shop = await openShop(server, 0, { testRateLimit: { limit: 1, windowSeconds: 86_400, burst: 7 } });
  const key = await testKey(shop);
  const run = await load(at(key, "--rate", "20", "--seconds", "4", "--over-limit"));
  assert.match(run.out, /expect 429s/);
  assert.equal(run.rows["201"], 6, run.out);
  assert.equal(run.rows["429"], run.rows.sent - 6, run.out);
  const testRateLimit = { limit: 100_000, windowSeconds: 1, burst: 100 };
  await admin(server, "PATCH", `/admin/accounts/${shop.id}`, { testRateLimit });
  assert.equal((await all(server, key, "/messages")).length, 6);
});

test("answers that are neither 201 nor 429 are counted by status and code", async () => {
  const shop = await openShop(server, 0);
  const { key } = await issueKey(server, shop.id, { mode: "test" });
  const run = await load(at(key, "--rate", "10", "--seconds", "1", "--line", "no-such-line"));
  assert.equal(run.code, 1, "nothing was accepted");
  assert.equal(run.rows["201"], 0, run.out);
  const others = Object.entries(run.rows).filter(([name]) => /^4\d\d \(code \d+\)$/.test(name));
  assert.deepEqual(
    others.map(([, count]) => count),
    [run.rows.sent],
    run.out,
  );
});

test("a live key is refused, and with --live only the numbers that were named get messages", async () => {
  const shop = await openShop(server, 1_000_000);
  const refused = await load(at(shop.key, "--seconds", "1"));
  assert.deepEqual([refused.code, refused.out], [1, ""]);
  assert.match(refused.err, /not a test key.*--live allows it/s);
  const unnamed = await load(at(shop.key, "--seconds", "1", "--live"));
  assert.match(unnamed.err, /--live needs --to/);
  assert.deepEqual(await all(server, shop.key, "/messages"), []);
  const run = await load(at(shop.key, "--rate", "5", "--seconds", "1", "--live", "--to", "09121234567"));
  assert.equal(run.code, 0, run.out + run.err);
  const messages = await all(server, shop.key, "/messages");
  assert.equal(messages.length, run.rows["201"]);
  const list = await api(server, "GET", `/messages/${messages[0].uid}/recipients`, { key: shop.key });
  assert.deepEqual(
    list.json.data.map(({ recipient }) => recipient),
    ["+989121234567"],
  );
});

test("without a key it sends with a test key of the demo, which it makes once", async () => {
  const args = ["--url", server.baseUrl, "--rate", "2", "--seconds", "1"];
  const [first, second] = [await load(args), await load(args)];
  assert.match(first.out, /making a test key/);
  assert.doesNotMatch(second.out, /making a test key/);
  assert.deepEqual([first.code, second.code], [0, 0], first.err + second.err);
  const { key } = JSON.parse(await readFile(join(server.stateDir, "load-key.json"), "utf8"));
  const messages = await all(server, key, "/messages");
  assert.equal(messages.length, first.rows["201"] + second.rows["201"]);
});

test("Ctrl-C prints the table of what was done", async () => {
  const shop = await openShop(server, 0);
  const key = await testKey(shop);
  let isStopped = false;
  const whenOutput = (out, child) => {
    // The first line of the test's progress has come: some seconds of an hour are over.
    if (isStopped || !/[1-9]\d* × 201/.test(out)) return;
    isStopped = true;
    child.kill("SIGINT");
  };
  const run = await load(at(key, "--rate", "20", "--seconds", "3600"), { whenOutput });
  assert.equal(run.code, 130, run.out + run.err);
  assert.match(run.out, /then stopped/);
  const { length } = await all(server, key, "/messages");
  // On a slow machine an answer may not have come in the moment that was left to it.
  assert.ok(run.rows["201"] <= length && length <= run.rows.sent, `${length} messages\n${run.out}`);
});

test("bad options and a server that is not there get a clear message", async () => {
  const bad = await load([
    "--rate",
    "fast",
    "--seconds",
    "0",
    "--recipients",
    "1.5",
    "--url",
    "localhost",
    "--in-flight",
    "0",
  ]);
  assert.equal(bad.code, 1);
  for (const name of ["rate", "seconds", "recipients", "url", "in-flight"])
    assert.match(bad.err, new RegExp(`--${name} must be`));
  assert.match((await load(["--speed", "9"])).err, /Unknown option '--speed'/);
  assert.match((await load(["--rate", "20000", "--seconds", "3600"])).err, /more than 2000000 requests/);
  assert.match((await load(["--url", "http://127.0.0.1:1", "--key", "peyk_test_x"])).err, /does not answer/);
  assert.match((await load(at("peyk_test_x"))).err, /does not know the key/);
  assert.match((await load(["--url", "http://127.0.0.1:1"])).err, /no --key/);
  const { out, code } = await load(["--help"]);
  assert.equal(code, 0);
  assert.match(out, /--over-limit/);
});
