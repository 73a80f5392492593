// What an isolate does a while after a request (src/platform/later.mjs).
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { later } from "../../src/platform/later.mjs";
import { rest } from "../support/clock.mjs";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

test("it is done when its time has come, and the request waits for it", async () => {
  const [kept, done, lines] = [[], [], []];
  const act = () => done.push("it");
  later(
    1_000,
    act,
    (promise) => kept.push(promise),
    (line) => lines.push(line),
  );
  mock.timers.tick(999);
  await rest();
  assert.deepEqual([kept.length, done], [1, []]);
  mock.timers.tick(1);
  await kept[0];
  assert.deepEqual([done, lines], [["it"], []]);
});

const secret = "https://sms.example/v1/secret/sms/send.json";
const failures = {
  "throws at once": () => {
    throw new Error(secret);
  },
  "throws later": () => Promise.reject(new Error(secret)),
};
for (const [how, act] of Object.entries(failures)) {
  test(`what ${how} is a line without its words, and no rejection`, async () => {
    const [kept, lines] = [[], []];
    later(
      1,
      act,
      (promise) => kept.push(promise),
      (line) => lines.push(line),
    );
    mock.timers.tick(1);
    await kept[0];
    assert.equal(lines.length, 1);
    assert.ok(!lines[0].includes("secret"), lines[0]);
  });
}
