// The pages for who runs a service. They are those of `docs/` in the repository, and stand in English alone.
import { readFileSync } from "node:fs";
import { renderGuide } from "./markdown.mjs";
import { inEnglish } from "./paths.mjs";
import { texts } from "./texts.mjs";

/** Pages whose title is too long for the menu. */
const shortTitles = { privacy: "Privacy", cheapest: "The cheapest form" };

/** What the site has of the other files that these pages link to. */
const elsewhere = {
  "api.md#price": "/docs/guides/prices-and-limits#how-a-price-comes-about",
  "api.md#rate-limit": "/docs/guides/prices-and-limits#limits",
  "api.md#proofs": "/docs/guides/login-codes",
  "api.md#verify": "/docs/guides/login-codes",
  "api.md#webhooks": "/docs/guides/webhooks",
  "doors.md": "/docs/guides/moving",
  "doors/moving.md": "/docs/guides/moving",
  "doors/kavenegar.md": "/docs/guides/moving-from-kavenegar",
  "endpoints.md": "/docs/reference",
};

/** Marks for the commands that write parts of a page. */
const marks = /^<!-- .* -->\n/gm;

/** A link inside the repository: of what is no page of the site, the words stay, with the name of the file. */
function link(_whole, words, file, anchor = "") {
  const name = file.slice(0, -".md".length);
  if (inEnglish.includes(name)) return `[${words}](/docs/${name}${anchor})`;
  const found = elsewhere[file + anchor] ?? elsewhere[file];
  if (found) return `[${words}](${found})`;
  const path = file.startsWith("../") ? file.slice("../".length) : `docs/${file}`;
  return words === name.replace("../", "") ? `\`${path}\`` : `${words} (\`${path}\`)`;
}

/** The Markdown of a page, with links of the site in place of those of the repository. */
function operatingSource(name) {
  const source = readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8");
  return source.replace(marks, "").replace(/\[([^\]]+)\]\((?!https?:)([^)#\s]+\.md)(#[^)\s]+)?\)/g, link);
}

/** The Markdown of all pages: `{name, source}` each. */
export const operatingSources = () => inEnglish.map((name) => ({ name, source: operatingSource(name) }));

/** The pages. `weight` puts them behind the guides in the search. */
export const operatingPages = () =>
  operatingSources().map(({ name, source }) => {
    const { title, lead, html } = renderGuide(source, { language: "en", columns: 2 });
    return { address: `/docs/${name}`, title, inMenu: shortTitles[name] ?? title, about: lead, html, weight: 0.5 };
  });

/** Their section of the menu. A Persian reader sees before a click that they are in English. */
export const operatingSection = (pages, language) => ({
  title: texts[language].operating,
  pages: pages.map(({ address, inMenu }) => ({ address, title: inMenu, language: "en" })),
});
