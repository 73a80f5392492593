// How calls of one object travel together (src/platform/calls.mjs), with an object and a clock of the test's own.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { Calls } from "../../src/platform/calls.mjs";
import { pass, rest } from "../support/clock.mjs";

/** An object that answers when the test says so. */
class Peer {
  batches = [];
  kept = 0;
  calls = new Calls(
    (name, list) => new Promise((resolve, reject) => this.batches.push({ name, list, resolve, reject })),
    () => {
      this.kept += 1;
    },
  );

  /** Answers the oldest batch: each call with itself, in capital letters. */
  answer() {
    const { list, resolve } = this.batches.shift();
    resolve(list.map((call) => call.toUpperCase()));
  }
}

let peer;
beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  peer = new Peer();
});
afterEach(() => mock.timers.reset());

test("a lone call waits for nobody", async () => {
  const answer = peer.calls.ask("shop", "one");
  await rest();
  assert.deepEqual(peer.batches[0].list, ["one"]);
  peer.answer();
  assert.equal(await answer, "ONE");
  assert.equal(peer.calls.size, 0);
});

test("calls that come while one is under way travel together, in their order, and each gets its own answer", async () => {
  const answers = ["a", "b", "c", "d"].map((call) => peer.calls.ask("shop", call));
  await rest();
  assert.deepEqual(
    peer.batches.map(({ list }) => list),
    [["a"]],
  );
  peer.answer();
  await rest();
  assert.deepEqual(peer.batches[0].list, ["b", "c", "d"]);
  peer.answer();
  assert.deepEqual(await Promise.all(answers), ["A", "B", "C", "D"]);
  assert.equal(peer.calls.size, 0);
  assert.equal(peer.kept, 2);
});

test("calls to different objects do not wait for each other", async () => {
  peer.calls.ask("one", "a");
  peer.calls.ask("two", "b");
  await rest();
  assert.deepEqual(
    peer.batches.map(({ name }) => name),
    ["one", "two"],
  );
});

test("a batch has at most 64 calls, and about a megabyte", async () => {
  const small = Array.from({ length: 200 }, (_, at) => peer.calls.ask("shop", `call ${at}`));
  const sizes = [];
  while (sizes.reduce((sum, size) => sum + size, 0) < 200) {
    await rest();
    sizes.push(peer.batches[0].list.length);
    peer.answer();
  }
  assert.deepEqual(sizes, [1, 64, 64, 64, 7]);
  assert.equal((await Promise.all(small))[199], "CALL 199");

  const large = Array.from({ length: 5 }, () => peer.calls.ask("shop", "x".repeat(400 * 1024)));
  for (let batch = 0; batch < 5; batch++) {
    await rest();
    assert.equal(peer.batches[0].list.length, 1);
    peer.answer();
  }
  await Promise.all(large);
});

test("a call that fails leaves the others of its batch unharmed", async () => {
  const [first, bad, good] = ["a", "b", "c"].map((call) => peer.calls.ask("shop", call));
  await rest();
  peer.answer();
  await first;
  await rest();
  peer.batches.shift().resolve([{ failed: "peyk.failed: b" }, "C"]);
  await assert.rejects(bad, { message: "peyk.failed: b" });
  assert.equal(await good, "C");
});

test("when the object can't be reached, all that travelled fail, and the next call goes again", async () => {
  const first = peer.calls.ask("shop", "a");
  const others = ["b", "c"].map((call) => peer.calls.ask("shop", call));
  const failures = [first, ...others].map((answer) => assert.rejects(answer, { message: "connection lost" }));
  await rest();
  peer.batches.shift().reject(new Error("connection lost"));
  await rest();
  assert.deepEqual(peer.batches[0].list, ["b", "c"]);
  peer.batches.shift().reject(new Error("connection lost"));
  await Promise.all(failures);
  const next = peer.calls.ask("shop", "d");
  await rest();
  peer.answer();
  assert.equal(await next, "D");
});

test("a call that the object gave no answer to fails", async () => {
  const answer = peer.calls.ask("shop", "a");
  await rest();
  peer.batches.shift().resolve([]);
  await assert.rejects(answer, { message: /^peyk\.failed/ });
});

test("a leader that never ends is given up after ten seconds, and those that wait go on without it", async () => {
  peer.calls.ask("shop", "dead");
  const early = peer.calls.ask("shop", "early");
  const refused = assert.rejects(early, { message: /^peyk\.unavailable/ });
  await pass(5_000);
  const late = peer.calls.ask("shop", "late");
  await pass(5_000);
  await refused;
  await pass(1_000);
  assert.deepEqual(peer.batches[1].list, ["late"]);
  peer.batches.pop().resolve(["LATE"]);
  assert.equal(await late, "LATE");
});

test("nobody waits longer than ten seconds for an answer that another fetches", async () => {
  const first = peer.calls.ask("shop", "a");
  const other = peer.calls.ask("shop", "b");
  const third = peer.calls.ask("shop", "c");
  const refused = assert.rejects(third, { message: /^peyk\.unavailable/ });
  await rest();
  peer.answer();
  await first;
  await pass(10_500);
  await refused;
  // The leader itself waits for the object.
  peer.answer();
  assert.equal(await other, "B");
});

test("a call that is answered long after its batch was given up disturbs nobody", async () => {
  const slow = peer.calls.ask("shop", "slow");
  await pass(11_000);
  const next = peer.calls.ask("shop", "next");
  const waits = peer.calls.ask("shop", "waits");
  await rest();
  assert.deepEqual(
    peer.batches.map(({ list }) => list),
    [["slow"], ["next"]],
  );
  peer.answer();
  assert.equal(await slow, "SLOW");
  await rest();
  assert.equal(peer.batches.length, 1);
  peer.answer();
  await rest();
  peer.answer();
  assert.deepEqual(await Promise.all([next, waits]), ["NEXT", "WAITS"]);
});

/** Lets `ask` begin calls whose clients hang up at once: their timers never ring, and nothing that is resolved reaches them. */
function withoutClients(ask) {
  const { setTimeout } = globalThis;
  const withResolvers = Promise.withResolvers;
  globalThis.setTimeout = () => 0;
  Promise.withResolvers = () => ({ promise: new Promise(() => {}), resolve() {}, reject() {} });
  try {
    ask();
  } finally {
    globalThis.setTimeout = setTimeout;
    Promise.withResolvers = withResolvers;
  }
}

test("calls whose clients have hung up keep the others from nothing for long, and are not made late", async () => {
  const calls = (begin, count) => Array.from({ length: count }, (_, at) => `${begin} ${at}`);
  peer.calls.ask("shop", "first");
  withoutClients(() => calls("dead", 1_000).forEach((call) => void peer.calls.ask("shop", call)));
  await pass(1_500);
  const answers = calls("live", 200).map((call) => peer.calls.ask("shop", call));
  let told = 0;
  for (const answer of answers) answer.then(() => told++);
  const made = [];
  for (let gone = 0; gone < 6_000 && told < 200; gone += 500) {
    // The object answers as fast as anybody asks.
    for (await rest(); peer.batches.length > 0; await rest()) {
      made.push(...peer.batches[0].list);
      peer.answer();
    }
    await pass(500);
  }
  assert.equal(told, 200);
  assert.deepEqual(await Promise.all(answers), calls("LIVE", 200));
  assert.equal(new Set(made).size, made.length);
});

test("a call whose client has hung up for five seconds, or that has waited for ten, is not made any more", async () => {
  peer.calls.ask("shop", "slow");
  withoutClients(() => void peer.calls.ask("shop", "dead"));
  await pass(1_000);
  const live = peer.calls.ask("shop", "live");
  await pass(5_000);
  peer.answer();
  await rest();
  assert.deepEqual(peer.batches.shift().list, ["live"]);
  const late = peer.calls.ask("shop", "late");
  const refused = [live, late].map((answer) => assert.rejects(answer, { message: /^peyk\.unavailable/ }));
  await pass(10_000);
  await refused[1];
  assert.deepEqual(peer.batches, []);
});

test("random calls, answers, failures and waits: each call is made once, and each gets its answer or a failure", async () => {
  let seed = 20261121;
  const below = (bound) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % bound;
  };
  const made = [];
  const told = new Map();
  let count = 0;
  const answerOne = (batch) => {
    made.push(...batch.list);
    if (below(10) === 0) batch.reject(new Error("connection lost"));
    else
      batch.resolve(batch.list.map((call) => (below(20) === 0 ? { failed: "peyk.failed: no" } : call.toUpperCase())));
  };
  for (let step = 0; step < 1_500; step++) {
    const what = below(10);
    if (what < 6) {
      const call = `call ${count++}`;
      peer.calls.ask("shop", call).then(
        (answer) => told.set(call, answer),
        (error) => told.set(call, error),
      );
    } else if (what < 9 && peer.batches.length > 0) {
      answerOne(peer.batches.splice(below(peer.batches.length), 1)[0]);
    } else {
      await pass(500 * below(30));
    }
    await rest();
  }
  for (let round = 0; round < 1_000 && (peer.batches.length > 0 || told.size < count); round++) {
    for (const batch of peer.batches.splice(0)) answerOne(batch);
    await pass(500);
  }
  assert.equal(told.size, count);
  assert.equal(new Set(made).size, made.length, "no call is made twice");
  for (const [call, answer] of told) {
    if (answer instanceof Error) continue;
    assert.equal(answer, call.toUpperCase());
    assert.ok(made.includes(call));
  }
  assert.ok(made.length > 500 && [...told.values()].some((answer) => answer instanceof Error));
});
