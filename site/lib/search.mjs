// The index of the search, made when the site is built: one for each language, which holds the pages of that language.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import MiniSearch from "minisearch";
import { options } from "../static/search-terms.js";
import { sectionsOf, textOf } from "./contents.mjs";
import { searched } from "./html.mjs";
import { localized } from "./paths.mjs";

/** How many characters of a section a result shows. */
const shown = 110;

/** What people type who look for a place, and what does not stand there: other words for it, by its address. */
const alsoCalled = JSON.parse(readFileSync(new URL("../search.json", import.meta.url)));

/** The places of a page: its sections, and what stands before them. `also` are other words for a place. `found` is what a result calls the page, if not by its title. */
function placesOf(page, language) {
  const address = localized(page.address, language);
  return sectionsOf(searched(page.html)).flatMap(({ id, heading, html }) => {
    const text = textOf(html);
    if (!id && text === "") return [];
    const about = [...text].slice(0, shown).join("");
    const place = {
      id: id ? `${address}#${id}` : address,
      title: page.found ?? page.title,
      heading,
      text,
      weight: page.weight,
    };
    const also = alsoCalled[place.id] ?? "";
    return [{ ...place, also, address: place.id, about: about === text ? text : `${about}…` }];
  });
}

/** The index of these pages as a text. */
export function searchIndex(pages, language) {
  const index = new MiniSearch(options);
  index.addAll(pages.flatMap((page) => placesOf(page, language)));
  return JSON.stringify(index);
}

/** MiniSearch as a module of the browser. The library has one file without imports. */
export function searchLibrary() {
  const main = createRequire(import.meta.url).resolve("minisearch");
  const code = readFileSync(join(dirname(dirname(main)), "es", "index.js"), "utf8");
  return code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n");
}
