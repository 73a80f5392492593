// Releases of the client libraries: what their packages have, and what the command says.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { environment, Failure } from "../../scripts/lib/base/command.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { chosen, release } from "../../scripts/lib/release/release.mjs";

const { version } = JSON.parse(readFileSync(inRoot("clients", "typescript", "package.json"), "utf8"));

/** The paths in a package. */
function contents(file) {
  const zip = ["python3", ["-m", "zipfile", "--list", file]];
  const [program, args] = /\.(zip|whl)$/.test(file) ? zip : ["tar", ["-tzf", file]];
  const { stdout } = spawnSync(program, args, { encoding: "utf8", env: environment() });
  return stdout.split("\n").map((line) => line.split(/ {2,}/)[0]);
}

const packages = {
  typescript: [`peyk-client-${version}.tgz`],
  python: [`peyk_sms-${version}-py3-none-any.whl`, `peyk_sms-${version}.tar.gz`],
  php: [`peyk-php-${version}.zip`],
};

for (const [language, names] of Object.entries(packages))
  test(`${language}: a release makes packages that a program of an empty folder loads, and publishes nothing`, async () => {
    const said = [];
    const files = await release(chosen([language]), (line) => said.push(line));
    assert.deepEqual(
      files.map((file) => basename(file)),
      names,
    );
    for (const [index, file] of files.entries()) {
      assert.ok(existsSync(file));
      assert.equal(said[index], `${file} works, as version ${version}`);
      const paths = contents(file).join("\n");
      assert.match(paths, /LICENSE-MIT/);
      assert.match(paths, /(operations\.mjs|_operations\.py|Operations\.php)/);
      assert.doesNotMatch(paths, /tests|driver|__pycache__/);
    }
    assert.match(said.at(-1), /^(npm publish |python3 -m twine upload |PEYK_PHP_REPOSITORY=… npm run release )/);
  });

test("the command takes one library that is there", () => {
  assert.deepEqual(chosen(["--publish", "php"]), { language: "php", publishes: true });
  assert.deepEqual(chosen(["php"]), { language: "php", publishes: false });
  for (const args of [[], ["ruby"], ["php", "python"], ["--publish"], ["php", "--dry-run"]])
    assert.throws(() => chosen(args), Failure);
});

/** Publishes the PHP library to a repository, as somebody who has a name. */
async function publishPhp(repository) {
  const variables = { PEYK_PHP_REPOSITORY: repository };
  for (const who of ["AUTHOR", "COMMITTER"])
    Object.assign(variables, { [`GIT_${who}_NAME`]: "A Publisher", [`GIT_${who}_EMAIL`]: "publisher@example.com" });
  Object.assign(process.env, variables);
  try {
    await release({ language: "php", publishes: true }, () => {});
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name];
  }
}

test("php: a release is the content of the repository that Composer asks, under its version, once", async () => {
  const dir = mkdtempSync(join(tmpdir(), "peyk-composer-"));
  const git = (...args) => spawnSync("git", ["-C", dir, ...args], { encoding: "utf8" }).stdout.trim();
  try {
    git("init", "--quiet", "--bare");
    await publishPhp(dir);
    assert.equal(git("tag"), `v${version}`);
    assert.equal(JSON.parse(git("show", "HEAD:composer.json")).version, version);
    const files = git("ls-tree", "-r", "--name-only", `v${version}`);
    assert.match(files, /^src\/Client\.php$/m);
    assert.doesNotMatch(files, /tests/);
    await assert.rejects(publishPhp(dir), Failure);
    assert.equal(git("rev-list", "--count", "--all"), "1");
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test("php: a release without a repository to publish to says so", () =>
  assert.rejects(
    release({ language: "php", publishes: true }, () => {}),
    /PEYK_PHP_REPOSITORY names no git repository/,
  ));
