// Releases of the client libraries: building a package, trying it, and publishing it.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure, say } from "../base/command.mjs";
import { inRoot } from "../base/paths.mjs";
import { php } from "./php.mjs";
import { python } from "./python.mjs";
import { typescript } from "./typescript.mjs";

/**
 * How each language does it. `build(source, into)` makes the packages of a folder and returns their paths; `versionIn(dir,
 * packages)` installs them in an empty folder, without a registry, and returns the version that a program reads there;
 * `next(packages)` are the lines that say how to publish; `publish(packages, version)` does it.
 */
const libraries = { typescript, python, php };

/** What the words of the command ask for: `{language, publishes}`. */
export function chosen(args) {
  const [language, ...more] = args.filter((arg) => arg !== "--publish");
  if (!libraries[language] || more.length > 0)
    throw new Failure(`name one library: ${Object.keys(libraries).join(", ")}; and --publish to publish it`);
  return { language, publishes: args.includes("--publish") };
}

/** Builds a library's packages, tries them, and publishes them if that is asked for. Returns their paths. */
export async function release({ language, publishes }, print = say) {
  const library = libraries[language];
  const { version } = JSON.parse(readFileSync(inRoot("clients", "typescript", "package.json"), "utf8"));
  const into = inRoot("build", "release", language);
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  const packages = await inEmptyFolder((source) => {
    copySource(language, source);
    return library.build(source, into, version);
  });
  const found = await inEmptyFolder((dir) => library.versionIn(dir, packages));
  if (found !== version) throw new Failure(`the package says that it is ${found}, and not ${version}`);
  for (const path of packages) print(`${path} works, as version ${version}`);
  if (publishes) await library.publish(packages, version);
  else for (const line of library.next(packages, version)) print(line);
  return packages;
}

/** The sources of a library without its tests, and the licences. */
function copySource(language, dir) {
  const isForUsers = (path) => !/[/\\](tests|build|__pycache__|\.gitignore|[^/\\]+\.egg-info)$/.test(path);
  cpSync(inRoot("clients", language), dir, { recursive: true, filter: isForUsers });
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) cpSync(inRoot(name), join(dir, name));
}

async function inEmptyFolder(work) {
  const dir = mkdtempSync(join(tmpdir(), "peyk-release-"));
  try {
    return await work(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
