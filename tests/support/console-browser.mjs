// The console in Chromium: the way in, and what its tests read of it.
import assert from "node:assert/strict";
import { en } from "../../console/messages/en.ts";
import { fa } from "../../console/messages/fa.ts";
import { en as operatorEn } from "../../console/messages/operator/en.ts";
import { fa as operatorFa } from "../../console/messages/operator/fa.ts";
import { until } from "./server.mjs";
import { openPage } from "./site-browser.mjs";

export const texts = { en, fa };
export const operatorTexts = { en: operatorEn, fa: operatorFa };

/** Chromium tells of each 401, also of the one that says that nobody has signed in yet. */
const notSignedIn = /^console: Failed to load resource: the server responded with a status of 401/;

/**
 * Opens the console for a person who has chosen a language before, and signs in with a key: of an account, or of an operator.
 * `faults` has what must never happen on a page from then on. `t` has the texts, and `o` those of operators' pages.
 */
export async function openConsole(browser, server, key, { language = "en", hash = "#/", ...options } = {}) {
  const opened = await openPage(browser, server.baseUrl, { givesUp: true, ...options });
  const { page, faults } = opened;
  await chooseLanguage(page, language);
  await page.goto(`/console${hash}`);
  await signIn(page, key);
  await page.locator("#content h1").waitFor();
  assert.ok(
    faults.every((fault) => notSignedIn.test(fault)),
    faults.join("\n"),
  );
  faults.length = 0;
  return { ...opened, t: texts[language], o: operatorTexts[language] };
}

export async function signIn(page, key) {
  await showKeyForm(page);
  await page.locator(".sign-in input").fill(key);
  await page.locator(".sign-in [type=submit]").click();
  await page.locator(".sign-in").waitFor({ state: "detached" });
}

/** A person with a key asks for the form that takes it. */
export async function showKeyForm(page) {
  const form = page.locator(".sign-in [type=password]");
  await page.locator(".sign-in h1").waitFor();
  if (!(await form.isVisible())) await page.locator(".sign-in main > .button.link").click();
  await form.waitFor();
}

export const chooseLanguage = (page, language) =>
  page.addInitScript((language) => {
    const calendar = language === "fa" ? "persian" : "gregory";
    // What the person chooses later counts more.
    if (!localStorage.getItem("peyk-console"))
      localStorage.setItem("peyk-console", JSON.stringify({ language, calendar }));
  }, language);

/** Goes to a page of the console as a link does, and waits for its heading. */
export async function goTo(page, hash, title) {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, hash);
  await page.locator("#content h1", { hasText: title }).waitFor();
}

/** The heading of a page with exactly this title: "New message" is not "Message". */
export const heading = (page, title) =>
  page.locator("#content").getByRole("heading", { level: 1, name: title, exact: true });

export const button = (scope, name) => scope.getByRole("button", { name, exact: true });
export const dialog = (page) => page.getByRole("alertdialog");
export const field = (page, label) => page.getByLabel(label, { exact: true });

/** What is left of a text without the marks that keep directions apart, as a person reads it. */
export const read = async (locator) => (await locator.innerText()).replace(/[\u2066-\u2069\u200e\u200f]/g, "");

/**
 * Presses a button of a dialog until a text is seen. The service may refuse at first, as it does for a chunk that is on its way to a
 * carrier at this moment: then the dialog says so, and a person presses again. A press while the answer is under way does nothing, and
 * the dialog may go away before it.
 */
export async function pressUntil(page, name, text) {
  const submit = button(dialog(page), name);
  const press = async () => {
    if (await page.getByText(text).isVisible()) return true;
    // Who clicks what goes away at this moment waits for it in vain.
    await submit.click({ timeout: 1_000 }).catch(() => {});
    return false;
  };
  await until(press, { what: `"${text}"` });
}
