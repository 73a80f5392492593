// What Peyk is made of and how it is built: licences, sources, pins, and what secrets code of others could see.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { exec, Failure, outputOf, withoutSecrets } from "../../scripts/lib/base/command.mjs";
import { keyHandover } from "../../scripts/lib/base/key-handover.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import {
  allowed,
  cratesOf,
  faultsOfCrates,
  faultsOfNpm,
  isAllowed,
  npmPackages,
} from "../../scripts/lib/supply/packages.mjs";
import { sbom } from "../../scripts/lib/supply/sbom.mjs";

const home = mkdtempSync(join(tmpdir(), "peyk-supply-test-"));
after(() => rmSync(home, { recursive: true, force: true }));
const text = (...parts) => readFileSync(inRoot(...parts), "utf8");

test("every package has a licence that Peyk may use, comes from a registry, and has a checksum", () => {
  for (const manifest of ["Cargo.toml", "tools/bindgen/Cargo.toml"])
    assert.deepEqual(faultsOfCrates(cratesOf(manifest)), [], manifest);
  assert.deepEqual(faultsOfNpm(npmPackages()), []);
});

test("each package of the programs that the tests of doors run is as good, but for licences that stand in no package", () => {
  // Activepieces has its licence, which is MIT, in its repository alone. Nothing that users get has these packages in it.
  const silent = ["framework", "piece-twilio", "shared"].map((name) => `@activepieces/${name} 0.2.0: the licence null`);
  assert.deepEqual(faultsOfNpm(npmPackages("tests", "support", "doors", "npm")), silent);
});

test("a package with another licence, from elsewhere or without a checksum is named", () => {
  const crate = {
    name: "a",
    version: "1.0.0",
    licence: "AGPL-3.0",
    source: "git+https://example.com/a",
    checksum: null,
  };
  assert.equal(faultsOfCrates([crate]).length, 3);
  const one = { name: "a", version: "1.0.0", licence: null, resolved: "https://example.com/a.tgz" };
  assert.equal(faultsOfNpm([one]).length, 3);
  for (const good of ["MIT", "GPL-3.0 OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0", "MIT AND ISC"])
    assert.ok(isAllowed(good), good);
  for (const bad of [null, "", "GPL-3.0", "MIT AND GPL-3.0", "UNLICENSED", "SEE LICENSE IN x"])
    assert.ok(!isAllowed(bad), `${bad}`);
});

test("cargo-deny allows no licence that these tests refuse", () => {
  const list = /^allow = \[\n([\s\S]*?)^\]/m.exec(text("deny.toml"))[1];
  const licences = [...list.matchAll(/"(.+)"/g)].map(([, licence]) => licence);
  assert.ok(licences.length > 5);
  for (const licence of licences) assert.ok(allowed.has(licence), licence);
});

test("each action of a workflow is pinned by its commit", () => {
  for (const name of readdirSync(inRoot(".github", "workflows"))) {
    const uses = [...text(".github", "workflows", name).matchAll(/uses: *(\S+)/g)].map(([, action]) => action);
    assert.ok(uses.length > 0);
    for (const action of uses) assert.match(action, /^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/);
  }
});

test("programs that install, build and test see no secret", async () => {
  const names = "SECRET_KEY SECRET_KEY_OLD ADMIN_KEY PEYK_API_KEY CLOUDFLARE_API_TOKEN NPM_TOKEN AWS_SECRET_ACCESS_KEY";
  const secrets = [...names.split(" "), "DBPASSWORD", "db_password", "KEY", "GPG_PASSPHRASE", "GOOGLE_CREDENTIALS"];
  const others = ["PATH", "HOME", "CI", "PORT", "KEYBOARD", "MONKEYS", "XDG_CACHE_HOME", "SSH_AUTH_SOCK"];
  const given = Object.fromEntries([...secrets, ...others].map((name) => [name, "x"]));
  assert.deepEqual(Object.keys(withoutSecrets(given)), others);
  process.env.PEYK_TEST_TOKEN = "hush";
  after(() => delete process.env.PEYK_TEST_TOKEN);
  const seen = "process.env.PEYK_TEST_TOKEN ?? 'nothing'";
  assert.equal(outputOf(process.execPath, ["-p", seen]), "nothing");
  await exec(process.execPath, ["-e", `process.exit(${seen} === 'nothing' ? 0 : 1)`]);
});

test("an operator key goes to a terminal or into a file of its own, and nowhere else", () => {
  const shown = [];
  const print = (line) => shown.push(line);
  const piped = keyHandover(["production"], { isTerminal: false, print });
  assert.throws(piped.ensure, /--key-file PATH/);
  const terminal = keyHandover(["production", "--dry-run"], { isTerminal: true, print });
  assert.deepEqual(terminal.rest, ["production", "--dry-run"]);
  terminal.ensure();
  terminal.give("peyk_live_a");
  assert.deepEqual(shown, ["peyk_live_a"]);
  const file = join(home, "key");
  const inFile = keyHandover(["--key-file", file, "staging"], { isTerminal: false, print });
  assert.deepEqual(inFile.rest, ["staging"]);
  inFile.ensure();
  inFile.give("peyk_live_b");
  assert.equal(readFileSync(file, "utf8"), "peyk_live_b\n");
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(shown.length, 1);
  assert.throws(() => inFile.give("peyk_live_c"), Failure, "a file that is there stays as it is");
  for (const args of [["--key-file"], ["--key-file", "--dry-run"]]) assert.throws(() => keyHandover(args), Failure);
});

test("the software bill of materials has every crate and every package, and its edges lead somewhere", () => {
  const { bomFormat, specVersion, metadata, components, dependencies } = sbom();
  assert.deepEqual([bomFormat, specVersion, metadata.component.name], ["CycloneDX", "1.5", "peyk"]);
  const refs = new Set([metadata.component["bom-ref"], ...components.map((component) => component["bom-ref"])]);
  assert.equal(refs.size, components.length + 1, "each has a name of its own");
  const purls = new Set(components.map(({ purl }) => purl));
  const locked = [...text("Cargo.lock").matchAll(/^name = "(.+)"\nversion = "(.+)"\nsource/gm)];
  for (const [, name, version] of locked) assert.ok(purls.has(`pkg:cargo/${name}@${version}`), name);
  for (const name of ["wrangler", "binaryen", "typescript"])
    assert.ok(
      [...purls].some((purl) => purl.startsWith(`pkg:npm/${name}@`)),
      name,
    );
  for (const { ref, dependsOn = [] } of dependencies)
    for (const name of [ref, ...dependsOn]) assert.ok(refs.has(name), name);
});

test("no example makes login codes that can be guessed", () => {
  const guides = ["en", "fa"].flatMap((language) =>
    readdirSync(inRoot("site", "guides", language)).map((name) => ["site", "guides", language, name]),
  );
  const pages = [
    ["README.md"],
    ...guides,
    ...["typescript", "python", "php"].map((one) => ["clients", one, "README.md"]),
  ];
  for (const page of pages) {
    assert.ok(existsSync(inRoot(...page)));
    assert.doesNotMatch(text(...page), /Math\.random\(|random\.rand|[^_]rand\(|mt_rand/, page.join("/"));
  }
});
