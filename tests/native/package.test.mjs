// What of the package for a machine of one's own needs no build: its archive, its runtime, the versions that it names, its unit.
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, mock, test } from "node:test";
import { Failure } from "../../scripts/lib/base/command.mjs";
import { ensureNode } from "../../scripts/lib/base/packed.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { folderOf, imported } from "../../scripts/lib/package/imports.mjs";
import { notices } from "../../scripts/lib/package/notices.mjs";
import { writeTar } from "../../scripts/lib/package/tar.mjs";
import { architectures, ensureIntact } from "../../scripts/lib/package/workerd.mjs";

const dir = mkdtempSync(join(tmpdir(), "peyk-package-"));
after(() => rmSync(dir, { recursive: true, force: true }));
const text = (...parts) => readFileSync(inRoot(...parts), "utf8");

/** The archive of two files, made at this time. The first file was written at the same time, and with this mode. */
async function archive(name, seconds, mode) {
  const file = join(dir, "file");
  writeFileSync(file, "one");
  chmodSync(file, mode);
  utimesSync(file, seconds, seconds);
  mock.timers.enable({ apis: ["Date"], now: seconds * 1_000 });
  const to = join(dir, name);
  const files = [
    { path: "a/b/c", mode: 0o755, size: statSync(file).size, file },
    { path: "d", mode: 0o644, size: 3, bytes: Buffer.from("two") },
  ];
  await writeTar(to, "peyk", files);
  mock.timers.reset();
  return readFileSync(to);
}

test("an archive says nothing of when and how its files were written", async () => {
  const [first, second] = [await archive("1", 1_000, 0o600), await archive("2", 2_000_000_000, 0o644)];
  assert.ok(first.length > 50);
  assert.deepEqual(first, second);
});

test("a package refuses a Node.js that can't make a backup", () => {
  for (const version of ["18.20.0", "20.20.2", "22.15.1", "23.7.0"])
    assert.throws(
      () => ensureNode(version),
      (error) => error instanceof Failure && error.message.includes(`is ${version}.`),
    );
  for (const version of ["22.16.0", text("package.json").match(/"node": "(\d.+)"/)[1], "23.8.0", "24.0.0", "26.1.0"])
    ensureNode(version);
});

test("the runtime for each kind of processor is pinned by the lock file, and another file is refused", () => {
  const { packages } = JSON.parse(text("package-lock.json"));
  const named = { x64: "@cloudflare/workerd-linux-64", arm64: "@cloudflare/workerd-linux-arm64" };
  assert.deepEqual(architectures, Object.keys(named));
  for (const name of Object.values(named)) {
    const { version, integrity } = packages[`node_modules/${name}`];
    assert.equal(version, packages["node_modules/workerd"].version);
    const file = join(dir, "workerd.tgz");
    writeFileSync(file, "not that");
    assert.throws(() => ensureIntact(file, integrity), /is not the package of package-lock\.json/);
  }
});

test("the licences name all that stands in the package, in its pages and in its WebAssembly, and the bill as much", async () => {
  const folders = [...new Set((await imported()).map(folderOf).filter(Boolean))];
  const { "LICENCES.txt": licences, "sbom.cdx.json": bill } = notices(folders.map((folder) => inRoot(folder)));
  const refs = JSON.parse(bill).components.map((component) => component["bom-ref"].replace("pkg:cargo/", ""));
  for (const name of [
    "miniflare",
    "undici",
    "croner",
    "react-dom",
    "minisearch",
    "@fontsource-variable/vazirmatn",
    "serde_json",
  ]) {
    assert.match(licences, new RegExp(`^${name}@\\S+ \\(`, "m"));
    assert.ok(
      refs.some((ref) => ref.startsWith(`${name}@`)),
      name,
    );
  }
  for (const name of ["wrangler", "sharp", "vite", "typescript", "proptest"])
    assert.ok(!refs.some((ref) => ref.startsWith(`${name}@`)), name);
  // These bring no text of their own, and their licence is named.
  const [, without] = /={80}\n\n((?:\S+ \(.+\)\n)+)\nThese bring no text/.exec(licences);
  assert.ok(without.split("\n").length < 10, without);
  assert.match(licences, /Permission is hereby granted, free of charge/);
});

test("the container runs in the Node.js that the tests run in", () => {
  const images = [...text("packaging", "Dockerfile").matchAll(/^FROM node:([\d.]+)-\w+-slim/gm)].map(
    ([, version]) => version,
  );
  const { node } = JSON.parse(text("package.json")).dependencies;
  assert.deepEqual(images, [node, node]);
});

test("the page shows the unit as it is", () => {
  const shown = /^```ini\n([\s\S]*?)^```$/m.exec(text("docs", "self-hosting.md"))[1];
  assert.equal(shown, text("packaging", "peyk.service"));
});
