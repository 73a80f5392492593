// The search of the documentation. The index is loaded when the reader first comes to the field.
import { all, element, language, words } from "./page.js";

const most = 8;
let loading;

/** The index, loaded once. */
function index() {
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load() {
  const [{ default: MiniSearch }, { options }, answer] = await Promise.all([
    import("./minisearch.js"),
    import("./search-terms.js"),
    fetch(`/docs/assets/search-${language}.json`),
  ]);
  if (!answer.ok) throw new Error(`the index answers ${answer.status}`);
  return MiniSearch.loadJSON(await answer.text(), options);
}

function itemOf({ address, title, heading, about }) {
  const lines = [element("b", heading || title), element("small", heading ? title : ""), element("span", about)];
  return element("li", element("a", lines, { href: address }));
}

/** Lets the field show results below it as the reader types. */
export function bindSearch(form) {
  const [input, list, status] = ["input", "ul", "[role=status]"].map((selector) => form.querySelector(selector));
  const close = () => list.replaceChildren();

  /** Shows what is found for what stands in the field, unless the reader has typed on meanwhile. */
  async function show() {
    const asked = input.value;
    if (asked.trim() === "") {
      status.textContent = "";
      return close();
    }
    try {
      if (!loading) status.textContent = words.searching;
      const found = (await index()).search(asked);
      if (input.value !== asked) return;
      list.replaceChildren(...found.slice(0, most).map(itemOf));
      status.textContent = found.length > 0 ? words.results.replace("{count}", found.length) : words.noResults;
    } catch {
      status.textContent = words.searchFailed;
    }
  }

  /** Arrow keys walk through the field and the results. */
  function walk(event) {
    const stops = [input, ...all("a", list)];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") {
      close();
      status.textContent = "";
      input.focus();
    }
    if (!step || stops.length === 1) return;
    event.preventDefault();
    stops.at((stops.indexOf(document.activeElement) + step) % stops.length).focus();
  }

  form.hidden = false;
  input.addEventListener("focus", () => index().catch(() => {}));
  input.addEventListener("input", show);
  form.addEventListener("keydown", walk);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    all("a", list)[0]?.click();
  });
  addEventListener("click", (event) => {
    if (!form.contains(event.target)) {
      close();
      status.textContent = "";
    }
  });
  addEventListener("keydown", (event) => {
    const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}
