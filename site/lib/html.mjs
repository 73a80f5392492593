// Small helpers that make HTML. Every text goes through `escaped`, so that nothing of a document becomes markup.

export const escaped = (text) =>
  String(text).replace(
    /[&<>"']/g,
    (char) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[char],
  );

/** A text with code between backticks. */
export const inline = (text) => escaped(text).replace(/`([^`]+)`/g, "<code>$1</code>");

/** A block of code. A block may scroll, so the keyboard must reach it. */
export const codeBlock = (code, language = "") =>
  `<div class="code"${language && ` data-language="${escaped(language)}"`}><pre tabindex="0"><code>${escaped(code.trimEnd())}</code></pre></div>`;

/** A part of a page that the search leaves out: a form, a list of links, or code that is made of what stands beside it. */
export const unsearched = (html) => `<!--unsearched-->${html}<!--/unsearched-->`;

/** The page without these parts. */
export const searched = (html) => html.replace(/<!--unsearched-->.*?<!--\/unsearched-->/gs, " ");

export const json = (value) => JSON.stringify(value, null, 2);
