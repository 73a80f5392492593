// What axe finds in a page. It takes seconds for a large one, so what it has judged once, it does not judge again: not in this process,
// and not in another one of the same run of `npm test`.
import { appendFileSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

const levels = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"];
const read = (path) => readFileSync(path, "utf8");
const axe = read(createRequire(import.meta.url).resolve("axe-core/axe.min.js"));
const scripts = ["hash", "forms", "colors"].map((name) => read(new URL(`${name}.js`, import.meta.url)));

/** What scripts of the page have judged, as hashes, and what they could not judge, by its hash: the places where it was seen. */
const known = ["judgeForms", "judgeColors"].map((name) => ({ name, judged: new Set(), seen: new Map() }));
const [forms, colors] = known;

/** The file in which a run keeps the verdicts of all its processes, a line each. A test that runs alone has none. */
const verdicts = process.env.ACCESSIBLE_VERDICTS;
let charactersRead = 0;

function learn({ name, judged, unclear }) {
  const script = known.find((script) => script.name === name);
  for (const hash of judged) script.judged.add(hash);
  for (const [hash, place] of unclear) script.seen.set(hash, (script.seen.get(hash) ?? new Set()).add(place));
}

/** Learns what other processes have judged meanwhile. */
function learnFromOthers() {
  if (!verdicts) return;
  const text = readFileSync(verdicts, "utf8");
  const end = text.lastIndexOf("\n") + 1;
  for (const line of text.slice(charactersRead, end).split("\n").filter(Boolean)) learn(JSON.parse(line));
  charactersRead = end;
}

export const themes = ["light", "dark"];

/**
 * The themes in which a page is looked at that is shown in each language at each of these widths: one at a width, and in the other
 * language the other. So each page is seen in both, and both are seen at each width.
 */
export const themesAt = (width, widths, isFirstLanguage) => [
  themes[(widths.indexOf(width) + Number(isFirstLanguage)) % 2],
];

/** What axe finds against WCAG 2.1, A and AA, in what a page shows now and in these themes. */
export async function violations(page, shownIn = themes) {
  // What is evaluated by the protocol of the browser is not held to the policy of the page.
  if (!(await has(page, "judgeColors"))) for (const script of scripts) await page.evaluate(script);
  const found = await newFaults(page, forms);
  for (const colorScheme of shownIn) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await newFaults(page, colors)).map((fault) => `${colorScheme}: ${fault}`));
  }
  await page.emulateMedia({ colorScheme: null });
  return found;
}

const has = (page, name) => page.evaluate((name) => name in window, name);

/** Lets a script of the page judge what it has not judged, and learns its verdicts. */
async function newFaults(page, { name, judged, seen }) {
  const hashes = await page.evaluate((name) => window[name].find(), name);
  learnFromOthers();
  const unknown = hashes.filter((hash) => !judged.has(hash));
  if (unknown.length === 0) return [];
  const places = unknown.flatMap((hash) => [...(seen.get(hash) ?? [])]);
  const options = { unknown, places, levels };
  // It is a large script, and of many pages all is known.
  if (!(await has(page, "axe"))) await page.evaluate(axe);
  const verdict = await page.evaluate(([name, options]) => window[name].judge(options), [name, options]);
  const learned = { name, judged: verdict.judged, unclear: verdict.unclear };
  learn(learned);
  if (verdicts) appendFileSync(verdicts, `${JSON.stringify(learned)}\n`);
  return verdict.faults;
}
