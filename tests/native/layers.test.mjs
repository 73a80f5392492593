// The order of the folders, and no circles of files: what a newcomer may rely on when reading from top to bottom.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { circles, entries, imports, orderOf, pathsOf, rustFiles, upwards } from "../support/modules.mjs";

const files = rustFiles(inRoot("src"));
const graph = imports(files);
/** The modules whose documentation orders what stands in them: the root, and the large folders. */
const ordered = [
  ["lib.rs", ""],
  ...["account", "account/record", "api", "carrier", "directory", "objects", "webhook"].map((folder) => [
    `${folder}/mod.rs`,
    `${folder}/`,
  ]),
];

test("no files of src/ name each other in a circle", () => {
  assert.ok(graph.size > 200 && graph.get("lib.rs").size === 0);
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
  for (const [file, folder] of ordered) assert.deepEqual(upwards(graph, folder, orderOf(files.get(file))), [], file);
});

test("the order names everything that it orders", () => {
  for (const [file, folder] of ordered) {
    const entries = readdirSync(inRoot("src", folder)).map((name) => name.replace(/\.rs$/, ""));
    const named = orderOf(files.get(file)).flat();
    assert.deepEqual(named.toSorted(), entries.filter((name) => !["lib", "mod"].includes(name)).toSorted(), file);
  }
});

/** Reads of a column by its position, behind the fourth one: there the order of the statement says nothing to a reader any more. */
const byPosition = (text) =>
  [...text.matchAll(/\.(?:int|u32|bool|text|opt_int|opt_text)\((?:[4-9]|\d\d+)\)/g)].map(([read]) => read);

test("columns behind the fourth one are read in their order, and not by position", () => {
  assert.deepEqual(byPosition("row.int(3)?; row.opt_text(4)?; row\n.u32(12)"), [".opt_text(4)", ".u32(12)"]);
  for (const [file, text] of files) assert.deepEqual(byPosition(text), [], file);
});

test("the root of src/ has at most twelve entries", () => {
  assert.ok(readdirSync(inRoot("src")).length <= 12);
});

test("the check sees circles, also by a bare path to a child, an arrow upwards and one between neighbours", () => {
  const house = imports(
    new Map([
      ["lib.rs", "pub mod a; pub mod b;"],
      ["a.rs", 'use crate::b::{self, c::{D, E as F}};\nfn f() { "crate::b"; }'],
      ["b/mod.rs", "mod c;\nuse c::D;"],
      ["b/c.rs", "// use crate::a;\nfn g() -> super::super::a::G { b::h() }"],
      ["d/mod.rs", "mod e;\nfn h() { e::i(); Vec::new(); self.e::<u8>(); other::e::j() }"],
      ["d/e.rs", "use super::K;"],
    ]),
  );
  assert.deepEqual([...house.get("a.rs")], ["b/mod.rs", "b/c.rs"]);
  assert.deepEqual([...house.get("b/mod.rs")], ["b/c.rs"]);
  assert.deepEqual([...house.get("b/c.rs")], ["a.rs"]);
  assert.deepEqual([...house.get("d/mod.rs")], ["d/e.rs"], "a child that is named without `self`");
  assert.deepEqual(circles(house), [
    ["b/mod.rs", "b/c.rs", "a.rs"],
    ["d/e.rs", "d/mod.rs"],
  ]);
  assert.deepEqual(circles(entries(house, "")), [["b", "a"]]);
  assert.deepEqual(upwards(house, "", [["a"], ["b"]]), [["b/c.rs", "a.rs"]]);
  assert.equal(upwards(house, "", [["a", "b"]]).length, 3);
  assert.deepEqual(orderOf("//! - [`x`], `y`: Words.\n//! - `z`: More.\n"), [["x", "y"], ["z"]]);
  assert.deepEqual(pathsOf("a::{b, c::{self, d}}"), ["a::b", "a::c", "a::c::d"]);
});
