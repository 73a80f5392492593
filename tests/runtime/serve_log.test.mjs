// The log of a service on a machine of one's own, as programs read it: from the first line to the last, each is a JSON object.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { build } from "../../scripts/lib/build/build.mjs";
import { until } from "../support/server.mjs";
import { childrenOf, newPlace, startLogging } from "../support/serving.mjs";

const place = newPlace();
const running = [];
after(async () => {
  for (const one of running) one.child.kill("SIGKILL");
  await Promise.all(running.map(({ exited }) => exited));
  place.remove();
});

async function start(options) {
  const one = await startLogging(place, options);
  running.push(one);
  return one;
}

/** All that a service has said, after it has ended: objects with a time. */
function allOf({ output }) {
  const lines = output().split("\n").filter(Boolean);
  return lines.map((line) => {
    const parsed = JSON.parse(line);
    assert.equal(new Date(parsed.time).toISOString(), parsed.time, line);
    return parsed;
  });
}

const hasSaid = (lines, event, pattern) => lines.some((line) => line.event === event && pattern.test(line.message));

test("each line of a service's life is an object with a time: its start, its events and its end", async () => {
  await build();
  const one = await start({ env: { LOG_FORMAT: "json" } });
  assert.ok(one.baseUrl, one.output());
  assert.equal((await fetch(`${one.baseUrl}/nothing`)).status, 404);
  await until(() => one.output().includes('"event":"request"'), { what: "the line of the request" });
  one.child.kill("SIGTERM");
  assert.deepEqual(await one.exited, { code: 0, signal: null }, one.output());
  const lines = allOf(one);
  assert.ok(hasSaid(lines, "command", /^the environment sets LOG_FORMAT$/));
  assert.ok(hasSaid(lines, "command", /^Peyk serves /));
  assert.ok(hasSaid(lines, "command", /^stopping/));
  assert.equal(lines.find(({ event }) => event === "request").status, 404);
});

test("a start that is refused, and a runtime that dies, are objects, too", async () => {
  writeFileSync(join(place.data, "peyk.toml"), 'LOG_FORMAT = "json"\nMAX_PARTS = 300\nRETENTION = 1\n');
  const refused = await start();
  assert.equal((await refused.exited).code, 1);
  const [{ message, level }] = allOf(refused).slice(-1);
  assert.equal(level, "error");
  for (const fault of [/MAX_PARTS="300": must be/, /RETENTION in .* is no setting/]) assert.match(message, fault);
  writeFileSync(join(place.data, "peyk.toml"), 'LOG_FORMAT = "json"\n');
  const one = await start();
  assert.ok(one.baseUrl, one.output());
  process.kill(childrenOf(one.child.pid, "gate.capnp")[0], "SIGKILL");
  assert.equal((await one.exited).code, 1);
  assert.ok(hasSaid(allOf(one), "command", /^the gate ended unexpectedly \(SIGKILL\)/));
});
