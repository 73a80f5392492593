// The placeholders of a pattern, as the service reads them: `%name%`.

const mostCharacters = 50;
/** A letter or `_`, then letters and digits of any script, `_`, `-` and the zero-width non-joiner. */
const form = /^[\p{Alphabetic}_][\p{Alphabetic}\p{N}_\u200c-]*$/u;

export const isName = (name) => form.test(name) && [...name].length <= mostCharacters;

/** The names in a text, each once, in its order. A `%` that begins no placeholder is text. */
export function namesIn(text) {
  const names = new Set();
  for (let open = text.indexOf("%"); open !== -1; ) {
    const close = text.indexOf("%", open + 1);
    if (close === -1) break;
    const name = text.slice(open + 1, close);
    if (isName(name)) names.add(name);
    open = isName(name) ? text.indexOf("%", close + 1) : close;
  }
  return [...names];
}
