// docs/scale.md shows what is computed from the measured figures, and the computing is right where it can be checked by hand.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { dayOf, limitsOf, monthOf, page, perMessage, readFigures, readPins } from "../../scripts/lib/scale/compute.mjs";
import { filled, tables } from "../../scripts/lib/scale/tables.mjs";

const near = (found, expected) => assert.ok(Math.abs(found - expected) <= Math.abs(expected) * 1e-9, `${found}`);

test("the page has the figures of now: `npm run scale` writes them", () => {
  const text = readFileSync(page, "utf8");
  assert.equal(filled(text, tables(readFigures(), readPins())), text);
});

test("what the README says that a month costs is what the page says", () => {
  const [small, large] = /^\| \*\*a month\*\* \| \*\*(.+?)\*\* \| \*\*(.+?)\*\*/m
    .exec(readFileSync(page, "utf8"))
    .slice(1);
  const readme = readFileSync(inRoot("README.md"), "utf8");
  assert.ok(readme.includes(`${small} a month for 1,000 messages a day and ${large} for a million a day`));
});

test("the rows are the pins of tests/it/account/rows.rs, which the runtime has confirmed", () => {
  const [{ measured }, pins] = [readFigures(), readPins()];
  for (const [kind, count] of [
    ["alone", 1],
    ["burst", measured.burst.of],
  ]) {
    const counted = measured[kind].accountRowsWritten;
    // The runtime's count lacks the mirror of the usage, once a minute, and one burst may come and leave in several calls, of
    // which each writes the rows that its messages share: the account's, the usage's and the ledger's.
    const difference = Math.abs(pins[kind].object - counted) * count;
    assert.ok(
      difference <= 3 + (count * 2) / 3,
      `${kind}: ${pins[kind].object} rows, and the runtime counted ${counted}`,
    );
  }
});

test("a step is the sum of its messages, and a price begins where the plan ends", () => {
  const figures = readFigures();
  const pins = readPins();
  const half = perMessage(0.5, figures, pins);
  const [alone, burst] = [perMessage(0, figures, pins), perMessage(1, figures, pins)];
  for (const member of Object.keys(half)) near(half[member], (alone[member] + burst[member]) / 2);
  const step = { messages: 1_000_000, accounts: 10, biggest: 0.5, bursts: 0, peak: 2 };
  const day = dayOf(step, figures, pins);
  near(
    day.objectRowsWritten,
    1_000_000 * alone.objectRowsWritten + 10 * pins.upkeepADay + day.binds * figures.assumed.bindAlarmsADay,
  );
  near(day.peakPerSecond, 2_000_000 / 86_400);
  near(day.biggest.callsASecond, (day.peakPerSecond / 2) * alone.accountCalls);
  const month = monthOf({ ...day, workerRequests: 1_000_000, kvReads: 100 }, figures);
  // 30 million requests, of which 10 are included.
  near(month.workerRequests, 20 * 0.3);
  assert.equal(month.kvReads, 0);
  assert.equal(month.plan, 5);
  near(limitsOf({ ...day, d1Gb: 20 }, figures).d1Gb, 2);
});

test("an object that is never idle is awake all day, and no longer", () => {
  const step = { messages: 1e9, accounts: 1, biggest: 1, bursts: 0, peak: 1 };
  const day = dayOf(step, readFigures(), readPins());
  near(day.awakeSeconds, (1 + day.binds) * 86_400);
});

test("each price and limit says where it is from", () => {
  const { prices, limits } = readFigures();
  for (const { what, source } of [...Object.values(prices), ...Object.values(limits)])
    assert.ok(what && source, JSON.stringify({ what, source }));
});
