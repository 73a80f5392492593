// The modules of the service and of the packages below it, and which of them name which: read from the `use` lines and from paths
// such as `crate::base::time`.
import { readFileSync } from "node:fs";
import { filesUnder, inRoot } from "../../scripts/lib/base/paths.mjs";

/** The Rust files of folders: their paths, and their texts. */
export const rustFiles = (...folders) =>
  new Map(
    folders
      .flatMap((folder) => filesUnder(folder))
      .filter((name) => name.endsWith(".rs"))
      .map((name) => [name, readFileSync(inRoot(name), "utf8")]),
  );

/** The package of a file: `sms` of what stands in `crates/sms/src/`, and `peyk` of what stands in `src/`. */
const packageOf = (file) => /^crates\/(\w+)\//.exec(file)?.[1] ?? "peyk";

/** The path of a file's module, the package first: `src/account/chunk/mod.rs` is `["peyk", "account", "chunk"]`. */
const moduleOf = (file) => [
  packageOf(file),
  ...file
    .replace(/^(?:crates\/\w+\/)?src\//, "")
    .replace(/\.rs$/, "")
    .replace(/(^|\/)(mod|lib)$/, "")
    .split("/")
    .filter(Boolean),
];

/** The code of a file without its unit tests, comments and strings. */
function code(text) {
  const [ours] = text.split("#[cfg(test)]\nmod ");
  return ours
    .replace(/\/\/.*/g, "")
    .replace(/pub\(in [\w:]+\)/g, "pub")
    .replace(/r#"[\s\S]*?"#/g, '""')
    .replace(/"(?:[^"\\]|\\[\s\S])*"/g, '""');
}

/** The paths in a tree of a `use` line: `a::{b, c::{self, d}}` has `a::b`, `a::c` and `a::c::d`. */
export function pathsOf(tree) {
  const open = tree.indexOf("{");
  if (open < 0)
    return [
      tree
        .trim()
        .replace(/\s+as\s+\w+$/, "")
        .replace(/(::)?self$/, (all, colons) => (colons ? "" : all)),
    ];
  const before = tree.slice(0, open).trim();
  return branches(tree.slice(open + 1, tree.lastIndexOf("}"))).flatMap((branch) =>
    pathsOf(branch).map((path) => (path === "self" ? before.replace(/::$/, "") : before + path)),
  );
}

/** Splits a list at the commas that stand in no braces. */
function branches(list) {
  const found = [""];
  let depth = 0;
  for (const letter of list) {
    depth += { "{": 1, "}": -1 }[letter] ?? 0;
    if (letter === "," && depth === 0) found.push("");
    else found[found.length - 1] += letter;
  }
  return found.map((branch) => branch.trim()).filter(Boolean);
}

/** The full path of what a module names by `path`, the package first. */
function fullPath(path, module, isModule) {
  const steps = path.split("::");
  if (steps[0] === "crate") return [module[0], ...steps.slice(1)];
  if (steps[0] === "self") return [...module, ...steps.slice(1)];
  const ups = steps.findIndex((step) => step !== "super");
  if (ups > 0) return [...module.slice(0, module.length - ups), ...steps.slice(ups)];
  return isModule([...module, steps[0]]) ? [...module, ...steps] : steps;
}

/** Which files name which: for each file, the set of those that its code names. The root of a package counts as nobody's. */
export function imports(files) {
  const fileOf = new Map([...files.keys()].map((file) => [moduleOf(file).join("::"), file]));
  const isModule = (steps) => fileOf.has(steps.join("::"));
  return new Map([...files].map(([file, text]) => [file, namedBy(file, code(text), fileOf, isModule)]));
}

function namedBy(file, text, fileOf, isModule) {
  const paths = [];
  const rest = text.replace(/\buse\s+([\w:]+(?:\{[^;]*\})?[^;{]*);/g, (_, tree) => {
    paths.push(...pathsOf(tree));
    return "";
  });
  paths.push(...[...rest.matchAll(/(?<![\w:$.])[a-z_]\w*(?:::\w+)+/g)].map(([path]) => path));
  const named = new Set();
  for (const path of paths) {
    let steps = fullPath(path, moduleOf(file), isModule);
    while (steps.length > 1 && !isModule(steps)) steps = steps.slice(0, -1);
    if (steps.length > 1) named.add(fileOf.get(steps.join("::")));
  }
  named.delete(file);
  return named;
}

/** What a file stands in, or is, among all that stands in folders: its file or folder there. */
const entryIn = (folders) => (file) => {
  const folder = folders.find((one) => file.startsWith(one));
  return folder === undefined ? "" : file.slice(folder.length).split("/")[0].replace(/\.rs$/, "");
};

/** The graph of what stands in a folder, files and folders: which one has a file that names one of another. */
export function entries(graph, folder) {
  const entryOf = entryIn([folder]);
  const found = new Map();
  for (const [from, targets] of graph) {
    const entry = entryOf(from);
    if (["", "mod", "lib"].includes(entry)) continue;
    const others = [...targets].map(entryOf).filter((other) => !["", "mod", "lib", entry].includes(other));
    found.set(entry, new Set([...(found.get(entry) ?? []), ...others]));
  }
  return found;
}

/** The circles of a graph: the sets of files of which each reaches each. */
export function circles(graph) {
  const reach = new Map([...graph.keys()].map((file) => [file, reached(graph, file)]));
  const found = [];
  for (const file of graph.keys()) {
    if (!reach.get(file).has(file) || found.some((circle) => circle.includes(file))) continue;
    found.push([...reach.get(file)].filter((other) => reach.get(other).has(file)));
  }
  return found;
}

function reached(graph, from) {
  const found = new Set();
  const open = [from];
  while (open.length > 0) {
    for (const next of graph.get(open.pop()) ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      open.push(next);
    }
  }
  return found;
}

/**
 * The order that a module's documentation writes down, from the highest to the lowest: its list of `- [name]: …`. Names on one
 * line stand side by side.
 */
export const orderOf = (text) =>
  [...text.matchAll(/^\/\/! - ((?:\[?`\w+`\]?(?:, )?)+):/gm)].map(([, names]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );

/** The arrows that break an order among what stands in `folders`: `[from, to]`, upwards or between neighbours. */
export function upwards(graph, folders, order) {
  const level = new Map(order.flatMap((names, at) => names.map((name) => [name, at])));
  const entry = entryIn(folders);
  const broken = [];
  for (const [from, targets] of graph) {
    for (const to of targets) {
      const [above, below] = [entry(from), entry(to)];
      if (above === below || !level.has(above) || !level.has(below)) continue;
      if (level.get(above) >= level.get(below)) broken.push([from, to]);
    }
  }
  return broken;
}
