// The commands that work on a service say what they are for, and take no word that they do not know.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { environment } from "../../scripts/lib/base/command.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";

/** Runs a command where nothing can be installed, made or asked: a program that is not there is an error. */
function said(command, ...args) {
  const options = { cwd: inRoot(), encoding: "utf8", env: environment({ PATH: "/nowhere" }) };
  return spawnSync(process.execPath, [inRoot("scripts", `${command}.mjs`), ...args], options);
}

const options = {
  deploy: ["--dry-run", "--secret-file", "--key-file"],
  rotate: ["--secret-file", "--data", "--url", "--finish", "--now", "--lost", "--yes"],
  "operator-key": ["--data", "--key-file"],
  "carrier-demo": [],
  export: ["--from", "--to", "--dry-run", "--thaw"],
  import: ["--from", "--to", "--go", "--thaw"],
  serve: ["--data", "--port", "--host", "--key-file", "--demo", "--no-copy"],
  backup: ["--data", "--to"],
  restore: ["--from", "--data"],
  package: ["--arch"],
};

for (const [command, names] of Object.entries(options))
  test(`${command}: --help prints each option and does nothing, and a strange word is refused`, () => {
    const help = said(command, "--help");
    assert.equal(help.status, 0, help.stderr);
    assert.ok(help.stdout.startsWith(`npm run ${command}`), help.stdout);
    for (const name of [...names, "--help"]) assert.match(help.stdout, new RegExp(`^  ${name} `, "m"));
    for (const words of [["--strange"], ["production", "staging"]]) {
      const refused = said(command, ...words);
      assert.equal(refused.status, 1, refused.stdout);
      const told = new RegExp(`peyk: .*(${words.at(-1)}|production).*\n.*\`npm run ${command} -- --help\``);
      assert.match(refused.stderr, told);
    }
  });

test("peyk: --help names each command of a package, --version tells it, and a strange command is refused", () => {
  const help = said("peyk", "--help");
  assert.equal(help.status, 0, help.stderr);
  const commands = ["serve", "backup", "restore", "operator-key", "rotate", "export", "import"];
  for (const name of [...commands, "--version", "--help"]) assert.match(help.stdout, new RegExp(`^  ${name} `, "m"));
  for (const name of commands) assert.match(said("peyk", name, "--help").stdout, new RegExp(`^npm run ${name} `));
  const { version } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
  assert.equal(said("peyk", "--version").stdout, `${version}\n`);
  for (const [words, told] of [
    [[], /name a command/],
    [["deploy"], /there is no command "deploy"/],
    [["constructor"], /there is no command "constructor"/],
  ]) {
    const refused = said("peyk", ...words);
    assert.equal(refused.status, 1, refused.stdout);
    assert.match(refused.stderr, told);
    assert.match(refused.stderr, /`peyk --help`/);
  }
});
