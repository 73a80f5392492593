// What axe finds in a page. It takes seconds for a large one, so what it has judged once in this process, it does not judge again.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const levels = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"];
const read = (path) => readFileSync(path, "utf8");
const scripts = [
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  ...["hash", "forms", "colors"].map((name) => new URL(`${name}.js`, import.meta.url)),
].map(read);

/** What scripts of the page have judged, as hashes, and what they could not judge, by its hash: the places where it was seen. */
const [forms, colors] = ["judgeForms", "judgeColors"].map((name) => ({ name, judged: new Set(), seen: new Map() }));

/** What axe finds against WCAG 2.1, A and AA, in what a page shows now and in both themes. */
export async function violations(page) {
  // What is evaluated by the protocol of the browser is not held to the policy of the page.
  if (!(await page.evaluate("typeof axe !== 'undefined'"))) for (const script of scripts) await page.evaluate(script);
  const found = await newFaults(page, forms);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await newFaults(page, colors)).map((fault) => `${colorScheme}: ${fault}`));
  }
  await page.emulateMedia({ colorScheme: null });
  return found;
}

/** Lets a script of the page judge what it has not judged, and learns its verdicts. */
async function newFaults(page, { name, judged, seen }) {
  const hashes = await page.evaluate((name) => window[name].find(), name);
  const unknown = hashes.filter((hash) => !judged.has(hash));
  if (unknown.length === 0) return [];
  const places = unknown.flatMap((hash) => [...(seen.get(hash) ?? [])]);
  const options = { unknown, places, levels };
  const verdict = await page.evaluate(([name, options]) => window[name].judge(options), [name, options]);
  for (const hash of verdict.judged) judged.add(hash);
  for (const [hash, place] of verdict.unclear) seen.set(hash, (seen.get(hash) ?? new Set()).add(place));
  return verdict.faults;
}
