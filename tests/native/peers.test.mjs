// What the comparison with other programs counts, and what it reads of Linux.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  compare,
  mostMessages,
  numberOf,
  patternOf,
  place,
  requestTo,
  templates,
} from "../../bench/peers/messages.mjs";
import { pathsIn } from "../../bench/peers/receiver.mjs";
import { busySecondsIn, cpuSecondsIn } from "../../bench/processes.mjs";

test("each message has a number of its own, that its round finds and no other", () => {
  const numbers = [0, 1, 9].flatMap((round) =>
    [0, 7, mostMessages - 1].map((index) => [round, numberOf(round, index)]),
  );
  assert.equal(new Set(numbers.map(([, number]) => number)).size, numbers.length);
  for (const [round, number] of numbers) {
    assert.match(number, /^98912\d{7}$/);
    for (const other of [0, 1, 9]) assert.equal(new RegExp(patternOf(other)).test(number), other === round);
  }
});

test("a request names the number that is looked for, and all requests are as long as their template", () => {
  const template = `to=${templates.to}&text=${templates.text}`;
  const request = requestTo(template, 3, 42);
  assert.equal(request, `to=+${numberOf(3, 42)}&text=bench 3000042`);
  assert.equal(request.length, template.length);
  assert.equal(place.length, "3000042".length);
});

test("times are told from the request and from the accept, and what is lost or doubled is counted", () => {
  const round = 2;
  const sends = [
    [0, 100, 110],
    [1, 100, 130],
    [2, 100, 105],
  ];
  const arrival = (index, monotonicMs) => ({ to: numberOf(round, index), monotonicMs });
  // The second has arrived before its answer, the third never does, and the first comes once more.
  const arrivals = [arrival(1, 120), arrival(0, 125), arrival(0, 300)];
  assert.deepEqual(compare({ round, sends, arrivals }), {
    answer: [5, 10, 30],
    fromRequest: [20, 25],
    fromAccept: [-10, 15],
    missing: 1,
    twice: 1,
    lastAt: 300,
  });
});

test("the receiver reads requests that come together, and those that come in pieces", () => {
  const request = (path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const whole = request("/1") + request("/2") + request("/3");
  for (let cut = 0; cut <= whole.length; cut += 1) {
    const first = pathsIn(whole.slice(0, cut));
    const second = pathsIn(first.rest + whole.slice(cut));
    assert.deepEqual([...first.paths, ...second.paths], ["/1", "/2", "/3"]);
    assert.equal(second.rest, "");
  }
});

test("the times of processors are read from what Linux writes, whatever a program is called", () => {
  const fields = "S 1 1 1 0 -1 4194560 100 0 0 0 250 50 0 0 20 0 4 0 100 1000 100";
  for (const name of ["node", "a (b) c", ") 1 2"]) assert.equal(cpuSecondsIn(`42 (${name}) ${fields}`), 3);
  assert.equal(busySecondsIn("cpu  100 200 300 9999 9999 10 20 70 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n"), 7);
});
