// A headless Chromium for the tests of the site, and what is held of each page that it opens.
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { chromiumPath } from "../../scripts/lib/test/install.mjs";

/** A slow machine takes long for a page. Only what never comes takes so long. */
export const patience = 10 * 60_000;

/** Starts Chromium with the flags of the other browser tests. */
export function launch() {
  const { args } = JSON.parse(readFileSync(inRoot("webdriver.json"), "utf8"))["goog:chromeOptions"];
  return chromium.launch({ executablePath: chromiumPath(), args, timeout: patience });
}

/**
 * Opens a page in a context of its own. `faults` has what must never happen on a page of the site: a request to another host,
 * an answer that is an error, an error of a script, and what the policy of the page has refused. With `givesUp`, a page may break off
 * its own requests, as one does that needs an answer no more.
 */
export async function openPage(browser, baseUrl, { givesUp = false, ...options } = {}) {
  const context = await browser.newContext({ baseURL: baseUrl, ...options });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`script: ${error}`));
  page.on("requestfailed", (request) => {
    if (!givesUp || request.failure()?.errorText !== "net::ERR_ABORTED") faults.push(`failed: ${request.url()}`);
  });
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== baseUrl) faults.push(`another host: ${request.url()}`);
  });
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sample }) =>
      console.error("policy", effectiveDirective, blockedURI, sample),
    );
  });
  return { page, faults, close: () => context.close() };
}

/** How many pixels the page is wider than the window. */
export const overflow = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** The tables that are wider than their place, by how they begin. A phone shows a table whole. */
export const clipped = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll(".table")]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(({ textContent }) => textContent.trim().slice(0, 60)),
  );
