// The Persian of what the OpenAPI document says in English. `site/persian.json` has it, text by text. A text that is not there
// is shown in English; a test holds that the summaries of all operations and their descriptions are there.
import { readFileSync } from "node:fs";

const table = JSON.parse(readFileSync(new URL("../persian.json", import.meta.url), "utf8"));

/** A text in this language and the tag of the language that it is in. */
export function translated(text, language) {
  if (language === "en") return [text, "en"];
  return text in table ? [table[text], "fa"] : [text, "en"];
}

export const persian = table;
