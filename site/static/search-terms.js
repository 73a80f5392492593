// What the search takes for the same word. The build makes the index by it, and the page searches by it.

const same = { ي: "ی", ى: "ی", ك: "ک", ة: "ه", آ: "ا", أ: "ا", إ: "ا", ؤ: "و" };

/** A word as the index has it: one form of each Persian letter, Latin digits, no marks, small letters. */
const normalized = (word) =>
  word
    .normalize("NFC")
    .toLowerCase()
    .replace(/[يىكةآأإؤ]/g, (letter) => same[letter])
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replace(/[\u064b-\u0655\u0640]/g, "");

const between = /[^\p{L}\p{N}\p{M}_\u200c]+/u;
const nonJoiner = /\u200c+/;

/** A Persian word of several parts is found by each part, and by the parts written together with or without the ending. */
function formsOf(word) {
  const parts = word.split(nonJoiner).filter(Boolean);
  const together = parts.map((_, index) => parts.slice(0, index + 1).join(""));
  return [...new Set([...parts, ...together])];
}

/** The words of a text. */
const wordsOf = (text) => text.split(between).flatMap(formsOf);

/** The words that somebody searches for, of which a place must have all. */
const askedWords = (text) =>
  text
    .split(between)
    .flatMap((word) => word.split(nonJoiner))
    .filter(Boolean);

/** How MiniSearch makes and reads the index. */
export const options = {
  fields: ["title", "heading", "also", "text"],
  storeFields: ["title", "heading", "address", "about", "weight"],
  tokenize: wordsOf,
  processTerm: (term) => normalized(term),
  searchOptions: {
    tokenize: askedWords,
    combineWith: "AND",
    prefix: true,
    fuzzy: (term) => (term.length > 4 && !/\d/.test(term) ? 0.2 : false),
    boost: { title: 3, heading: 6, also: 12 },
    // Who looks for a word mostly wants to know how something is done. Guides have a weight above 1.
    boostDocument: (_id, _word, { weight = 1 }) => weight,
  },
};
