const placeholder = /%[^%\s][^%]*%/g;
const letter = /\p{L}/u;
const rightToLeft = /\p{Script=Arabic}|\p{Script=Hebrew}/u;

/** The direction of a text by its own words: a placeholder stands for somebody's name, in whichever script. */
export function directionOf(text: string): "ltr" | "rtl" | undefined {
  const [first] = letter.exec(text.replace(placeholder, "")) ?? [];
  if (!first) return undefined;
  return rightToLeft.test(first) ? "rtl" : "ltr";
}
