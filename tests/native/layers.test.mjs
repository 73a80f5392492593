// The order of the folders, and no circles of files: what a newcomer may rely on when reading from top to bottom.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { circles, entries, imports, orderOf, pathsOf, rustFiles, upwards } from "../support/modules.mjs";

/** The packages below the service. Cargo lets none of them name the service, because it depends on them. */
const packages = readdirSync(inRoot("crates"));
const files = rustFiles("src", ...packages.map((name) => `crates/${name}/src`));
const graph = imports(files);
/** The modules whose documentation orders what stands in them: the root with the packages, each package, and the large folders. */
const ordered = [
  ["src/lib.rs", ["src/", "crates/"]],
  ...packages.map((name) => [`crates/${name}/src/lib.rs`, [`crates/${name}/src/`]]),
  ...["account", "account/record", "api", "carrier", "directory", "objects", "webhook"].map((folder) => [
    `src/${folder}/mod.rs`,
    [`src/${folder}/`],
  ]),
];

test("no files of src/ or of a package name each other in a circle", () => {
  assert.ok(graph.size > 200 && graph.get("src/lib.rs").size === 0);
  assert.deepEqual(circles(graph), []);
});

test("what stands in a folder can be read in an order: in no folder do entries name each other in a circle", () => {
  const folders = new Set([...files.keys()].map((file) => file.slice(0, file.lastIndexOf("/") + 1)));
  assert.ok(folders.size > 20);
  const found = [...folders].flatMap((folder) =>
    circles(entries(graph, folder)).map((circle) => `${folder}: ${circle.toSorted().join(" ")}`),
  );
  assert.deepEqual(found, []);
});

test("no arrow goes from a lower folder to a higher one, or to one beside it", () => {
  for (const [file, folders] of ordered) assert.deepEqual(upwards(graph, folders, orderOf(files.get(file))), [], file);
});

test("the order names everything that it orders", () => {
  for (const [file, folders] of ordered) {
    const names = folders.flatMap((folder) => readdirSync(inRoot(folder)));
    const entries = names.map((name) => name.replace(/\.rs$/, ""));
    const named = orderOf(files.get(file)).flat();
    assert.deepEqual(named.toSorted(), entries.filter((name) => !["lib", "mod"].includes(name)).toSorted(), file);
  }
});

test("a package has nothing of the service", () => {
  const others = (file) => [...graph.get(file)].filter((named) => named.startsWith("src/"));
  for (const file of files.keys()) if (file.startsWith("crates/")) assert.deepEqual(others(file), [], file);
  for (const name of packages)
    assert.doesNotMatch(readFileSync(inRoot("crates", name, "Cargo.toml"), "utf8"), /^peyk\b/m, name);
});

/** Reads of a column by its position, behind the fourth one: there the order of the statement says nothing to a reader any more. */
const byPosition = (text) =>
  [...text.matchAll(/\.(?:int|u32|bool|text|opt_int|opt_text)\((?:[4-9]|\d\d+)\)/g)].map(([read]) => read);

test("columns behind the fourth one are read in their order, and not by position", () => {
  assert.deepEqual(byPosition("row.int(3)?; row.opt_text(4)?; row\n.u32(12)"), [".opt_text(4)", ".u32(12)"]);
  for (const [file, text] of files) assert.deepEqual(byPosition(text), [], file);
});

test("the root of src/ has at most thirteen entries", () => {
  assert.ok(readdirSync(inRoot("src")).length <= 13);
});

test("the check sees circles, also by a bare path to a child, an arrow upwards, one between neighbours and one to a package", () => {
  const house = imports(
    new Map([
      ["src/lib.rs", "pub mod a; pub mod b;"],
      ["src/a.rs", 'use crate::b::{self, c::{D, E as F}};\nfn f() { "crate::b"; }'],
      ["src/b/mod.rs", "mod c;\nuse c::D;"],
      ["src/b/c.rs", "// use crate::a;\nfn g() -> super::super::a::G { b::h() }"],
      ["src/d/mod.rs", "mod e;\nfn h() { e::i(); Vec::new(); self.e::<u8>(); other::e::j() }"],
      ["src/d/e.rs", "use super::K;\nuse low::f::L;"],
      ["crates/low/src/lib.rs", "pub mod f;\npub mod g;"],
      ["crates/low/src/f.rs", "use crate::g::M;\nfn n() { crate::a(); peyk::a::o() }"],
      ["crates/low/src/g.rs", ""],
    ]),
  );
  assert.deepEqual([...house.get("src/a.rs")], ["src/b/mod.rs", "src/b/c.rs"]);
  assert.deepEqual([...house.get("src/b/mod.rs")], ["src/b/c.rs"]);
  assert.deepEqual([...house.get("src/b/c.rs")], ["src/a.rs"]);
  assert.deepEqual([...house.get("src/d/mod.rs")], ["src/d/e.rs"], "a child that is named without `self`");
  assert.deepEqual([...house.get("src/d/e.rs")], ["src/d/mod.rs", "crates/low/src/f.rs"]);
  assert.deepEqual([...house.get("crates/low/src/f.rs")], ["crates/low/src/g.rs", "src/a.rs"]);
  assert.deepEqual(circles(house), [
    ["src/b/mod.rs", "src/b/c.rs", "src/a.rs"],
    ["src/d/e.rs", "src/d/mod.rs"],
  ]);
  assert.deepEqual(circles(entries(house, "src/")), [["b", "a"]]);
  assert.deepEqual(upwards(house, ["src/"], [["a"], ["b"]]), [["src/b/c.rs", "src/a.rs"]]);
  assert.equal(upwards(house, ["src/"], [["a", "b"]]).length, 3);
  assert.deepEqual(upwards(house, ["src/", "crates/"], [["a"], ["d"], ["low"]]), [["crates/low/src/f.rs", "src/a.rs"]]);
  assert.deepEqual(orderOf("//! - [`x`], `y`: Words.\n//! - `z`: More.\n"), [["x", "y"], ["z"]]);
  assert.deepEqual(pathsOf("a::{b, c::{self, d}}"), ["a::b", "a::c", "a::c::d"]);
});
