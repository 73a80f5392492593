// The documentation for language models, as llmstxt.org says: `llms.txt` has what there is and where, `llms-full.txt` the guides
// and the reference in one text, and each guide and each page for operators has a file in Markdown beside its page. They are in
// English, as the document of the API is.
import { textOf } from "./contents.mjs";
import { inline } from "./html.mjs";
import { pictureAddress } from "./pictures.mjs";
import { groupsOf, operationsOf } from "./reference.mjs";
import { texts } from "./texts.mjs";

const text = texts.en;
const about = `# Peyk\n\n> ${text.homeLead}\n`;

/** A guide in Markdown: without what the fences say to the test, and without the parts that only a page has. */
function markdownOf(source) {
  const text = source
    .replace(/^```([a-z]+) .*$/gm, "```$1")
    .replace(/^<!-- .* -->\n\n?/gm, "")
    .replace(/(!\[[^\]]*\])\(([a-z-]+)\)/g, (_, about, name) => `${about}(${pictureAddress(name, "en")})`);
  return toFiles(text);
}

const titleOf = (markdown) => /^# (.+)$/m.exec(markdown)[1];
/** The first paragraph without its links: a line of the index leads to the page alone. */
const leadOf = (markdown) =>
  markdown
    .split("\n\n")[1]
    .replaceAll("\n", " ")
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1");

const operationLine = ({ method, path, summary }) => `- \`${method} ${path}\`: ${summary}`;

function problemLine({ slug, code, status, title }, advice) {
  return `- [${code} ${title.en}](/docs/problems/${slug}), HTTP ${status}: ${advice[slug].en.happened}`;
}

/** What a model needs to call the API: the sections of `llms-full.txt` behind the guides. */
function referenceText(api, problems, advice) {
  const operations = operationsOf(api);
  const tables = groupsOf(api, operations).map(({ name, description }) => {
    const own = operations.filter(({ tags }) => tags[0] === name);
    return `### ${name}\n\n${description}\n\n${own.map(operationLine).join("\n")}\n`;
  });
  const errors = problems.map((problem) => problemLine(problem, advice)).join("\n");
  return `## API\n\n${textOf(inline(api.info.description))}\n\n${tables.join("\n")}\n## Errors\n\n${text.problemsLead}\n\n${errors}\n`;
}

/** A line of the index: what stands at an address, and what it is about. */
const line = (address, markdown) => `- [${titleOf(markdown)}](${address}): ${leadOf(markdown)}`;

function index(all, operating) {
  return `${about}
Send the API key as \`Authorization: Bearer <API_KEY>\`. Test keys begin with \`peyk_test_\`, cost nothing and send nothing.

## Guides

${all.map(({ name, markdown }) => line(`/docs/guides/${name}.md`, markdown)).join("\n")}

## Reference

- [OpenAPI 3.1 document](/openapi.json): every path, parameter, body, answer and error
- [API reference](/docs/reference): the same as pages, with requests in curl, TypeScript, Python and PHP
- [Problems](/docs/problems): what each error means and what to do
- [Guides and reference in one text](/llms-full.txt)

## Operating

${operating.map(({ name, markdown }) => line(`/docs/${name}.md`, markdown)).join("\n")}
`;
}

/** Headings one level lower. Lines of code may begin with `#` too. */
const demoted = (markdown) =>
  markdown
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/^#(?=#* )/gm, "##")))
    .join("");

/** The links of a page to other pages lead to their files. */
const toFiles = (markdown) =>
  markdown.replace(/\]\(\/docs\/(guides\/[a-z-]+|[a-z-]+)(?=[#)])/g, (whole, page) =>
    /^(?:reference|problems)$/.test(page) ? whole : `](/docs/${page}.md`,
  );

/** The files: `[path, content]` each. `guides` and `operating` are `{name, source}`. */
export function llmsFiles({ guides, operating }, api, problems, advice) {
  const all = guides.map(({ name, source }) => ({ name, markdown: markdownOf(source) }));
  const pages = operating.map(({ name, source }) => ({ name, markdown: toFiles(source) }));
  const whole = all.map(({ markdown }) => demoted(markdown));
  return [
    ["llms.txt", index(all, pages)],
    ["llms-full.txt", [about, ...whole, referenceText(api, problems, advice)].join("\n")],
    ...all.map(({ name, markdown }) => [`docs/guides/${name}.md`, markdown]),
    ...pages.map(({ name, markdown }) => [`docs/${name}.md`, markdown]),
  ];
}
