// What the pages can do: switch colors and languages of code, copy, search, and send requests with the reader's key.

import { bindFirstMessage } from "./first-message.js";
import { bindKeys } from "./key.js";
import { bindOperation } from "./operation.js";
import { all, element, stored, words } from "./page.js";
import { bindSearch } from "./search.js";
import { bindTabs } from "./tabs.js";

const placeholder = "https://sms.example.com";

function bindTheme(button) {
  const themes = ["system", "light", "dark"];
  const show = () => {
    button.textContent = button.dataset[document.documentElement.dataset.theme ?? "system"];
  };
  button.addEventListener("click", () => {
    const now = document.documentElement.dataset.theme ?? "system";
    const next = themes[(themes.indexOf(now) + 1) % themes.length];
    if (next === "system") {
      delete document.documentElement.dataset.theme;
      stored.remove("localStorage", "peyk-theme");
    } else {
      document.documentElement.dataset.theme = next;
      stored.set("localStorage", "peyk-theme", next);
    }
    show();
  });
  show();
  button.hidden = false;
}

/** Code shows the address of the service that serves the page. */
function bindAddress(code) {
  if (code.textContent.includes(placeholder))
    code.textContent = code.textContent.replaceAll(placeholder, location.origin);
}

/** Lets a reader copy a block of code. */
function bindCode(block) {
  const button = element("button", words.copy, { type: "button", class: "copy" });
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.querySelector("code").textContent);
    button.textContent = words.copied;
  });
  button.addEventListener("blur", () => {
    button.textContent = words.copy;
  });
  block.prepend(button);
}

/** The contents of a page stand open where there is room beside the page. */
function bindContents(details) {
  const beside = matchMedia("(width >= 80rem)");
  const follow = () => {
    details.open = beside.matches;
  };
  beside.addEventListener("change", follow);
  follow();
}

/** What the reader has chosen holds for the next visit. */
function bindLanguage(link) {
  link.addEventListener("click", () => stored.set("localStorage", "peyk-docs-language", link.hreflang));
}

all("[data-theme-switch]").forEach(bindTheme);
all("main code").forEach(bindAddress);
all("div.code").forEach(bindCode);
all(".contents > details").forEach(bindContents);
bindTabs(all(".tabs"));
all("a.language").forEach(bindLanguage);
bindKeys();
all("form[data-method]").forEach(bindOperation);
all("form[data-first-message]").forEach(bindFirstMessage);
all("form[data-search]").forEach(bindSearch);
