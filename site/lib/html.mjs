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

export const json = (value) => JSON.stringify(value, null, 2);
