import { stripVTControlCharacters } from "node:util";

// cargo and wasm-bindgen-test: once for every test program.
const rust = /^test result: \S+ (\d+) passed; (\d+) failed;/gm;
// node:test: once at the end.
const node = { passed: /^. pass (\d+)$/gm, failed: /^. (?:fail|cancelled) (\d+)$/gm };

/** How many tests passed and failed, read from what the test programs printed. */
export function countTests(output) {
  const text = stripVTControlCharacters(output);
  const fromRust = [...text.matchAll(rust)];
  return {
    passed: sum(fromRust, 1) + sum([...text.matchAll(node.passed)], 1),
    failed: sum(fromRust, 2) + sum([...text.matchAll(node.failed)], 1),
  };
}

const sum = (matches, group) => matches.reduce((total, match) => total + Number(match[group]), 0);
