// What Peyk is made of, by its lock files, and without the network: the crates and the npm packages, with licences and sources.
import { readFileSync } from "node:fs";
import { Failure, outputOf } from "../base/command.mjs";
import { inRoot } from "../base/paths.mjs";

/** The licences that a package may have. Of several that it offers with OR, one is enough. */
export const allowed = new Set([
  "0BSD",
  "Apache-2.0",
  "Apache-2.0 WITH LLVM-exception",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BSL-1.0",
  "CC-BY-4.0",
  "CC0-1.0",
  "ISC",
  "LGPL-3.0-or-later",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
  "Python-2.0",
  "Unicode-3.0",
  "Unlicense",
  "Zlib",
]);

const crates = "registry+https://github.com/rust-lang/crates.io-index";

/**
 * The crates of a lock file: `{name, version, licence, source, checksum, dependsOn}`. `dependsOn` are names with versions. Cargo
 * brings those of other platforms, which no build on this machine has needed.
 */
export function cratesOf(manifest) {
  const args = ["metadata", "--format-version", "1", "--locked", "--manifest-path", inRoot(manifest)];
  const output = outputOf("cargo", args);
  if (output === null)
    throw new Failure(`cargo can't read the crates of ${manifest}; \`cargo fetch --locked\` says why`);
  const { packages, resolve } = JSON.parse(output);
  const checksums = checksumsOf(manifest.replace(/toml$/, "lock"));
  const names = new Map(packages.map(({ id, name, version }) => [id, `${name}@${version}`]));
  const edges = new Map(resolve.nodes.map(({ id, dependencies }) => [id, dependencies.map((on) => names.get(on))]));
  return packages.map(({ id, name, version, license, source }) => ({
    name,
    version,
    licence: license?.replaceAll("/", " OR ") ?? null,
    source,
    checksum: checksums.get(`${name}@${version}`) ?? null,
    dependsOn: edges.get(id) ?? [],
  }));
}

function checksumsOf(lock) {
  const entry = /^name = "(.+)"\nversion = "(.+)"\nsource = ".+"\nchecksum = "(.+)"$/gm;
  const found = [...readFileSync(inRoot(lock), "utf8").matchAll(entry)];
  return new Map(found.map(([, name, version, checksum]) => [`${name}@${version}`, checksum]));
}

/** The npm packages of the lock file in a folder: `{name, version, licence, resolved, integrity}`. */
export function npmPackages(...folder) {
  const { packages } = JSON.parse(readFileSync(inRoot(...folder, "package-lock.json"), "utf8"));
  return Object.entries(packages)
    .filter(([path]) => path !== "")
    .map(([path, { version, license, resolved, integrity }]) => ({
      name: path.split("node_modules/").at(-1),
      version,
      licence: license ?? null,
      resolved,
      integrity,
    }));
}

/** Whether an expression of licences lets Peyk use a package. */
export function isAllowed(expression) {
  const plain = (expression ?? "").replaceAll(/[()]/g, " ");
  const alternatives = plain.split(/ OR /).map((part) => part.split(/ AND /).map((licence) => licence.trim()));
  return alternatives.some((licences) => licences.every((licence) => allowed.has(licence)));
}

/** What is wrong with the crates: a licence, or a source that is not the public registry. */
export function faultsOfCrates(list) {
  return list
    .filter(({ source }) => source !== null)
    .flatMap(({ name, version, licence, source, checksum }) => [
      ...(isAllowed(licence) ? [] : [`${name} ${version}: the licence ${licence}`]),
      ...(source === crates ? [] : [`${name} ${version}: the source ${source}`]),
      ...(checksum ? [] : [`${name} ${version}: no checksum`]),
    ]);
}

/** As `faultsOfCrates`. A package without `resolved` comes from the registry that npm is set to. */
export function faultsOfNpm(list) {
  return list.flatMap(({ name, version, licence, resolved, integrity }) => [
    ...(isAllowed(licence) ? [] : [`${name} ${version}: the licence ${licence}`]),
    ...(resolved === undefined ? [] : [`${name} ${version}: the source ${resolved}`]),
    ...(integrity ? [] : [`${name} ${version}: no checksum`]),
  ]);
}
