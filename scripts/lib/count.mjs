import { stripVTControlCharacters } from "node:util";

// cargo and wasm-bindgen-test print this once for each test program.
const rust = /^test result: \S+ (\d+) passed; (\d+) failed;/gm;
// node:test prints this once at the end.
const node = { passed: /^. pass (\d+)$/gm, failed: /^. (?:fail|cancelled) (\d+)$/gm };

/** Counts the passed and failed tests in the output of test programs. */
export function countTests(output) {
  const text = stripVTControlCharacters(output);
  const fromRust = [...text.matchAll(rust)];
  return {
    passed: sum(fromRust, 1) + sum([...text.matchAll(node.passed)], 1),
    failed: sum(fromRust, 2) + sum([...text.matchAll(node.failed)], 1),
  };
}

const sum = (matches, group) => matches.reduce((total, match) => total + Number(match[group]), 0);
