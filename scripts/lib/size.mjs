import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { inRoot } from "./paths.mjs";

/** How large the served WebAssembly may be, gzipped, KB. A new isolate loads and compiles all of it. */
export const maxGzippedKilobytes = 900;

/** How large the built WebAssembly is, KB. */
export function wasmKilobytes() {
  const wasm = readFileSync(inRoot("build", "index_bg.wasm"));
  return { plain: wasm.length / 1_024, gzipped: gzipSync(wasm, { level: 9 }).length / 1_024 };
}
