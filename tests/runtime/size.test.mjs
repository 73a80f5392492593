import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { maxFunctionKilobytes, maxGzippedKilobytes, wasmFile, wasmKilobytes } from "../../scripts/lib/build/wasm.mjs";

/** The number of the section that has the code of all functions. */
const CODE = 10;
/** The length of what stands before the first section. */
const HEADER = 8;

test("the served WebAssembly is as small as it should be", () => {
  const { gzipped } = wasmKilobytes();
  assert.ok(gzipped <= maxGzippedKilobytes, `${Math.ceil(gzipped)} KB gzipped, more than ${maxGzippedKilobytes} KB`);
});

test("no function of the served WebAssembly is so large that compiling it takes much memory", () => {
  const sizes = functionSizes(readFileSync(inRoot("build", wasmFile)));
  assert.ok(sizes.length > 1_000, `the WebAssembly has ${sizes.length} functions`);
  const largest = Math.ceil(Math.max(...sizes) / 1_024);
  assert.ok(largest <= maxFunctionKilobytes, `a function has ${largest} KB, more than ${maxFunctionKilobytes} KB`);
});

/** The sizes of all functions of a WebAssembly, bytes. */
function functionSizes(wasm) {
  const sections = reader(wasm, HEADER);
  while (!sections.isAtEnd()) {
    const id = sections.number();
    const section = sections.piece();
    if (id !== CODE) continue;
    const bodies = reader(section);
    return Array.from({ length: bodies.number() }, () => bodies.piece().length);
  }
  return [];
}

/** Reads numbers as WebAssembly writes them: seven bits a byte, the lowest first. A piece stands behind its length. */
function reader(bytes, start = 0) {
  let at = start;
  const number = () => {
    let value = 0;
    for (let place = 1; ; place *= 128) {
      const byte = bytes[at++];
      value += (byte % 128) * place;
      if (!(byte >= 128)) return value;
    }
  };
  const piece = () => {
    const length = number();
    at += length;
    return bytes.subarray(at - length, at);
  };
  return { number, piece, isAtEnd: () => at >= bytes.length };
}
