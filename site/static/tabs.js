// Blocks of code in several languages become tabs. The reader's choice holds for all of them, and outlives the page.
import { all, element, stored, words } from "./page.js";

const name = "peyk-code";

/** Shows the chosen language in each group that has it, and the first one elsewhere. */
function choose(groups, language) {
  for (const { tabs } of groups) {
    const chosen = tabs.find((tab) => tab.language === language) ?? tabs[0];
    for (const tab of tabs) {
      tab.panel.hidden = tab !== chosen;
      tab.button.setAttribute("aria-selected", tab === chosen);
      tab.button.tabIndex = tab === chosen ? 0 : -1;
    }
  }
}

/** Gives a group its row of tabs. */
function groupOf(block, number) {
  const tabs = all(":scope > [data-tab]", block).map((panel) => {
    const { tab: language } = panel.dataset;
    const title = panel.querySelector(".tab-name");
    const [id, panelId] = [`tab-${number}-${language}`, `panel-${number}-${language}`];
    const button = element("button", title.textContent, { type: "button", role: "tab", id, "aria-controls": panelId });
    title.remove();
    for (const [attribute, value] of Object.entries({ role: "tabpanel", id: panelId, "aria-labelledby": id }))
      panel.setAttribute(attribute, value);
    return { language, panel, button };
  });
  const row = tabs.map(({ button }) => button);
  block.prepend(element("div", row, { role: "tablist", "aria-label": words.languages }));
  return { block, tabs };
}

/** The tab that a key leads to from the tab at `index`. The row runs from left to right in both languages, as code does. */
function target(tabs, index, key) {
  const step = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[key];
  return step === undefined ? undefined : tabs.at(step % tabs.length);
}

export function bindTabs(blocks) {
  const groups = blocks.map(groupOf);
  const pick = (tab) => {
    // What stands above grows or shrinks too. The reader's place stays where it is.
    const before = tab.button.getBoundingClientRect().top;
    choose(groups, tab.language);
    scrollBy({ top: tab.button.getBoundingClientRect().top - before, behavior: "instant" });
    stored.set("localStorage", name, tab.language);
  };
  for (const { tabs } of groups)
    for (const [index, tab] of tabs.entries()) {
      tab.button.addEventListener("click", () => pick(tab));
      tab.button.addEventListener("keydown", (event) => {
        const next = target(tabs, index, event.key);
        if (!next) return;
        event.preventDefault();
        pick(next);
        next.button.focus();
      });
    }
  choose(groups, stored.get("localStorage", name));
}
