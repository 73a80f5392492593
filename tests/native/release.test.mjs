// Releases of the client libraries: what their packages have, and what the command says.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
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
    assert.match(said.at(-1), /^(npm publish |python3 -m twine upload |git push )/);
  });

test("the command takes one library that is there", () => {
  assert.deepEqual(chosen(["--publish", "php"]), { language: "php", publishes: true });
  assert.deepEqual(chosen(["php"]), { language: "php", publishes: false });
  for (const args of [[], ["ruby"], ["php", "python"], ["--publish"], ["php", "--dry-run"]])
    assert.throws(() => chosen(args), Failure);
});

test("a PHP library is not uploaded anywhere", async () => {
  await assert.rejects(
    release({ language: "php", publishes: true }, () => {}),
    /no registry to upload/,
  );
});
