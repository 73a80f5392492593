// How the console's settings name time zones.
import assert from "node:assert/strict";
import { test } from "node:test";
import { zoneName, zonesIn } from "../../console/src/pages/settings/zones.ts";

test("a zone has its name in the person's language, and its id", () => {
  assert.equal(zoneName("fa", "Asia/Tehran"), "وقت عادی ایران · \u2066Asia/Tehran\u2069");
  assert.equal(zoneName("en", "Asia/Tehran"), "Iran Standard Time · \u2066Asia/Tehran\u2069");
});

test("Persian has Tehran first, and each list has the zone that is set", () => {
  const persian = zonesIn("fa", "Asia/Calcutta");
  assert.equal(persian[0].id, "Asia/Tehran");
  assert.match(persian[1].text, /^\p{Script=Arabic}/u);
  const english = zonesIn("en", "Asia/Calcutta").map(({ id }) => id);
  assert.notEqual(english[0], "Asia/Tehran");
  for (const id of ["UTC", "Asia/Calcutta", "Asia/Tehran"])
    assert.equal(english.filter((each) => each === id).length, 1, id);
  assert.deepEqual(persian.map(({ id }) => id).toSorted(), english.toSorted());
});

test("who types an id finds the zone, in either language", () => {
  for (const language of ["en", "fa"]) for (const { id, typed } of zonesIn(language, "UTC")) assert.equal(typed, id);
});
