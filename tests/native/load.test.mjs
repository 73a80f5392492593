// The load test's pace, in virtual time: it must not wait for a service that stands still, nor hide it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { needed } from "../../scripts/lib/load/account.mjs";
import { bodyOf, drive, Tally } from "../../scripts/lib/load/drive.mjs";

/** A clock that moves to the next timer when nobody has anything to do. */
function clock() {
  let at = 0;
  const timers = [];
  const sleep = (ms) => new Promise((wake) => timers.push({ at: at + ms, wake }));
  const advance = () => {
    timers.sort((a, b) => a.at - b.at);
    const next = timers.shift();
    if (!next) return;
    at = Math.max(at, next.at);
    next.wake();
    setImmediate(advance);
  };
  return { now: () => at, sleep, begin: () => setImmediate(advance) };
}

/** Runs against a service that answers after `latency(now)` ms. */
async function run(options, latency) {
  const time = clock();
  const tally = new Tally(options.requests);
  const startedAt = [];
  const send = async () => {
    startedAt.push(time.now());
    await time.sleep(latency(time.now()));
    return { status: 201 };
  };
  time.begin();
  await drive(options, { send, tally, signal: new AbortController().signal, time });
  return { tally, startedAt };
}

const options = { rate: 100, seconds: 10, requests: 1_000, inFlight: 1_000 };

test("a service that stands still for a second is asked on time, and the percentiles show it", async () => {
  // Who asks between the third and the fourth second is answered at the fourth.
  const { tally, startedAt } = await run(options, (now) => (now >= 3_000 && now < 4_000 ? 4_000 - now : 5));
  assert.equal(tally.sent, 1_000);
  startedAt.forEach((at, index) => {
    assert.ok(Math.abs(at - index * 10) < 1, `${index} started at ${at}`);
  });
  const { p50, p90, p99, max } = tally.percentiles("accepted");
  assert.ok(p50 < 10 && p90 < 100 && p99 >= 890 && max >= 990, JSON.stringify({ p50, p90, p99, max }));
});

test("when too many wait, the next ones start late, their latency counts from their time, and both are told", async () => {
  const { tally } = await run({ ...options, inFlight: 10 }, (now) => (now >= 3_000 && now < 4_000 ? 4_000 - now : 5));
  assert.equal(tally.mostUnderWay, 10);
  assert.ok(tally.delayed > 80, `${tally.delayed}`);
  const { p99, max } = tally.percentiles("accepted");
  assert.ok(p99 >= 880 && max >= 990, JSON.stringify({ p99, max }));
});

test("what could not start in time never starts, and is told", async () => {
  // Ten at once, each for a second: ten a second.
  const { tally } = await run({ ...options, inFlight: 10 }, () => 1_000);
  assert.equal(tally.sent + tally.neverStarted, 1_000);
  assert.ok(tally.sent >= 100 && tally.sent <= 110, `${tally.sent}`);
});

test("what the limit takes is told by tokens, and what was saved up carries a short run", () => {
  const limit = { quota: 60, window: 60, left: 20 };
  const fits = (rate, seconds, recipients) =>
    needed({ rate, seconds, recipients, requests: rate * seconds }, limit).isWithin;
  assert.ok(fits(1, 3_600, 99));
  assert.ok(!fits(1, 3_600, 100), "a hundred recipients cost two tokens");
  assert.ok(fits(2, 20, 1), "40 tokens: 20 are there and 20 come");
  assert.ok(!fits(2, 21, 1));
});

test("each message of a load test goes to a number of its own, by whose last digits it is accepted and delivered", () => {
  const numbers = Array.from(
    { length: 200 },
    (_, index) => JSON.parse(bodyOf(index, { recipients: 1_000 })).recipients,
  );
  const all = new Set(numbers.flat());
  assert.equal(all.size, 200_000);
  for (const number of all) assert.match(number, /^0912\d\d[0-8]\d[0-8]\d\d$/);
});
