import assert from "node:assert/strict";
import { test } from "node:test";
import { maxGzippedKilobytes, wasmKilobytes } from "../../scripts/lib/build/wasm.mjs";

test("the served WebAssembly is as small as it should be", () => {
  const { gzipped } = wasmKilobytes();
  assert.ok(gzipped <= maxGzippedKilobytes, `${Math.ceil(gzipped)} KB gzipped, more than ${maxGzippedKilobytes} KB`);
});
