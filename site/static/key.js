// The reader's key. It stands in the sessionStorage of the tab and nowhere else.
import { all, stored } from "./page.js";

const name = "peyk-key";

function show(key) {
  for (const input of all("[data-key]")) input.value = key;
}

/** Lets all fields of the key show the same one, and forgets it when the reader says so. */
export function bindKeys() {
  show(stored.get("sessionStorage", name) ?? "");
  for (const input of all("[data-key]"))
    input.addEventListener("input", () => {
      stored.set("sessionStorage", name, input.value.trim());
      for (const other of all("[data-key]")) if (other !== input) other.value = input.value;
    });
  for (const button of all("[data-forget]"))
    button.addEventListener("click", () => {
      stored.remove("sessionStorage", name);
      show("");
    });
}

/** Whether a send with this key costs money. A key of another form was imported, and may be a live one. */
export const isLive = (key) => !key.startsWith("peyk_test_");
