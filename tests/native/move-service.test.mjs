// How `npm run move` asks the service, and what it says of each step: without a service.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Refused, Service, Unsure } from "../../scripts/lib/move/service.mjs";
import { walk } from "../../scripts/lib/move/steps.mjs";

/** A service that gives these answers, one after the other, and notes what it was asked and how long somebody waited. */
function service(...answers) {
  const asked = [];
  const send = async (_, method, path) => {
    asked.push(`${method} ${path}`);
    const { status, headers = {}, json = {} } = answers.shift() ?? { status: 200 };
    if (status === 0) throw new Error("connection reset");
    return { status, headers: new Headers(headers), json, text: "" };
  };
  const own = new Service({ url: "https://sms.example.com", key: "k", send, pause: async (wait) => asked.push(wait) });
  return { own, asked };
}

const later = (status, seconds) => ({ status, headers: { "retry-after": `${seconds}` } });

test("a 429 is waited for as the service says, and no longer than two minutes", async () => {
  const { own, asked } = service(later(429, 7), later(429, 1), { status: 201 });
  await own.ask("POST", "/pattern");
  assert.deepEqual(asked, ["POST /pattern", 7, "POST /pattern", 1, "POST /pattern"]);
  await assert.rejects(
    service(later(429, 40_000)).own.ask("GET", "/pattern"),
    /asks to wait for 40000 s: run it again later/,
  );
  const always = service(...Array(20).fill(later(429, 1)));
  await assert.rejects(always.own.ask("GET", "/pattern"), /run it again later/);
  assert.equal(always.asked.filter((item) => item === 1).length, 7);
});

test("a question is asked again after a failure, and a change only if it does no harm", async () => {
  const { own, asked } = service({ status: 0 }, later(503, 3), { status: 500 }, { status: 200, json: { data: 1 } });
  assert.deepEqual(await own.ask("GET", "/pattern"), { data: 1 });
  assert.deepEqual(
    asked.filter((item) => typeof item === "number"),
    [1, 3, 4],
  );
  await assert.rejects(service({ status: 0 }).own.ask("POST", "/pattern"), Unsure);
  await assert.rejects(service(later(503, 3)).own.ask("POST", "/pattern"), Unsure);
  await service({ status: 0 }, { status: 201 }).own.ask("POST", "/phonebook/x/import", { safe: true });
  await assert.rejects(
    service(...Array(9).fill({ status: 0 })).own.ask("GET", "/x"),
    /does not answer: connection reset/,
  );
});

test("errors of the service are told in its words", async () => {
  const json = { detail: "text: is too long." };
  await assert.rejects(service({ status: 422, json }).own.ask("POST", "/pattern"), (error) => {
    assert.ok(error instanceof Refused);
    return error.message === "text: is too long.";
  });
  await assert.rejects(
    service({ status: 401, json }).own.ask("GET", "/pattern"),
    /does not know the key in PEYK_API_KEY/,
  );
  await assert.rejects(service({ status: 403, json }).own.ask("GET", "/pattern"), /refuses the key .*too long/);
  assert.equal(await service({ status: 404, json }).own.ask("GET", "/pattern/x", { missing: true }), null);
  const strange = service();
  strange.own.send = async () => ({ status: 200, headers: new Headers(), json: undefined });
  await assert.rejects(strange.own.ask("GET", "/pattern"), /no JSON: is it Peyk/);
});

/** Goes through steps, and returns what was printed. */
async function walked(steps, { go = true, bad = [], own = service().own } = {}) {
  const printed = [];
  const print = (text) => printed.push(text);
  const end = await walk(steps, bad, { service: own, go, print, what: "pattern" }).catch((error) => error);
  return { end, printed };
}

const step = (line, look) => ({ line, name: `p${line}`, look });
const done = { kind: "MADE", note: "made" };

test("if nobody knows whether a step was done, the next look tells", async () => {
  let isDone = false;
  const act = async () => {
    isDone = true;
    throw new Unsure("the answer is lost", 5);
  };
  const { own, asked } = service();
  const look = async () => (isDone ? { kind: "SAME", note: "is there" } : { kind: "MADE", note: "would be made", act });
  const { end, printed } = await walked([step(2, look)], { own });
  assert.deepEqual([end, asked], [true, [5]]);
  assert.deepEqual(printed, ["line  pattern", "   2  p2       is there", "\n1 there already"]);
});

test("whatever stops it, it says what was done, what was not, and what is bad", async () => {
  const steps = [
    step(2, async () => ({ ...done, act: async () => done })),
    step(3, async () => {
      throw new Refused("no");
    }),
    step(5, async () => {
      throw Object.assign(new TypeError("broken"), { before: "made" });
    }),
    step(6, async () => done),
  ];
  const bad = [
    { line: 7, faults: ["a", "b"] },
    { line: 4, name: "\u001b[31mx", faults: ["c"] },
  ];
  const { end, printed } = await walked(steps, { bad });
  assert.equal(end.message, "broken");
  assert.deepEqual(
    printed.map((line) => line.trim().replace(/ +/g, " ")),
    [
      "line pattern",
      "2 p2 made",
      "3 p3 refused: no",
      "4 [31mx bad: c",
      "5 p5 made; broken off: broken",
      "6 p6 not reached",
      "7 bad: a; b",
      "1 made, 3 bad, 2 not reached",
    ],
  );
});

test("without --go nothing is done, and a bad line is no success", async () => {
  const act = () => assert.fail("it was done");
  assert.equal((await walked([step(2, async () => ({ ...done, act }))], { go: false })).end, true);
  const { end } = await walked([], { bad: [{ line: 2, faults: ["c"] }], go: false });
  assert.equal(end, false);
});
