// `npm run rotate` against a stand-in for Cloudflare: whatever fails, and wherever it dies, the same command finishes, no second
// secret is made, and what was sealed can be opened all the time.
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Failure } from "../../scripts/lib/base/command.mjs";
import { rotateArguments } from "../../scripts/lib/deploy/rotate.mjs";
import { newSecret, secretFile } from "../../scripts/lib/deploy/secret-file.mjs";
import { assertNothingLeaks, atEachMoment, checkout, fails, newFolder } from "../support/checkout.mjs";

const day = 24 * 60 * 60 * 1_000;
const start = Date.parse("2026-01-01T12:00:00Z");

/** A deployed service with three carriers that have passwords and one that has none. The clock stands at `it.now`. */
async function deployed({ withCopy = true } = {}) {
  const it = checkout();
  const secretPath = join(newFolder("kept"), "peyk-secret");
  await it.run(withCopy ? { secretPath } : {});
  const [first] = it.cloudflare.secretsOf();
  const sealed = ["tci", "kannel", "mci"].map((name) => ({
    name,
    kind: name === "kannel" ? "http" : "smpp",
    sealedWith: first,
  }));
  it.cloudflare.service().carriers.push({ name: "sandbox", kind: "sandbox" }, ...sealed);
  it.lines.length = 0;
  it.cloudflare.changes.length = 0;
  const clock = () => world.now;
  const rotate = (options) => it.rotate({ secretPath, clock, env: { ADMIN_KEY: it.operator }, ...options });
  const world = {
    it: Object.assign(it, { operator: [...it.cloudflare.service().operators.values()][0], keys: () => [] }),
    first,
    sealed,
    secretPath,
    now: start,
    rotate,
    finish: (options) => rotate({ way: "finish", ...options }),
    kept: () => secretFile(secretPath, "peyk").read(),
  };
  return world;
}

/** The service works by a new secret and knows the old one, and so does the file. All passwords are sealed with the new one. */
function assertChanged({ it, first, sealed, secretPath, kept }) {
  const { cloudflare } = it;
  const [current, old] = cloudflare.secretsOf();
  assert.equal(old, first);
  assert.notEqual(current, first);
  assert.deepEqual([kept().current, kept().old], [current, old]);
  assert.equal(new Set(cloudflare.secrets).size, 2, "one secret was made");
  for (const { name, sealedWith } of sealed) assert.equal(sealedWith, current, name);
  assert.equal(statSync(secretPath).mode & 0o777, 0o600);
  assertNothingLeaks(it, secretPath);
}

test("a change sets the old secret and then the new one, seals the passwords anew, and says what is left to do", async () => {
  const world = await deployed();
  await world.rotate();
  assertChanged(world);
  const { changes } = world.it.cloudflare;
  assert.deepEqual(changes.slice(0, 2), ["secret put SECRET_KEY_OLD", "secret put SECRET_KEY"]);
  assert.deepEqual(changes.slice(2).sort(), ["PATCH /carriers/kannel", "PATCH /carriers/mci", "PATCH /carriers/tci"]);
  const said = world.it.said();
  assert.match(said, /sealed anew: tci, kannel, mci/);
  assert.match(said, /inboundUrl of its carrier: kannel$/m);
  assert.match(
    said,
    /from 2026-01-08T12:00:00\.000Z on, `npm run rotate -- production --finish --secret-file \/.+peyk-secret`/,
  );
  assert.match(readFileSync(world.secretPath, "utf8"), /^CHANGED_AT=2026-01-01T12:00:00\.000Z$/m);
});

test("whatever fails, and wherever a change dies, the same command finishes it with the same secret", async () => {
  await atEachMoment(async () => {
    const world = await deployed();
    return { it: world.it, begin: world.rotate, finish: world.rotate, check: () => assertChanged(world) };
  }, 12);
});

test("at each moment of a change, the file has all secrets by which the service works", async () => {
  const world = await deployed();
  const { cloudflare } = world.it;
  let looks = 0;
  cloudflare.fault = () => {
    looks += 1;
    const { current, old } = world.kept();
    for (const secret of cloudflare.secretsOf()) assert.ok([current, old].includes(secret));
    for (const { sealedWith } of world.sealed) assert.ok(cloudflare.secretsOf().includes(sealedWith));
  };
  await world.rotate();
  world.now += 8 * day;
  await world.finish();
  assert.ok(looks > 20);
});

test("a change that is not at its end is repeated, and makes no other secret", async () => {
  const world = await deployed();
  await world.rotate();
  const { changedAt } = world.kept();
  world.now += day;
  await world.rotate();
  assertChanged(world);
  assert.equal(world.kept().changedAt, changedAt, "the week counts from the first time");
});

test("without an operator key the passwords wait, and the old secret stays until they are sealed anew", async () => {
  const world = await deployed();
  await world.rotate({ env: {} });
  assert.match(
    world.it.said(),
    /seal the carriers' passwords anew: ADMIN_KEY=… npm run rotate -- production --secret-file/,
  );
  world.now += 8 * day;
  await fails(world.finish({ env: {} }), /passwords of carriers were not sealed anew.*Set ADMIN_KEY/s);
  assert.equal(world.it.cloudflare.secretsOf().length, 2);
  await world.finish();
  for (const { sealedWith } of world.sealed) assert.deepEqual([sealedWith], world.it.cloudflare.secretsOf());
});

test("a key that is no operator's is told as such, and the change goes on with a right one", async () => {
  const world = await deployed();
  await fails(world.rotate({ env: { ADMIN_KEY: "peyk_live_wrong" } }), /401.*ADMIN_KEY is no operator key/s);
  await world.rotate();
  assertChanged(world);
});

test("the old secret goes after a week, or at once when that is said", async () => {
  const world = await deployed();
  await world.rotate();
  world.now += 7 * day - 1;
  await fails(
    world.finish(),
    /changed at 2026-01-01T12:00.*for 7 days: wait until 2026-01-08T12:00:00\.000Z, or say --now/s,
  );
  assert.equal(world.it.cloudflare.secretsOf().length, 2);
  world.now += 1;
  await world.finish();
  const [current, ...others] = world.it.cloudflare.secretsOf();
  assert.deepEqual(others, []);
  assert.ok(!/OLD|_AT=/.test(readFileSync(world.secretPath, "utf8")));
  assert.equal(world.kept().current, current);

  const hasty = await deployed();
  await hasty.rotate();
  await hasty.finish({ now: true });
  assert.equal(hasty.it.cloudflare.secretsOf().length, 1);
});

test("whatever fails, and wherever the end of a change dies, the same command finishes it", async () => {
  await atEachMoment(async () => {
    const world = await deployed();
    await world.rotate();
    const current = world.kept().current;
    world.now += 8 * day;
    const check = () => {
      assert.deepEqual(world.it.cloudflare.secretsOf(), [current]);
      assert.deepEqual([world.kept().current, world.kept().old], [current, undefined]);
      for (const { sealedWith } of world.sealed) assert.equal(sealedWith, current);
      assertNothingLeaks(world.it, world.secretPath);
    };
    return { it: world.it, begin: world.finish, finish: world.finish, check };
  }, 7);
});

test("after its end, another change begins with the secret of now", async () => {
  const world = await deployed();
  await world.rotate();
  await world.finish({ now: true });
  await world.finish();
  assert.match(world.it.lines.at(-1), /there is no change to finish/);
  const second = world.kept().current;
  await world.rotate();
  assert.deepEqual(world.it.cloudflare.secretsOf()[1], second);
  assert.equal(new Set(world.it.cloudflare.secrets).size, 3);
});

test("a change that did not come to the service is not finished", async () => {
  const world = await deployed();
  world.it.cloudflare.fault = (moment) => {
    const command = world.it.cloudflare.commands.at(-1)?.join(" ") ?? "";
    return moment > 0 && /secret put SECRET_KEY_OLD/.test(command) ? "error" : undefined;
  };
  await assert.rejects(world.rotate(), Failure);
  world.it.cloudflare.fault = () => undefined;
  await fails(world.finish({ now: true }), /has not come to the service yet/);
});

test("a change waits until the new secret shows wherever it looks", async () => {
  const world = await deployed();
  const shown = [];
  let late = 0;
  const request = async (base, method, path, options) => {
    const answer = await world.it.cloudflare.request(base, method, path, options);
    if (!path.endsWith("jwks.json")) return answer;
    // The third look of the new secrets reaches a copy of the worker that has the old one.
    if (answer.json.keys.length === 2 && ++late === 3) answer.json.keys.pop();
    shown.push(answer.json.keys.length);
    return answer;
  };
  await world.rotate({ request });
  assert.deepEqual(shown, [1, 2, 2, 1, 2, 2, 2]);
});

test("a file that has not the service's secret is refused, and so is none", async () => {
  const world = await deployed();
  const { first, secretPath, it } = world;
  writeFileSync(secretPath, `SECRET_KEY=${newSecret()}\n`);
  await fails(world.rotate(), /has another secret than https:\/\/peyk\.ours\.workers\.dev\. Nothing was changed/);
  await fails(world.rotate({ environment: "staging" }), /has no address of the service: `npm run deploy -- staging`/);
  rmSync(secretPath);
  await fails(world.rotate(), /there is no file .+ If nobody has it: `npm run rotate -- production --lost/s);
  assert.ok(!existsSync(secretPath));
  assert.deepEqual([it.cloudflare.secretsOf(), it.cloudflare.changes], [[first], []]);
});

test("a change by hand is finished by hand", async () => {
  const world = await deployed();
  world.it.cloudflare.workers.get("peyk").secrets.set("SECRET_KEY_OLD", newSecret());
  const byHand = /npx wrangler secret delete SECRET_KEY_OLD --name peyk/;
  await fails(world.rotate(), byHand);
  await fails(world.finish(), byHand);
  assert.deepEqual(world.it.cloudflare.changes, []);
});

test("a lost secret is replaced only by who has read what that loses", async () => {
  const world = await deployed({ withCopy: false });
  const lost = (options) => world.rotate({ way: "lost", ...options });
  await fails(lost(), /nothing was changed\. Say --yes/);
  assert.match(world.it.said(), /passwords of carriers.*secrets of webhooks.*reports for messages.*these are none/s);
  assert.ok(!existsSync(world.secretPath));
  assert.deepEqual(world.it.cloudflare.changes, []);
  await lost({ yes: true });
  assert.deepEqual(world.it.cloudflare.secretsOf(), [world.kept().current]);
  assert.notEqual(world.kept().current, world.first);
  assertNothingLeaks(world.it, world.secretPath);
  world.it.lines.length = 0;
  await world.it.run();
  assert.ok(!/ONLY CLOUDFLARE/.test(world.it.said()), "there is a copy now");
});

test("whatever fails, and wherever the replacement of a lost secret dies, no second one is made", async () => {
  await atEachMoment(async () => {
    const world = await deployed({ withCopy: false });
    world.it.cloudflare.workers.get("peyk").secrets.set("SECRET_KEY_OLD", newSecret());
    const lost = () => world.rotate({ way: "lost", yes: true });
    const check = () => {
      assert.deepEqual(world.it.cloudflare.secretsOf(), [world.kept().current]);
      assert.equal(new Set(world.it.cloudflare.secrets).size, 2, "one secret was made");
      assertNothingLeaks(world.it, world.secretPath);
    };
    return { it: world.it, begin: lost, finish: lost, check };
  }, 6);
});

test("a secret of which there is a copy is not lost", async () => {
  const world = await deployed();
  await fails(world.rotate({ way: "lost" }), /has the secret of the service, so it is not lost/);
  await world.rotate();
  for (const yes of [false, true]) await fails(world.rotate({ way: "lost", yes }), /so it is not lost/);
  assertChanged(world);
});

test("a worker without a secret, and a deployment without an address, are told what to do", async () => {
  const world = await deployed();
  world.it.cloudflare.workers.get("peyk").secrets.clear();
  for (const way of ["change", "finish", "lost"])
    await fails(world.rotate({ way }), /no SECRET_KEY: `npm run deploy -- production --secret-file PATH` makes it/);
  const fresh = checkout(world.it.cloudflare);
  await fails(fresh.rotate({ secretPath: world.secretPath }), /has no address of the service/);
});

test("the arguments name an environment, a file and a way", () => {
  const file = ["--secret-file", "kept"];
  const common = { environment: "production", secretPath: "kept", now: false, yes: false };
  assert.deepEqual(rotateArguments(file), { ...common, way: "change" });
  assert.deepEqual(rotateArguments(["staging", ...file, "--lost", "--yes"]), {
    ...common,
    environment: "staging",
    way: "lost",
    yes: true,
  });
  assert.deepEqual(rotateArguments(["--finish", ...file, "--now"]), { ...common, way: "finish", now: true });
  for (const args of [
    [],
    ["--secret-file"],
    ["--secret-file", "--lost"],
    ["--yes"],
    ["--now"],
    ["--lost", "--finish"],
    ["prod"],
  ])
    assert.throws(
      () => rotateArguments(args[0] === "--secret-file" || args.length === 0 ? args : [...file, ...args]),
      Failure,
    );
});
