// The patterns that a table of templates stands for.
import { columnsOf } from "./columns.mjs";
import { converted } from "./providers.mjs";
import { openTable, readRows } from "./table.mjs";

const mostCharacters = 2_000;
const mostVariables = 20;
const longestTitle = 200;
const slugForm = /^[A-Za-z0-9_-]{3,64}$/;

/** Reads the templates of a provider: `{patterns, bad, unused}`. A pattern is `{line, slug, title, text, names}`. */
export async function readTemplates(file, provider) {
  const { rows, bad, unused } = readRows(await openTable(file), columnsOf(provider), ["name", "text"]);
  const [patterns, lines] = [[], new Map()];
  for (const { line, values } of rows) {
    const { faults, ...pattern } = patternOf(provider, values);
    const before = lines.get(pattern.slug);
    if (before !== undefined) faults.push(`line ${before} has this name already: leave one of them out`);
    else if (pattern.slug) lines.set(pattern.slug, line);
    if (faults.length > 0) bad.push({ line, name: pattern.slug, faults });
    else patterns.push({ line, ...pattern });
  }
  return { patterns, bad, unused };
}

function patternOf(provider, { name: slug, text: written, title }) {
  const faults = [];
  // A cell keeps the line ends of its file, and the service has one form of them.
  const { text, names, faults: own } = converted(provider, written.replace(/\r\n?/g, "\n"));
  if (slug === "") faults.push("the name is empty");
  else if (!slugForm.test(slug))
    faults.push(
      `"${slug}" can't be a pattern's name, which has 3 to 64 of A-Z, a-z, 0-9, _ and -: ` +
        "write another one here and in the program that sends it",
    );
  if (text === "") faults.push("the text is empty");
  if ([...text].length > mostCharacters) faults.push(`the text has more than ${mostCharacters} characters`);
  if (names.length > mostVariables) faults.push(`the text has more than ${mostVariables} variables`);
  if ([...(title ?? "")].length > longestTitle) faults.push(`the title has more than ${longestTitle} characters`);
  return { slug, title: title || slug, text, names, faults: [...faults, ...own] };
}
