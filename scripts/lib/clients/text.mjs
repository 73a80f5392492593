// What the generators of all languages write alike.

/** The first line of each file that is made. */
export const notice = "Made by `npm run clients` from openapi.json.";

/** Breaks a text into lines of at most `width` characters. */
export function wrap(text, width) {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1);
    if (line && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines;
}

/** A comment of TypeScript and PHP, on one line if it fits. Paragraphs are texts, which are broken, or lists of lines. */
export function blockComment(paragraphs, indent) {
  const lines = paragraphs.flatMap((one, index) => [
    ...(index > 0 ? [""] : []),
    ...(Array.isArray(one) ? one : wrap(one, 116 - indent.length)),
  ]);
  if (lines.length === 1 && lines[0].length < 112 - indent.length) return `${indent}/** ${lines[0]} */`;
  const body = lines.map((line) => `${indent} * ${line}`.trimEnd());
  return [`${indent}/**`, ...body, `${indent} */`].join("\n");
}

export const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
