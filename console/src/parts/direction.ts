const placeholder = /%[^%\s][^%]*%/g;
/** An address is in Latin letters, whichever script the text around it has. */
const address = /\bhttps?:\/\/\S+|\bwww\.\S+/gi;
const letters = /\p{L}/gu;
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

/**
 * A text with this share of letters from right to left is written so: a Persian text may begin with the Latin name of a brand, and have
 * several.
 */
const enough = 0.4;

/** The direction of a text by its own words: a placeholder stands for somebody's name, in whichever script. */
export function directionOf(text: string): "ltr" | "rtl" | undefined {
  const found = text.replace(placeholder, "").replace(address, "").match(letters) ?? [];
  if (found.length === 0) return undefined;
  const share = found.filter((letter) => rightToLeft.test(letter)).length / found.length;
  return share >= enough ? "rtl" : "ltr";
}
