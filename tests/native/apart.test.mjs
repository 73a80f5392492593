// How lines of the log leave their request (src/platform/apart.mjs), with an object and a clock of the test's own.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { Apart } from "../../src/platform/apart.mjs";
import { rest } from "../support/clock.mjs";

beforeEach(() => mock.timers.enable({ apis: ["Date"], now: 1_000_000 }));
afterEach(() => mock.timers.reset());

/** An object that writes lines, unless it is down. */
function writer() {
  const state = { written: [], kept: [], isDown: false };
  const send = async (lines) => {
    if (state.isDown) throw new Error("https://sms.example/v1/secret/sms/send.json");
    state.written.push(...lines);
  };
  state.apart = new Apart(send, (promise) => state.kept.push(promise));
  return state;
}

test("a line goes to the object, and the request waits for it", async () => {
  const { apart, written, kept } = writer();
  apart.write("one");
  apart.write("two");
  await Promise.all(kept);
  assert.deepEqual([written, kept.length], [["one", "two"], 2]);
});

test("lines beyond the bound are counted, and the next line tells the count", async () => {
  const { apart, written } = writer();
  for (let at = 0; at < 60; at += 1) apart.write(`line ${at}`);
  await rest();
  assert.equal(written.length, 50);
  mock.timers.tick(1_000);
  apart.write("later");
  apart.write("last");
  await rest();
  const lost = { count: 10, event: "log", level: "error", what: "lines are lost" };
  assert.deepEqual([written[50], JSON.parse(written[51]), written[52]], ["later", lost, "last"]);
});

test("an object that is down loses lines and no request, and nobody writes the words of its failure", async () => {
  const state = writer();
  const errors = mock.method(console, "error", () => {});
  state.isDown = true;
  state.apart.write("one");
  state.apart.write("two");
  await Promise.all(state.kept);
  state.isDown = false;
  state.apart.write("three");
  await rest();
  assert.deepEqual([state.written[0], JSON.parse(state.written[1]).count], ["three", 2]);
  assert.equal(errors.mock.callCount(), 0);
  errors.mock.restore();
});
