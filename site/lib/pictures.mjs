// The pictures of the console that the guides show, each in the language of its guide. A test makes them:
// `PICTURES=write node --test tests/console/pictures.test.mjs`.
import { readFileSync } from "node:fs";
import { escaped } from "./html.mjs";

const fileOf = (name, language) => `pictures/${language}/${name}.webp`;

/** The address of a picture. */
export const pictureAddress = (name, language) => `/docs/assets/${fileOf(name, language)}`;

/** A picture as a link to itself: on a page it is smaller than it is. */
export function picture(name, about, language) {
  const { width, height } = sizeOf(readFileSync(new URL(`../static/${fileOf(name, language)}`, import.meta.url)));
  const [address, form] = [pictureAddress(name, language), height > width ? "tall" : "wide"];
  return `<a class="picture ${form}" href="${address}"><img src="${address}" alt="${escaped(about)}" width="${width}" height="${height}" loading="lazy"></a>`;
}

/** The size of a WebP file with the header that Chromium writes: with it the page keeps the place free. */
function sizeOf(file) {
  if (file.toString("latin1", 8, 16) !== "WEBPVP8X") throw new Error("a picture is no WebP file of Chromium");
  const side = (offset) => file.readUIntLE(offset, 3) + 1;
  return { width: side(24), height: side(27) };
}
