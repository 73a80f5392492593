// The secret of a service at its first deploy: the operator gets a copy, or is told that nobody has one.
import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { proofKeyOf } from "../../scripts/lib/deploy/proof-key.mjs";
import { newSecret, secretFile } from "../../scripts/lib/deploy/secret-file.mjs";
import { assertNothingLeaks, atEachMoment, checkout, fails, newFolder } from "../support/checkout.mjs";

const newPath = () => join(newFolder("kept"), "peyk-secret");
const keptIn = (path, worker = "peyk") => secretFile(path, worker).read();
const noCopy = /ONLY CLOUDFLARE HAS THE SECRET/;

/** The file is whole, only its owner may read it, and it has the secret by which the service works. */
function assertKept({ cloudflare }, path) {
  assert.deepEqual([keptIn(path).current], cloudflare.secretsOf());
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(readdirSync(join(path, "..")).length, 1, "nothing is beside it");
}

test("the first deploy writes the secret into the file that it was given", async () => {
  const [it, secretPath] = [checkout(), newPath()];
  await it.run({ secretPath });
  assertKept(it, secretPath);
  assert.match(readFileSync(secretPath, "utf8"), /^#.*\n#.*\nWORKER=peyk\nSECRET_KEY=[A-Za-z0-9+/]{43}=\n$/);
  assert.ok(!noCopy.test(it.said()), it.said());
  assertNothingLeaks(it, secretPath);
});

test("whatever fails, and wherever a deploy dies, the file has the secret of the service", async () => {
  await atEachMoment(() => {
    const [it, secretPath] = [checkout(), newPath()];
    const run = () => it.run({ secretPath });
    const check = () => {
      assert.equal(it.cloudflare.secrets.length, 1, "the secret was set once");
      assertKept(it, secretPath);
      assertNothingLeaks(it, secretPath);
      assert.ok(!/ANOTHER secret/.test(it.said()), it.said());
    };
    return { it, begin: run, finish: run, check };
  }, 20);
});

test("without a copy the deploy warns when it makes the secret, and in its last lines, until there is one", async () => {
  const it = checkout();
  await it.run();
  const warned = it.lines.map((line, at) => (noCopy.test(line) ? at : -1)).filter((at) => at >= 0);
  const set = it.lines.findIndex((line) => line.includes("set the secret"));
  assert.equal(warned.length, 2);
  assert.ok(warned[0] < set && warned[1] >= it.lines.length - 5, it.said());
  assert.match(it.said(), /npm run rotate -- production --lost --secret-file PATH/);
  for (const dryRun of [false, true]) {
    it.lines.length = 0;
    await it.run({ dryRun });
    assert.match(it.said(), noCopy);
  }
});

test("a deploy that died after it had made the secret warns at its end all the same", async () => {
  await atEachMoment(() => {
    const it = checkout();
    const check = () => assert.match(it.lines.slice(-5).join("\n"), noCopy);
    return { it, begin: it.run, finish: it.run, check };
  }, 20);
});

test("the operator may bring their own secret, and one that is set is never replaced", async () => {
  const own = newSecret();
  const [it, path] = [checkout(), newPath()];
  await it.run({ env: { SECRET_KEY: own }, secretPath: path });
  assert.deepEqual([it.cloudflare.secrets, keptIn(path).current], [[own], own]);
  await it.run({ env: { SECRET_KEY: "another" } });
  assert.deepEqual(it.cloudflare.secrets, [own]);
  assert.ok(!noCopy.test(it.said()), it.said());
  assertNothingLeaks(it, path);

  const other = checkout();
  await other.run({ env: { SECRET_KEY: own } });
  assert.ok(!noCopy.test(other.said()), other.said());
});

test("a secret that is none, or another one than in the file, is refused and not shown", async () => {
  const it = checkout();
  for (const bad of ["short", Buffer.alloc(31).toString("base64"), `${newSecret()}=`, newSecret().replace("=", "")])
    for (const dryRun of [true, false])
      await fails(
        it.run({ env: { SECRET_KEY: bad }, dryRun }),
        /^SECRET_KEY in the environment must be the base64 text of 32/,
      );
  const path = newPath();
  writeFileSync(path, `SECRET_KEY=${newSecret()}\n`);
  for (const dryRun of [true, false])
    await fails(
      it.run({ env: { SECRET_KEY: newSecret() }, secretPath: path, dryRun }),
      /has another secret than SECRET_KEY/,
    );
  assert.deepEqual(it.cloudflare.secrets, []);
});

test("a file that is none of ours, or of another service, is refused before anything is asked", async () => {
  const it = checkout();
  const path = newPath();
  for (const [text, pattern] of [
    ["", /has no line SECRET_KEY/],
    ["PASSWORD=x\n", /has no line SECRET_KEY/],
    ["SECRET_KEY=short\n", /^SECRET_KEY in .+ must be the base64 text/],
    [
      `WORKER=peyk-staging\nSECRET_KEY=${newSecret()}\n`,
      /has the secret of the worker peyk-staging, and this is peyk\./,
    ],
  ]) {
    writeFileSync(path, text);
    await fails(it.run({ secretPath: path }), pattern);
    assert.equal(readFileSync(path, "utf8"), text);
  }
  await fails(it.run({ secretPath: join(newFolder("kept"), "no", "folder") }), /there is no folder/);
  for (const inside of ["peyk-secret", "docs/peyk-secret", ".env"])
    await fails(it.run({ secretPath: inRoot(inside) }), /is in the checkout, where git could take it along/);
  assert.equal(it.cloudflare.moment, 0);
});

test("each service has a file of its own", async () => {
  const [it, secretPath] = [checkout(), newPath()];
  await it.run({ secretPath });
  await fails(
    it.run({ secretPath, environment: "staging" }),
    /has the secret of the worker peyk, and this is peyk-staging/,
  );
});

test("a copy that can't be made any more, and one that is none, are told at the end", async () => {
  const it = checkout();
  await it.run();
  const path = newPath();
  await it.run({ secretPath: path });
  assert.ok(!existsSync(path));
  assert.match(it.lines.at(-1), /was not written: the service has its secret already/);
  writeFileSync(path, `SECRET_KEY=${newSecret()}\n`);
  await it.run({ secretPath: path });
  assert.match(it.lines.at(-1), /has ANOTHER secret than the service/);
  writeFileSync(path, `SECRET_KEY=${it.cloudflare.secrets[0]}\n`);
  await it.run({ secretPath: path });
  await it.run();
  assert.match(it.lines.at(-1), /is deployed at/);
});

test("a dry run says where the secret would go, or that nobody would have a copy", async () => {
  const [it, secretPath] = [checkout(), newPath()];
  await it.run({ dryRun: true });
  assert.match(it.said(), /would make and set the secret SECRET_KEY/);
  assert.match(it.said(), noCopy);
  const said = async (options) => {
    it.lines.length = 0;
    await it.run({ dryRun: true, ...options });
    assert.ok(!noCopy.test(it.said()), it.said());
    return it.said();
  };
  assert.match(await said({ secretPath }), /would set the secret SECRET_KEY, and write it into /);
  assert.match(
    await said({ env: { SECRET_KEY: newSecret() } }),
    /would set the secret SECRET_KEY to the value of the environ/,
  );
  assert.ok(!existsSync(secretPath));
  assert.deepEqual(it.cloudflare.changes, []);
});

test("other lines of the file stay, and it stays for its owner alone", () => {
  const path = newPath();
  writeFileSync(path, "# mine\nSECRET_KEY=old\nADMIN_KEY=mine\n");
  chmodSync(path, 0o644);
  const secret = newSecret();
  secretFile(path, "peyk").write({ current: secret, old: undefined });
  assert.equal(readFileSync(path, "utf8"), `# mine\nADMIN_KEY=mine\nWORKER=peyk\nSECRET_KEY=${secret}\n`);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test("a secret is known by the key of proofs that the service makes of it", () => {
  const gateway = readFileSync(inRoot("tests", "it", "support", "gateway.rs"), "utf8");
  const [, secret] = /SECRET_KEY: &str = "(.+)"/.exec(gateway);
  const { paths } = JSON.parse(readFileSync(inRoot("openapi.json"), "utf8"));
  const { example } = paths["/.well-known/jwks.json"].get.responses[200].content["application/json"];
  assert.equal(proofKeyOf(secret), example.keys[0].x);
});
