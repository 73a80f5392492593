// The zip file for programs without Composer. Composer takes the library from a repository.
import { readdirSync, statSync } from "node:fs";
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
  next: ([file], version) => [
    `give ${file} to those who have no Composer`,
    "Composer takes a library from the root of a repository. To publish it, push the folder to one that Packagist knows:",
    `git push REPOSITORY "$(git subtree split --prefix=clients/php):refs/tags/v${version}"`,
  ],
  publish() {
    throw new Failure(
      "there is no registry to upload a PHP library to: run the command without --publish for what to do",
    );
  },
};
