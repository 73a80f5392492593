// The zip file for programs without Composer. Composer takes the library from the root of a repository of its own.
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../base/command.mjs";
import { output } from "./output.mjs";

const pack = `
  [, $zip, $source] = $argv;
  $archive = new PharData($zip);
  foreach (array_slice($argv, 3) as $file) $archive->addFile("$source/$file", "peyk/$file");`;
const unpack = "(new PharData($argv[1]))->extractTo('.');";
const load = `
  require 'peyk/autoload.php';
  foreach (glob('peyk/src/*.php') as $file)
      class_exists('Peyk\\\\' . basename($file, '.php')) || exit(1);
  echo Peyk\\Client::VERSION;`;

const filesIn = (dir) =>
  readdirSync(dir, { recursive: true })
    .filter((name) => statSync(join(dir, name)).isFile())
    .sort();

export const php = {
  build(source, into, version) {
    const file = join(into, `peyk-php-${version}.zip`);
    output(source, "php", ["-r", pack, "--", file, source, ...filesIn(source)]);
    return [file];
  },
  versionIn(dir, [file]) {
    output(dir, "php", ["-r", unpack, "--", file]);
    return output(dir, "php", ["-r", load]);
  },
  next: ([file]) => [
    `give ${file} to those who have no Composer`,
    "to publish it for Composer, name a git repository that Packagist knows, and to which you may push:",
    "PEYK_PHP_REPOSITORY=… npm run release -- php --publish",
  ],
  publish([file], version) {
    const repository = process.env.PEYK_PHP_REPOSITORY;
    if (!repository) throw new Failure("PEYK_PHP_REPOSITORY names no git repository to publish to");
    const dir = mkdtempSync(join(tmpdir(), "peyk-publish-"));
    try {
      push(dir, file, repository, version);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  },
};

/** Makes the package the content of a repository, with a tag. Git refuses a version that is there already. */
function push(dir, file, repository, version) {
  const clone = join(dir, "clone");
  const tag = `v${version}`;
  // The publisher's own environment says who publishes.
  const git = (...args) => output(dir, "git", args, process.env);
  git("clone", "--quiet", "--depth", "1", repository, clone);
  git("-C", clone, "rm", "--quiet", "-r", "--ignore-unmatch", ".");
  output(dir, "php", ["-r", unpack, "--", file]);
  cpSync(join(dir, "peyk"), clone, { recursive: true });
  git("-C", clone, "add", "--all");
  git("-C", clone, "commit", "--quiet", "--allow-empty", "--message", `Version ${version}`);
  git("-C", clone, "tag", tag);
  git("-C", clone, "push", "--quiet", "--atomic", "origin", "HEAD", tag);
}
