// All that axe judges but the colors, in the page. A verdict follows from the form of a part: its elements, what they say to programs, and
// which of them are shown. So a part is judged once for each form, whichever page and width show it.
{
  /** A part is no larger than needs be: what has more elements is judged by what is in it, if it means nothing itself. */
  const FEW = 12;
  const neutral = "body, div, main, nav, header, footer, section, article, form";
  const meaningless = /^(?:class|id|dir|data-.*)$/;
  /** Of these counts whether they say anything. */
  const texts = new Set(["alt", "content", "href", "id", "placeholder", "src", "title", "value"]);
  const references =
    /^(?:for|form|headers|list|aria-(?:activedescendant|controls|describedby|details|errormessage|flowto|labelledby|owns))$/;
  const ofDrawings = /^(?:role|tabindex|href|id|class|aria-.*)$/;
  const colors = ["color-contrast", "link-in-text-block"];

  const saysText = (node) =>
    [...node.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim());
  const isFilled = (text) => (text.trim() ? "+" : "-");

  /** Whether and how an element is shown, as far as axe asks. */
  function place(element) {
    if (!element.checkVisibility({ visibilityProperty: true })) return "hidden";
    const { width, height, left, right, bottom } = element.getBoundingClientRect();
    const isSmall = width < 1 || height < 1;
    const isOutside = right <= 0 || left >= innerWidth || bottom + scrollY <= 0;
    return `${isSmall ? "small" : ""}${isOutside ? "outside" : ""}${scrolls(element) ? "scrolls" : ""}`;
  }

  function scrolls(element) {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
    if (scrollWidth <= clientWidth && scrollHeight <= clientHeight) return false;
    return /auto|scroll/.test(getComputedStyle(element).overflow);
  }

  /** Another element by its place in the part, or by what it says if it is elsewhere. */
  const other = (element, places) =>
    element && (places.get(element) ?? `${element.tagName} ${place(element)} ${element.textContent}`);

  function attribute({ name, value }, places) {
    if (references.test(name)) {
      const ids = value.split(/\s+/).filter(Boolean);
      return `${name}=${ids.map((id) => other(document.getElementById(id), places))}`;
    }
    return `${name}=${texts.has(name) ? isFilled(value) : value}`;
  }

  function formOf(element, places) {
    const isDrawn = element instanceof SVGElement;
    const attributes = [...element.attributes]
      .filter(({ name }) => !name.startsWith("data-") && (!isDrawn || ofDrawings.test(name)))
      .map((one) => attribute(one, places));
    const labels = [...(element.labels ?? [])].map((label) => other(label, places));
    const named = element.hasAttribute("aria-label") || element.hasAttribute("aria-labelledby");
    // A name must have the text that is shown.
    const text = named ? element.textContent : saysText(element);
    return `${element.tagName} ${attributes.sort()} ${labels} ${text} ${place(element)}`;
  }

  function partOf(element) {
    const all = [element, ...element.querySelectorAll("*")];
    const places = new Map(all.map((one, index) => [one, index]));
    const depth = (one) => places.get(one.parentElement) ?? "";
    return all.map((one) => `${depth(one)}>${formOf(one, places)}`).join("\n");
  }

  const isDivided = (element) =>
    element.matches(neutral) &&
    [...element.attributes].every(
      ({ name, value }) => meaningless.test(name) || `${name}=${value}` === "tabindex=-1",
    ) &&
    element.querySelectorAll("*").length > FEW &&
    !saysText(element) &&
    place(element) === "";

  /** The parts of a page, and the elements that hold them. */
  function divide(element, path, parts, frames) {
    if (!isDivided(element)) return parts.push(element);
    const here = `${path}>${element.tagName}${element.getAttribute("tabindex") ?? ""}`;
    frames.add(here);
    for (const child of element.children) divide(child, here, parts, frames);
  }

  /** What the page says as a whole. */
  function headOf() {
    const { documentElement, head, title } = document;
    const attributes = [...documentElement.attributes].map(({ name, value }) => `${name}=${value}`);
    const metas = [...head.querySelectorAll("meta[http-equiv], meta[name=viewport]")].map(({ outerHTML }) => outerHTML);
    const marks = ["main", "h1", "body [lang]"].map((mark) => document.querySelector(mark) !== null);
    return [attributes, metas, isFilled(title), marks].join("|");
  }

  function repeatedIds() {
    const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
    return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
  }

  let parts;
  let page;
  window.judgeForms = {
    /** The hashes of what the page is as a whole, and of its parts. */
    find() {
      const elements = [];
      const frames = new Set([headOf(), `twice: ${repeatedIds()}`]);
      divide(document.body, "", elements, frames);
      parts = elements.map((element) => ({ element, hash: hashOf(partOf(element)) }));
      page = [...frames].map(hashOf);
      return [...page, ...parts.map(({ hash }) => hash)];
    },

    async judge({ unknown, levels }) {
      const isUnknown = new Set(unknown);
      const include = parts.filter(({ hash }) => isUnknown.has(hash)).map(({ element }) => element);
      const { violations } = await axe.run(page.some((hash) => isUnknown.has(hash)) ? document : { include }, {
        runOnly: { type: "tag", values: levels },
        rules: Object.fromEntries(colors.map((rule) => [rule, { enabled: false }])),
        resultTypes: ["violations"],
      });
      const faults = violations.flatMap(({ id, nodes }) =>
        nodes.slice(0, 3).map(({ html, any }) => `${id}: ${html.slice(0, 200)} (${any[0]?.message ?? ""})`),
      );
      faults.push(...repeatedIds().map((id) => `more than one element has the id "${id}"`));
      return { judged: faults.length > 0 ? [] : unknown, unclear: [], faults };
    },
  };
}
