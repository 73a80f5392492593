// The frame of every page: head, navigation, switches of language and colours.
import { contentsOf } from "./contents.mjs";
import { escaped } from "./html.mjs";
import { languagesOf, localized, other } from "./paths.mjs";
import { texts } from "./texts.mjs";

/** Persian words are drawn in it: a browser should not wait for the styles to ask for it. */
const preloadedFont = `\n<link rel="preload" href="/docs/assets/vazirmatn.woff2" as="font" type="font/woff2" crossorigin>`;

/** Most people open the service without a language in the address: then the beginning asks the browser for one. */
const isBeginning = (page, language) => page.address === "/docs" && language === "en";
const languageScript = `\n<script src="/docs/assets/language.js"></script>`;

const direction = { en: "ltr", fa: "rtl" };

/** A page as a file. `page` has `address` (that of the English page), `title`, `about` and `html`; `menu` is of `menuOf`. */
export function pageFile(page, language, menu) {
  const text = texts[language];
  const title = page.title === "Peyk" ? text.siteTitle : `${page.title} · ${text.name}`;
  return `<!doctype html>
<html lang="${language}" dir="${direction[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<meta name="description" content="${escaped(page.about)}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/docs/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/assets/site.css">${language === "fa" ? preloadedFont : ""}
${languagesOf(page.address)
  .map((tag) => `<link rel="alternate" hreflang="${tag}" href="${localized(page.address, tag)}">`)
  .join("\n")}
<script src="/docs/assets/theme.js"></script>${isBeginning(page, language) ? languageScript : ""}
<script type="module" src="/docs/assets/site.js"></script>
</head>
<body>
<a class="skip" href="#main">${text.skip}</a>
${header(page, language, menu)}
<div class="frame">
<nav class="side" aria-label="${text.contents}">${menu}</nav>
<main id="main" tabindex="-1">
<h1>${page.heading ?? escaped(page.title)}</h1>
${contentsOf(page, text)}
${page.html}
</main>
</div>
<footer><p>${text.footer}</p></footer>
</body>
</html>
`;
}

function header(page, language, menu) {
  const [text, second] = [texts[language], other(language)];
  // A page in one language leads to the beginning in the other one.
  const inSecond = languagesOf(page.address).includes(second) ? page.address : "/docs";
  return `<header>
<a class="brand" href="${localized("/docs", language)}"><svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><path d="M3 6h26v16H14l-7 6v-6H3z"/></svg><span>${text.name}</span></a>
<form class="search" role="search" data-search hidden>
<input type="search" aria-label="${text.searchHint}" placeholder="${text.search}" autocomplete="off" spellcheck="false">
<div class="found"><p role="status"></p><ul></ul></div>
</form>
<div class="tools">
<a class="console" href="/console">${text.console}</a>
<button type="button" class="theme" data-theme-switch data-system="${text.themeSystem}" data-light="${text.themeLight}" data-dark="${text.themeDark}" hidden>${text.themeSystem}</button>
<a class="language" lang="${second}" hreflang="${second}" href="${localized(inSecond, second)}">${texts[second].languageName}</a>
</div>
<details class="menu"><summary>${text.contents}</summary><nav aria-label="${text.contents}">${menu}</nav></details>
</header>`;
}

/** What a link says of a page that is in another language than the page with the link. */
const inLanguage = (own = "", language) => (own && own !== language ? ` lang="${own}" hreflang="${own}"` : "");

/**
 * The menu: `sections` of `{title, pages}`. `current` is the address of the page that shows it. A page in one language alone has a
 * `language`.
 */
export function menuOf(sections, language, current) {
  const item = ({ address, title, language: own }) =>
    `<li><a${inLanguage(own, language)} href="${localized(address, language)}"${address === current ? ' aria-current="page"' : ""}>${escaped(title)}</a></li>`;
  return sections.map(({ title, pages }) => `<p>${escaped(title)}</p><ul>${pages.map(item).join("")}</ul>`).join("");
}
