// What of the operators' pages of carriers and lines needs no service: the picture of routes, and what forms make of what is typed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { changedSettings, draftOf, newCarrier } from "../../console/src/pages/operator/carriers/settings.ts";
import { layoutOf, wayOf } from "../../console/src/pages/operator/line/layout.ts";
import { draftsOf, isMixed, routesOf } from "../../console/src/pages/operator/line/route-drafts.ts";
import { daysOf, rateOf, together } from "../../console/src/pages/operator/service/traffic.ts";

const way = (...names) => names.map((name) => ({ name, weight: 1 }));
const routes = [
  { prefixes: [], carriers: way("asiatech"), backup: way("kannel") },
  { prefixes: ["98912", "98991"], carriers: [...way("tci"), { name: "asiatech", weight: 3 }], backup: [] },
];

const overlap = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

for (const width of [280, 340, 700, 1_400])
  test(`no box of the picture covers another one or leaves it, at ${width} px`, () => {
    const many = [...routes, ...Array.from({ length: 48 }, (_, index) => ({ ...routes[1], prefixes: [`98${index}`] }))];
    for (const drawn of [[routes[0]], routes, many]) {
      const { line, routes: placed, height } = layoutOf(drawn, width);
      const boxes = [line, ...placed.flatMap(({ area, shares }) => [area, ...shares.map((share) => share.area)])];
      for (const [place, box] of boxes.entries()) {
        assert.ok(box.x >= 0 && box.width > 100 && box.x + box.width <= width, JSON.stringify(box));
        assert.ok(box.y >= 0 && box.y + box.height <= height, JSON.stringify(box));
        for (const other of boxes.slice(place + 1)) assert.ok(!overlap(box, other), JSON.stringify([box, other]));
      }
    }
  });

test("the shares of a route come to the whole, and a way ends at its box also from right to left", () => {
  const { routes: placed, isTree } = layoutOf(routes, 900);
  assert.deepEqual(
    placed.map(({ shares }) => shares.map(({ share, isBackup }) => [share, isBackup])),
    [
      [
        [1, false],
        [1, true],
      ],
      [
        [0.25, false],
        [0.75, false],
      ],
    ],
  );
  const [from, to] = [placed[0].area, placed[0].shares[0].area];
  assert.ok(wayOf(from, to, isTree, (x) => x).endsWith(`${to.x} ${to.y + to.height / 2}`));
  assert.ok(wayOf(from, to, isTree, (x) => 900 - x).endsWith(`${900 - to.x} ${to.y + to.height / 2}`));
});

test("routes come back from their draft as they were, the rest at the end, and prefixes as people write them", () => {
  const drafts = draftsOf(routes);
  assert.deepEqual(routesOf(drafts), [routes[1], routes[0]]);
  drafts[0].prefixes = "+98912، 0098991 ۹۸۹۳۵";
  drafts[0].carriers[0].weight = "۷";
  const [changed] = routesOf(drafts);
  assert.deepEqual([changed.prefixes, changed.carriers[0].weight], [["98912", "98991", "98935"], 7]);
});

test("only a sandbox beside a carrier that sends is mixed", () => {
  const mixed = (...names) => isMixed([{ prefixes: [], carriers: way(...names), backup: [] }], new Set(["sandbox"]));
  assert.deepEqual([mixed("sandbox"), mixed("tci"), mixed("tci", "sandbox")], [false, false, true]);
});

test("a new carrier has what was written, and a change what differs", () => {
  const draft = { ...draftOf("smpp"), host: "smsc.example.com", port: "۲۷۷۶", systemId: "peyk", password: "secret" };
  const { smpp: made, ...rest } = newCarrier("mci", "smpp", draft);
  assert.deepEqual([made.port, made.tls, made.throughputPerSecond], [2_776, true, undefined]);
  assert.deepEqual(rest, { name: "mci", kind: "smpp" });
  assert.deepEqual(changedSettings("smpp", draft, { ...draft, tls: "false", binds: "" }), { tls: false, binds: null });
  assert.deepEqual(changedSettings("smpp", draft, { ...draft, window: "many" }), { window: "many" });
  assert.deepEqual(changedSettings("smpp", draft, draft), {});
});

test("traffic has each day, and its rate is of what has ended", () => {
  const counts = { delivered: 6, undelivered: 1, expired: 1, rejected: 0, canceled: 1, unknown: 1 };
  const days = daysOf([{ key: "2026-01-02", recipients: 12, ...counts }], ["2026-01-01", "2026-01-02"]);
  assert.deepEqual(
    days.map(({ sent, canceled, other }) => [sent, canceled, other]),
    [
      [0, 0, 0],
      [12, 1, 3],
    ],
  );
  assert.equal(rateOf(together(days)), 0.75);
  assert.equal(rateOf(days[0]), null);
});
