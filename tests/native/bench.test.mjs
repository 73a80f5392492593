// What the benchmark says of the machine that it runs on, what it leaves out to end in time, and how it marks what it prints.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { allowance, budgetSeconds, graceSeconds, slowness, usualSeconds } from "../../bench/budget.mjs";
import { msLeft, OutOfTime, patient, within } from "../../bench/deadline.mjs";
import { treeSecondsIn } from "../../bench/processes.mjs";
import { calibrate, elsewhere, mostElsewhere, noiseOf } from "../../bench/quiet.mjs";
import { linesOf } from "../../bench/report.mjs";
import { inSequence } from "../../bench/sequence.mjs";
import { speakBy } from "../../scripts/lib/base/command.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";

const said = [];
speakBy({ say: (text) => said.push(text), show: () => {}, complain: () => {} });

const even = { took: [10, 10, 11, 10, 12], elsewhere: 0 };

test("a process has the time of all that it has started, also of what has ended, and of nothing else", () => {
  const stat = (parent, own, ended) => `1 (a) b) S ${parent} 1 1 0 -1 0 0 0 0 0 ${own} 0 ${ended} 0 20 0 1 0 0 0 0`;
  const stats = new Map([
    [10, stat(1, 100, 50)],
    [11, stat(10, 200, 0)],
    [12, stat(11, 400, 800)],
    [20, stat(1, 10_000, 10_000)],
  ]);
  assert.equal(treeSecondsIn(stats, 10), 15.5);
  assert.equal(treeSecondsIn(stats, 12), 12);
  assert.equal(treeSecondsIn(stats, 99), 0);
});

test("others have taken what the machine has worked and we have not", () => {
  const before = { at: 1_000, busy: 50, own: 7 };
  const after = (busy, own) => ({ at: 3_000, busy, own });
  assert.equal(elsewhere(before, after(53, 9), 2), 0.25);
  assert.equal(elsewhere(before, after(53, 10), 2), 0);
  // Linux counts a process and the machine apart, so a little may be too much or too little.
  assert.equal(elsewhere(before, after(53, 10.1), 2), 0);
  assert.equal(elsewhere(before, after(60, 7), 2), 1);
  assert.equal(elsewhere(before, { ...before }, 2), 0);
});

test("a calibration does the same several times, and says how long each time took", () => {
  const { took, elsewhere: share } = calibrate();
  assert.ok(took.length > 4);
  for (const time of took) assert.ok(time > 0, took.join());
  assert.ok(share >= 0 && share <= 1);
});

test("a measurement is quiet while others take a tenth of the machine and the same work takes the same time", () => {
  const judge = (share, ...calibrations) => noiseOf({ elsewhere: share, calibrations, least: 10 });
  assert.equal(judge(0, even, even), null);
  assert.equal(judge(mostElsewhere, even, even), null);
  assert.equal(judge(0.34, even, even), "other programs took 34 % of the machine's time");
  // One time that is slow disturbs nobody; that most of them are, before it or after it, does.
  assert.equal(judge(0, even, { took: [10, 10, 10, 90, 90] }), null);
  const slow = { took: [10, 14, 14, 14, 15] };
  for (const around of [
    [slow, even],
    [even, slow],
  ])
    assert.equal(judge(0, ...around), "the same work took 1.40 × its least time");
  assert.match(judge(0.5, slow, slow), /50 % .*, the same work took 1\.40 ×/);
});

test("the verdicts and the tables of a part that was disturbed say so, and no others", () => {
  const part = (what, isReached, noise) => ({
    noise,
    aims: [{ what, reached: "1", aim: "2", isReached }],
    tables: [{ head: [`table of ${what}`], rows: [["1"]] }],
  });
  const noise = "other programs took 34 % of the machine's time";
  const lines = linesOf([part("a", true, null), part("b", true, noise), part("c", false, noise)]);
  const after = (line) => lines[lines.indexOf(line) - 2];
  assert.ok(lines.includes("| a | 1 | 2 | yes |"));
  assert.ok(lines.includes("| b | 1 | 2 | yes, in noise |"));
  assert.ok(lines.includes("| c | 1 | 2 | **no**, in noise |"));
  for (const name of ["b", "c"])
    assert.equal(after(`| table of ${name} |`), `**Measured beside other work: ${noise}.**`);
  assert.doesNotMatch(after("| table of a |"), /Measured/);
});

test("each part has a usual time, and all of them fit into the budget", () => {
  const parts = /export const parts = \{([^}]+)\}/.exec(readFileSync(inRoot("bench/parts.mjs"), "utf8"))[1];
  assert.deepEqual(
    Object.keys(usualSeconds),
    [...parts.matchAll(/(\w+):/g)].map(([, name]) => name),
  );
  let elapsed = 5;
  const done = [];
  for (const [name, seconds] of Object.entries(usualSeconds)) {
    assert.ok(allowance(name, { elapsed, done, budget: 480 }) >= seconds, name);
    done.push({ name, seconds });
    elapsed += seconds + 1;
  }
});

test("on a machine of half the speed, parts are left out at the end, and no part may go on past the budget", () => {
  let elapsed = 5;
  const done = [];
  const leftOut = [];
  for (const [name, usual] of Object.entries(usualSeconds)) {
    const seconds = allowance(name, { elapsed, done, budget: 480 });
    if (seconds === 0) leftOut.push(name);
    else {
      assert.ok(elapsed + seconds + graceSeconds < 480, name);
      done.push({ name, seconds: usual * 2 });
      elapsed += usual * 2;
    }
  }
  assert.equal(slowness(done), 2);
  assert.equal(leftOut.at(-1), "million");
  assert.ok(done.length >= 6 && elapsed < 480, `${leftOut}`);
});

test("nothing of a part is waited for when its time is over", async () => {
  assert.equal(msLeft(), Number.POSITIVE_INFINITY);
  await within(0, () => {
    assert.equal(msLeft(), 0);
    assert.equal(patient(1_000), 0);
  });
  await within(1_000, () => {
    assert.equal(patient(1), 1);
    assert.ok(patient(2_000_000) <= 1_000_000);
  });
  assert.equal(msLeft(), Number.POSITIVE_INFINITY);
});

/** A machine whose clock goes on when a part says so. `shares` are what others take, part by part. */
function machineWith(shares = []) {
  const machine = {
    now: 100,
    seconds: () => machine.now,
    calibrate: () => even,
    watch: () => () => shares.shift() ?? 0,
    grace: () => new Promise(() => {}),
  };
  return machine;
}

test("a part that was disturbed is marked, one that would not end in time is left out, and the others are measured", async () => {
  const machine = machineWith([0, 0.34]);
  const measure = (seconds) => async (name) => {
    machine.now += seconds[name];
    return { name };
  };
  // The same work takes longer after the third part that is measured.
  const calibrations = [even, even, even, { took: [14, 14, 14], elsewhere: 0 }];
  machine.calibrate = () => calibrations.shift();
  const names = ["isolate", "latency", "singles", "verify"];
  const run = measure({ isolate: 6, latency: 20, verify: 4 });
  const { measured, leftOut, hangs } = await inSequence(names, run, { budget: 100, machine });
  const words = "other programs took 34 % of the machine's time";
  assert.deepEqual(measured, [
    { name: "isolate", noise: null, result: { name: "isolate" } },
    { name: "latency", noise: words, result: { name: "latency" } },
    { name: "verify", noise: "the same work took 1.40 × its least time", result: { name: "verify" } },
  ]);
  assert.deepEqual(leftOut, [{ name: "singles", why: "it would not have ended in time" }]);
  assert.equal(hangs, false);
});

test("what has passed before the first part counts", async () => {
  const machine = machineWith();
  const options = { budget: 100, machine, started: machine.now - 70 };
  const { leftOut } = await inSequence(["verify"], async () => ({}), options);
  assert.deepEqual(
    leftOut.map(({ name }) => name),
    ["verify"],
  );
});

test("a part whose time is over is left out, and one that fails too, which fails the benchmark; the others are measured", async () => {
  const machine = machineWith();
  const parts = {
    async latency() {
      machine.now += 200;
      throw new OutOfTime("the rows were not written in time");
    },
    async verify() {
      machine.now += 4;
      return {};
    },
    async webhooks() {
      throw new Error("a wrong answer");
    },
  };
  const run = (names) => inSequence(names, (name) => parts[name](), { budget: 10_000, machine });
  const { measured, leftOut, hasFailed } = await run(["latency", "verify"]);
  assert.deepEqual(
    measured.map(({ name }) => name),
    ["verify"],
  );
  assert.deepEqual(leftOut, [{ name: "latency", why: "it had not ended after 200 seconds" }]);
  assert.equal(hasFailed, false);
  const other = await run(["webhooks", "verify"]);
  assert.deepEqual(
    other.measured.map(({ name }) => name),
    ["verify"],
  );
  assert.deepEqual(other.leftOut, [{ name: "webhooks", why: "it failed: a wrong answer" }]);
  assert.equal(other.hasFailed, true);
});

test("a part that never ends is given up, and nothing is measured beside it", async () => {
  const machine = machineWith();
  machine.grace = async (seconds) => {
    machine.now += seconds;
  };
  const run = (name) => (name === "latency" ? new Promise(() => {}) : Promise.resolve({}));
  const options = { budget: budgetSeconds, machine };
  const { measured, leftOut, hasFailed, hangs } = await inSequence(["latency", "verify"], run, options);
  assert.deepEqual([hasFailed, hangs], [true, true]);
  assert.deepEqual(measured, []);
  assert.deepEqual(
    leftOut.map(({ name, why }) => `${name}: ${why}`),
    ["latency: it had not ended after 42 seconds", "verify: the part before it did not end"],
  );
});

test("the machine is judged at the start", async () => {
  said.length = 0;
  const machine = machineWith();
  await inSequence([], () => {}, { machine });
  machine.calibrate = () => ({ took: [10], elsewhere: 0.5 });
  await inSequence([], () => {}, { machine });
  assert.equal(said[0], "the machine is quiet");
  assert.match(said[1], /^the machine is not quiet: other programs took 50 % of the machine's time/);
});
