// Code in several languages, of which the reader sees the one that they have chosen. `site/static/tabs.js` makes the tabs;
// without scripts the blocks stand below one another, each under the name of its language.

/** The languages in the order in which they stand, by the name of their fence, and what the reader sees. */
export const tabNames = { sh: "curl", js: "TypeScript", python: "Python", php: "PHP" };

/** `tabs`: `{language, html}` each, where `language` is a name of `tabNames` and `html` its blocks of code. */
export function codeTabs(tabs) {
  const tab = ({ language, html }) =>
    `<div data-tab="${language}"><p class="tab-name">${tabNames[language]}</p>${html}</div>`;
  return `<div class="tabs">${tabs.map(tab).join("")}</div>\n`;
}
