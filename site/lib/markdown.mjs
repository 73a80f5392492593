// Renders the guides. The fence of a block of code may say more than its language, for the test that runs it; a reader sees
// the code alone. Programs of several languages that follow one another become tabs.
import { Marked } from "marked";
import { textOf } from "./contents.mjs";
import { codeBlock, escaped } from "./html.mjs";
import { localized } from "./paths.mjs";
import { picture } from "./pictures.mjs";
import { codeTabs, tabNames } from "./tabs.mjs";

/** The id of a heading: its words, in whatever script. */
const idOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\u200c -]/gu, "")
    .trim()
    .replace(/[ \u200c]+/g, "-");

/**
 * Renders a guide in its `language`. `widgets` are the parts that a line `<!-- name -->` stands for, and `columns` is how many of a
 * table a phone has room for, if not for all. Returns `title`, `lead` (the first paragraph, as a text), and `html` without the
 * title.
 */
export function renderGuide(source, options) {
  const marked = new Marked({ renderer: renderer(options), extensions: [tabsExtension] });
  const lexed = marked.lexer(source);
  const tokens = withTabs(lexed);
  const [title, lead] = [
    tokens.find(({ type }) => type === "heading"),
    tokens.find(({ type }) => type === "paragraph"),
  ];
  const rest = tokens.filter((token) => token !== title);
  return {
    title: title.text,
    lead: plain(lead.text),
    html: marked.parser(Object.assign(rest, { links: lexed.links })),
  };
}

/**
 * What a fence says: its language, then optionally `for=` and the tab that it opens in place of that of its language, a flag,
 * and a reason behind a colon. `tab` is null if the block is no program.
 */
export function fenceOf(info = "") {
  const [said, reason = ""] = info.split(": ");
  const [language, ...words] = said.split(" ");
  const tab = words.find((word) => word.startsWith("for="))?.slice("for=".length) ?? language;
  const flag = words.filter((word) => !word.startsWith("for=")).join(" ");
  return { language, tab: tab in tabNames ? tab : null, flag, reason };
}

/** The blocks of code of a guide, in their order: those that stand alone (`code`), and groups of them (`tabs`). */
export const codeOf = (source) =>
  withTabs(new Marked().lexer(source)).filter(({ type }) => ["code", "tabs"].includes(type));

/** Tokens in which blocks of several tabs that follow one another are one token: `tabs` has a list of blocks by tab. */
function withTabs(tokens) {
  const runs = [];
  for (const token of tokens) {
    const run = runs.at(-1);
    if (token.type === "code" && Array.isArray(run)) run.push(token);
    else if (token.type === "code") runs.push([token]);
    else if (token.type !== "space") runs.push(token);
  }
  return runs.flatMap((run) => (Array.isArray(run) ? (grouped(run) ?? run) : run));
}

/** The blocks as a group of tabs, if they are of more than one. Each program opens a tab, and what it prints stands behind it. */
function grouped(blocks) {
  const opens = blocks.map(({ lang }) => fenceOf(lang).tab);
  const names = opens.filter(Boolean);
  if (new Set(names).size < 2) return null;
  if (!opens[0] || new Set(names).size < names.length)
    throw new Error(`a group of tabs has one program a language, each before its output: ${blocks[0].text}`);
  const tabs = new Map();
  for (const [index, block] of blocks.entries()) {
    if (opens[index]) tabs.set(opens[index], []);
    [...tabs.values()].at(-1).push(block);
  }
  const inOrder = Object.keys(tabNames).filter((name) => tabs.has(name));
  return { type: "tabs", tabs: inOrder.map((name) => ({ tab: name, blocks: tabs.get(name) })) };
}

/** What renders a token `tabs`. */
const tabsExtension = {
  name: "tabs",
  renderer: ({ tabs }) =>
    codeTabs(tabs.map(({ tab, blocks }) => ({ language: tab, html: blocks.map(htmlOf).join("\n") }))),
};

const htmlOf = ({ text, lang }) => codeBlock(text, fenceOf(lang).language);

/** Blocks of code that follow one another. */
const code = /^```.*\n[\s\S]*?^```$(?:\n+```.*\n[\s\S]*?^```$)*/gm;

/**
 * The source of a guide in which each line `<!-- code -->` stands for the blocks of another one that follow one another, with
 * these samples in place of those that the other one shows.
 */
export function withCode(source, other, samples) {
  const blocks = (other.match(code) ?? []).map((found) => withSamples(found, samples));
  const filled = source.replace(/^<!-- code -->$/gm, () => blocks.shift() ?? "<!-- too-much-code -->");
  if (blocks.length > 0)
    throw new Error(`a translated guide leaves out ${blocks.length} places of code: ${source.slice(0, 80)}`);
  return filled;
}

/** Of two samples that begin alike, the longer one counts. */
const withSamples = (code, samples) =>
  Object.entries(samples)
    .sort(([one], [other]) => other.length - one.length)
    .reduce((text, [sample, own]) => text.replaceAll(sample, () => own), code);

/** A table. In a wide one, each cell names its column: on a phone the cells of a row stand below one another. */
function table(header, rows, isWide) {
  const cell = (html, index) => `<td${isWide ? ` data-column="${escaped(textOf(header[index]))}"` : ""}>${html}</td>`;
  const lines = rows.map((row) => `<tr>${row.map(cell).join("")}</tr>`).join("\n");
  const head = header.map((html) => `<th>${html}</th>`).join("");
  return `<div class="table" tabindex="0"><table${isWide ? ' class="wide"' : ""}><thead><tr>${head}</tr></thead><tbody>\n${lines}</tbody></table></div>\n`;
}

const plain = (text) =>
  text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*\n]/g, (char) => (char === "\n" ? " " : ""));

function renderer({ language, widgets = {}, columns = Number.POSITIVE_INFINITY }) {
  return {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${escaped(idOf(plain(text)))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    code: htmlOf,
    link({ href, tokens }) {
      return `<a href="${escaped(localized(href, language))}">${this.parser.parseInline(tokens)}</a>`;
    },
    image: ({ href, text }) => picture(href, text, language),
    table(token) {
      const inHtml = ({ tokens }) => this.parser.parseInline(tokens);
      const rows = token.rows.map((row) => row.map(inHtml));
      return table(token.header.map(inHtml), rows, token.header.length > columns);
    },
    html({ text }) {
      const widget = widgets[/^<!-- ([a-z-]+) -->$/.exec(text.trim())?.[1]];
      if (!widget) throw new Error(`a guide has HTML that is no widget: ${text}`);
      return widget;
    },
  };
}
