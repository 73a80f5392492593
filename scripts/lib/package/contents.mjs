// What a package has: what its commands import, what they read and run, what was built, and what people read.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { marker } from "../base/packed.mjs";
import { filesUnder, inRoot, root } from "../base/paths.mjs";
import { peykVersion } from "../base/version.mjs";
import { outputs } from "../build/wasm.mjs";
import { configured, keptConfiguration } from "../runtime/runtime.mjs";
import { folderOf, imported } from "./imports.mjs";
import { notices } from "./notices.mjs";
import { workerdFor } from "./workerd.mjs";

/** What the commands read and run beside what they import. */
const read = ["scripts/lib/serve", "migrations", "docs", "wrangler.toml", "package-lock.json", "build/site"];
/** What people read and install. */
const papers = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "packaging/Dockerfile", "packaging/peyk.service"];

/** What nobody runs: types, maps, and what is written about a package, but for its licence. */
const isIdle = (path) => /\.(?:map|[cm]?ts|md)$/.test(path) && !/\/licen[cs]e[^/]*$/i.test(path);
/** Of `workerd`, the program stands in the package for the kind of processor, and the rest is for installing it. */
const isOfWorkerd = (path) =>
  !path.startsWith("node_modules/workerd/") || /\/(?:lib\/main\.js|package\.json)$/.test(path);

/**
 * The files of a package for a kind of processor: `{name, files}`. `name` is that of the package, and each file
 * `{path, mode, size, file}`, or with `bytes` in place of the `file` from which it is read. They are sorted by their paths.
 */
export async function contents(arch) {
  const version = peykVersion();
  const inputs = await imported();
  const folders = [...new Set(inputs.map(folderOf).filter(Boolean))];
  const workerd = await workerdFor(arch);
  const own = inputs.filter((path) => !folderOf(path));
  const built = outputs.map((name) => `build/${name}`);
  const files = [
    ...[...new Set([...own, ...read.flatMap(filesUnder), ...papers, ...built])].map((path) => copied(path)),
    ...folders.flatMap(filesOf).map((path) => copied(path)),
    ...["package.json", "bin/workerd"].map((name) =>
      copied(`node_modules/${workerd.name}/${name}`, join(workerd.dir, name)),
    ),
    copied("bin/peyk", inRoot("packaging", "peyk")),
    text("package.json", json({ name: "peyk", version, type: "module", license: "MIT OR Apache-2.0" })),
    text(marker, json({ version, platform: `linux-${arch}`, build: stamp("inputs"), site: stamp("site") })),
    text(keptConfiguration(inRoot("wrangler.toml")).slice(root.length), await configuration()),
    ...Object.entries(notices([...folders.map((folder) => inRoot(folder)), workerd.dir])).map(([path, value]) =>
      text(path, value),
    ),
  ];
  return { name: `peyk-${version}-linux-${arch}`, files: files.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

function copied(path, file = inRoot(path)) {
  const { mode, size } = statSync(file);
  return { path, mode: mode & 0o100 ? 0o755 : 0o644, size, file };
}

function text(path, value) {
  const bytes = Buffer.from(value);
  return { path, mode: 0o644, size: bytes.length, bytes };
}

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** The files of an npm package that are needed. One that stands in its folder is another package. */
const filesOf = (folder) =>
  filesUnder(folder).filter(
    (path) => !path.slice(folder.length).includes("/node_modules/") && !isIdle(path) && isOfWorkerd(path),
  );

const stamp = (name) => readFileSync(inRoot("build", `${name}.sha256`), "utf8");

/** What wrangler.toml says, as a package has it, which has no wrangler: without the place in which it was read. */
async function configuration() {
  const { main, workerOptions } = await configured(inRoot("wrangler.toml"));
  return JSON.stringify({ main, workerOptions }).replaceAll(workerOptions.rootPath, ".");
}
