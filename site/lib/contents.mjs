// What stands on a page: its headings, for the contents beside it and for the search.

/** The headings of the second level that have an id: `{id, html}`. */
export const headingsOf = (html) =>
  [...html.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/gs)].map(([, id, inner]) => ({ id, html: inner }));

/** From how many headings on a page has contents. */
const fewest = 3;

/** The contents of a page, or "" if it is short. */
export function contentsOf(page, text) {
  const headings = headingsOf(page.html);
  if (headings.length < fewest) return "";
  const items = headings.map(({ id, html }) => `<li><a href="#${id}">${html}</a></li>`);
  return `<nav class="contents" aria-label="${text.onThisPage}"><details><summary>${text.onThisPage}</summary><ul>${items.join("")}</ul></details></nav>`;
}

const marks = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };

/** The text of a piece of HTML. */
export const textOf = (html) =>
  html
    .replace(/<(?:wbr|\/?(?:span|b|code|a|bdi|strong|em))\b[^>]*>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/&(?:lt|gt|quot|#39|amp);/g, (mark) => marks[mark])
    .replace(/\s+/g, " ")
    .trim();

/** A page in its sections: `{id, heading, html}`. The first one is what stands before all headings, without an id. */
export function sectionsOf(html) {
  const [first, ...rest] = html.split(/(?=<h2 id=")/);
  const sections = rest.map((section) => {
    const [{ id, html: heading }] = headingsOf(section);
    return { id, heading: textOf(heading), html: section.slice(section.indexOf("</h2>")) };
  });
  return [{ heading: "", html: first }, ...sections];
}
