// What all scripts of the pages use: the words of the page's language, elements, and stores that a browser may refuse.
import { words as inAllLanguages } from "./words.js";

export const language = document.documentElement.lang;
export const words = inAllLanguages[language];

export const all = (selector, root = document) => [...root.querySelectorAll(selector)];

/** An element with this content: a text, an element, or a list of them. */
export function element(tag, content, attributes = {}) {
  const made = document.createElement(tag);
  made.append(...[content].flat());
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** A text with code between backticks. */
export const withCode = (text) =>
  text.split("`").map((part, index) => (index % 2 === 1 ? element("code", part) : part));

export function quietly(use) {
  try {
    return use();
  } catch {
    return undefined;
  }
}

/** A store that the browser may refuse to have. */
export const stored = {
  get: (store, name) => quietly(() => window[store].getItem(name)) ?? null,
  set: (store, name, value) => quietly(() => window[store].setItem(name, value)),
  remove: (store, name) => quietly(() => window[store].removeItem(name)),
};
