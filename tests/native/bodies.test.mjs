// How large bodies share the memory of an isolate (src/platform/bodies.mjs), with a clock of the test's own.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { Bodies } from "../../src/platform/bodies.mjs";
import { pass, rest } from "../support/clock.mjs";

const KB = 1024;

/** Asks for room, and notes the ticket as soon as it comes. */
function ask(bodies, bytes) {
  const asked = { ticket: undefined };
  asked.given = bodies.admit(bytes);
  Promise.resolve(asked.given).then((ticket) => (asked.ticket = ticket));
  return asked;
}

let bodies;
beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  bodies = new Bodies();
});
afterEach(() => mock.timers.reset());

test("a body that finds room waits for nobody", () => {
  assert.equal(typeof bodies.admit(256 * KB), "number");
  assert.equal(bodies.bytes, 256 * KB);
});

test("bodies are admitted up to the room, the others in their order as room becomes free", async () => {
  const admitted = Array.from({ length: 4 }, () => ask(bodies, 256 * KB));
  const late = Array.from({ length: 6 }, (_, index) => ask(bodies, (index + 1) * 100 * KB));
  await rest();
  for (const { ticket } of admitted) assert.ok(ticket > 0);
  const isIn = () => late.map(({ ticket }) => (ticket === undefined ? 0 : 1)).join("");
  assert.equal(isIn(), "000000");
  bodies.release(admitted[0].ticket);
  await rest();
  // 100 KB fit beside 768; 200 do not fit any more, and nobody overtakes them.
  assert.equal(isIn(), "100000");
  bodies.release(admitted[1].ticket);
  await rest();
  assert.equal(isIn(), "110000");
  for (const { ticket } of [...admitted.slice(2), ...late.slice(0, 2)]) bodies.release(ticket);
  await rest();
  assert.equal(isIn(), "111100");
  for (const { ticket } of late.slice(2, 4)) bodies.release(ticket);
  await rest();
  assert.equal(isIn(), "111110");
  bodies.release(late[4].ticket);
  await rest();
  assert.equal(isIn(), "111111");
  bodies.release(late[5].ticket);
  assert.equal(bodies.bytes, 0);
});

test("a body of any size is admitted when no other is there, and takes all the room", async () => {
  const [large, small] = [ask(bodies, 5_000 * KB), ask(bodies, 10 * KB)];
  await rest();
  assert.ok(large.ticket > 0);
  assert.equal(small.ticket, undefined);
  bodies.release(large.ticket);
  await rest();
  assert.ok(small.ticket > 0);
});

test("one that finds no room in time is refused and takes none", async () => {
  const [first, second] = [ask(bodies, 1024 * KB), ask(bodies, 100 * KB)];
  await pass(9_000);
  assert.equal(second.ticket, undefined);
  const third = ask(bodies, 50 * KB);
  await pass(1_500);
  assert.equal(second.ticket, 0);
  assert.equal(third.ticket, undefined);
  bodies.release(first.ticket);
  await rest();
  assert.ok(third.ticket > 0);
  assert.equal(bodies.bytes, 50 * KB);
});

test("one whose request has gone while it waited gets no room", async () => {
  const first = ask(bodies, 1024 * KB);
  // Its timers are gone with its request, so it shows no life any more.
  const timer = mock.method(globalThis, "setTimeout", () => 0);
  const gone = ask(bodies, 1024 * KB);
  timer.mock.restore();
  const alive = ask(bodies, 100 * KB);
  await pass(6_000);
  bodies.release(first.ticket);
  await rest();
  assert.equal(gone.ticket, undefined);
  assert.ok(alive.ticket > 0);
  assert.equal(bodies.bytes, 100 * KB);
});

test("an admission whose request has gone ends by itself", async () => {
  const gone = ask(bodies, 1024 * KB);
  await rest();
  await pass(55_000);
  const next = ask(bodies, 1024 * KB);
  await pass(6_500);
  assert.ok(next.ticket > 0);
  bodies.release(gone.ticket);
  assert.equal(bodies.bytes, 1024 * KB, "its end counts once");
});

test("what would be too much to wait is refused at once", async () => {
  const first = ask(bodies, 1024 * KB);
  const waiting = Array.from({ length: 64 }, () => ask(bodies, 256 * KB));
  await rest();
  assert.equal(bodies.admit(10 * KB), 0);
  bodies.release(first.ticket);
  await rest();
  assert.equal(waiting.filter(({ ticket }) => ticket > 0).length, 4);
});
