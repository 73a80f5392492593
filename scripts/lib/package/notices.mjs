// What the package has of others: their licences, and the bill of materials. It names too much rather than too little.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure, outputOf } from "../base/command.mjs";
import { filesUnder, inRoot } from "../base/paths.mjs";
import { sbom } from "../supply/sbom.mjs";

/** The two files, as texts by their paths: for npm packages that stand in these folders, and for what the build has of others. */
export function notices(folders) {
  const packages = [...new Set([...folders, ...foldersOfPages()])].map(npmComponent);
  const components = [...packages, ...crateComponents()].toSorted((a, b) => compare(a.id, b.id));
  return { "LICENCES.txt": textOf(components), "sbom.cdx.json": bill(new Set(components.map(({ id }) => id))) };
}

const compare = (a, b) => (a < b ? -1 : Number(a > b));

/** The npm packages that the console and the documentation name in their sources, with all that these depend on. */
function foldersOfPages() {
  const { packages } = JSON.parse(readFileSync(inRoot("package-lock.json"), "utf8"));
  const found = new Set();
  const add = (name, from) => {
    const folder = nearest(packages, name, from);
    if (!folder || found.has(folder)) return;
    found.add(folder);
    for (const other of Object.keys(packages[folder].dependencies ?? {})) add(other, folder);
  };
  for (const name of namesInPages()) add(name, "");
  return [...found].map((folder) => inRoot(folder));
}

/** Where npm has put the package that a file in `from` finds by this name. */
function nearest(packages, name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const place = `${folder ? `${folder}/` : ""}node_modules/${name}`;
    if (packages[place]) return place;
    if (!folder) return undefined;
  }
}

/** The site names its packages by their folders. */
function namesInPages() {
  const texts = [...filesUnder("console/src"), ...filesUnder("site/lib")]
    .filter((path) => /\.(?:[cm]?[jt]sx?|css)$/.test(path))
    .map((path) => readFileSync(inRoot(path), "utf8"));
  const names = texts.flatMap((text) => [
    ...[...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["']((?:@[\w.-]+\/)?[\w.-]+)(?=["'/])/g)].map(([, name]) => name),
    ...[...text.matchAll(/node_modules\/((?:@[\w.-]+\/)?[\w.-]+)/g)].map(([, name]) => name),
  ]);
  return [...new Set(names)];
}

function npmComponent(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return { id: `${name}@${version}`, licence: license, texts: textsIn(folder) };
}

/** The crates that the WebAssembly may have something of: those that the crates of this tree need for its target, but not for tests. */
function crateComponents() {
  const target = ["--filter-platform", "wasm32-unknown-unknown"];
  const told = outputOf("cargo", ["metadata", "--format-version", "1", "--locked", ...target]);
  if (told === null) throw new Failure("cargo can't read the crates; `cargo fetch --locked` says why");
  const { packages, resolve } = JSON.parse(told);
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const found = new Set();
  const add = (id) => {
    if (found.has(id)) return;
    found.add(id);
    for (const { pkg, dep_kinds } of nodes.get(id).deps) if (dep_kinds.some(({ kind }) => kind === null)) add(pkg);
  };
  const isServed = ({ name, source }) => source === null && ["peyk", "peyk-counting"].includes(name);
  for (const { id } of packages.filter(isServed)) add(id);
  return packages
    .filter(({ id, source }) => source !== null && found.has(id))
    .map(({ name, version, license, manifest_path }) => ({
      id: `pkg:cargo/${name}@${version}`,
      licence: license,
      texts: textsIn(dirname(manifest_path)),
    }));
}

const textsIn = (dir) =>
  readdirSync(dir)
    .filter((name) => /^(?:licen[cs]e|copying|notice|unlicense)(?:[.-]|$)/i.test(name))
    .sort()
    .map((name) => readFileSync(join(dir, name), "utf8").trim());

/** A text stands once, below the names of all that bring it. */
function textOf(components) {
  const byText = Map.groupBy(
    components.flatMap(({ texts, ...component }) =>
      (texts.length > 0 ? texts : [""]).map((text) => ({ text, component })),
    ),
    ({ text }) => text,
  );
  const parts = [...byText].map(([text, uses]) => {
    const names = uses.map(({ component: { id, licence } }) => `${id.replace("pkg:cargo/", "")} (${licence})`);
    return `${names.join("\n")}\n\n${text || "These bring no text of their licence."}`;
  });
  return `${[head, ...parts].join(`\n\n${"=".repeat(80)}\n\n`)}\n`;
}

const head = `What this package has of others, and under which licences. Peyk's own are in LICENSE-MIT and LICENSE-APACHE.
The program workerd (Apache-2.0) has parts of others in it, among them V8 and BoringSSL: its sources name them.`;

/** The bill without what is not in the package, and without what is other each time. */
function bill(ids) {
  const { serialNumber, ...document } = sbom();
  delete document.metadata.timestamp;
  const own = document.metadata.component["bom-ref"];
  const isIn = (ref) => ref === own || ids.has(ref);
  document.components = document.components.filter((component) => ids.has(component["bom-ref"]));
  document.dependencies = document.dependencies
    .filter(({ ref }) => isIn(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isIn) }));
  return `${JSON.stringify(document, null, 2)}\n`;
}
