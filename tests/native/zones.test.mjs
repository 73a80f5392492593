// How far the clocks of a time zone are ahead of UTC (src/platform/zones.mjs).
import assert from "node:assert/strict";
import { after, mock, test } from "node:test";

import { utcOffset } from "../../src/platform/zones.mjs";

const at = (zone, time) => utcOffset(zone, Date.parse(time));

test("an offset is that of the time, in whole minutes", () => {
  for (const [zone, time, wanted] of [
    ["UTC", "2026-01-01T00:00:00Z", 0],
    ["Europe/London", "2026-01-01T00:00:00Z", 0],
    ["Asia/Tehran", "2026-07-01T00:00:00Z", 210],
    ["Asia/Tehran", "2020-07-01T00:00:00Z", 270],
    ["America/New_York", "2026-01-01T00:00:00Z", -300],
    ["America/St_Johns", "2026-01-01T00:00:00Z", -210],
    ["Europe/Berlin", "2026-03-29T00:59:59Z", 60],
    ["Europe/Berlin", "2026-03-29T01:00:00Z", 120],
    ["Australia/Lord_Howe", "2026-10-03T15:29:59Z", 630],
    ["Australia/Lord_Howe", "2026-10-03T15:30:00Z", 660],
    ["Pacific/Apia", "2011-12-30T09:59:59Z", -600],
    ["Pacific/Apia", "2011-12-30T10:00:00Z", 840],
    ["Africa/Monrovia", "1971-01-01T00:00:00Z", -44],
  ])
    assert.equal(at(zone, time), wanted, `${zone} ${time}`);
});

test("what is no name of a zone, and what is no time, has no offset", () => {
  for (const zone of ["", "Mars/Phobos", "+03:30", "-05", "Asia/Tehran ", "../UTC", "Z+1", "تهران", "\ud800"])
    assert.equal(at(zone, "2026-01-01T00:00:00Z"), undefined, zone);
  for (const ms of [Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1, -8.64e15 - 1])
    assert.equal(utcOffset("UTC", ms), undefined, `${ms}`);
});

test("a zone keeps its formatter until so many others were used since", () => {
  const made = mock.method(Intl, "DateTimeFormat").mock;
  after(() => made.restore());
  const [first, second, ...others] = Intl.supportedValuesOf("timeZone");
  const use = (zone) => assert.equal(typeof at(zone, "2026-01-01T00:00:00Z"), "number", zone);
  const madeBy = (zones) => {
    const before = made.callCount();
    zones.forEach(use);
    return made.callCount() - before;
  };
  // None of these is one of another test.
  assert.equal(madeBy([first, second, first, second]), 2);
  assert.equal(madeBy([...others.slice(0, 30), first]), 30);
  assert.equal(madeBy([others[30], first]), 1);
  assert.equal(madeBy([second]), 1, "it was used longest ago, so it went");
  assert.equal(madeBy(others), others.length);
});
