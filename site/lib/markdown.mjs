// Renders the guides. The fence of a block of code may say more than its language, for the test that runs it; a reader sees
// the code alone.
import { Marked } from "marked";
import { codeBlock, escaped } from "./html.mjs";
import { localized } from "./paths.mjs";

/** The id of a heading: its words, in whatever script. */
const idOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\u200c -]/gu, "")
    .trim()
    .replace(/[ \u200c]+/g, "-");

/**
 * Renders a guide. `widgets` are the parts that a line `<!-- name -->` stands for. Returns `title`, `lead` (the first
 * paragraph, as a text), and `html` without the title.
 */
export function renderGuide(source, { language, widgets = {} }) {
  const marked = new Marked({ renderer: renderer(language, widgets) });
  const tokens = marked.lexer(source);
  const [title, lead] = [
    tokens.find(({ type }) => type === "heading"),
    tokens.find(({ type }) => type === "paragraph"),
  ];
  const rest = tokens.filter((token) => token !== title);
  return {
    title: title.text,
    lead: plain(lead.text),
    html: marked.parser(Object.assign(rest, { links: tokens.links })),
  };
}

const fences = /^```.*\n[\s\S]*?^```$/gm;

/** The source of a guide whose lines `<!-- code -->` stand for the blocks of code of another one, in their order. */
export function withCode(source, other) {
  const blocks = other.match(fences) ?? [];
  const filled = source.replace(/^<!-- code -->$/gm, () => blocks.shift() ?? "<!-- too-much-code -->");
  if (blocks.length > 0)
    throw new Error(`a translated guide leaves out ${blocks.length} blocks of code: ${source.slice(0, 80)}`);
  return filled;
}

const plain = (text) =>
  text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*\n]/g, (char) => (char === "\n" ? " " : ""));

function renderer(language, widgets) {
  return {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${escaped(idOf(plain(text)))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    code: ({ text, lang }) => codeBlock(text, (lang ?? "").split(" ")[0]),
    link({ href, tokens }) {
      return `<a href="${escaped(localized(href, language))}">${this.parser.parseInline(tokens)}</a>`;
    },
    table(token) {
      const cells = (row, tag) =>
        row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("");
      const rows = token.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
      return `<div class="table" tabindex="0"><table><thead><tr>${cells(token.header, "th")}</tr></thead><tbody>\n${rows}</tbody></table></div>\n`;
    },
    html({ text }) {
      const widget = widgets[/^<!-- ([a-z-]+) -->$/.exec(text.trim())?.[1]];
      if (!widget) throw new Error(`a guide has HTML that is no widget: ${text}`);
      return widget;
    },
  };
}
