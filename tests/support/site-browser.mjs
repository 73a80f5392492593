// A headless Chromium for the tests of the site, and what is held of each page that it opens.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { chromiumPath } from "../../scripts/lib/test/install.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** A slow machine takes long for a page. Only what never comes takes so long. */
export const patience = 10 * 60_000;
const levels = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"];

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

/** What axe finds against WCAG 2.1, A and AA, in what a page shows now and in both themes. */
export async function violations(page) {
  // What is evaluated by the protocol of the browser is not held to the policy of the page.
  if (!(await page.evaluate("typeof axe !== 'undefined'"))) await page.evaluate(axe);
  const found = [];
  await page.emulateMedia({ colorScheme: "light" });
  found.push(...(await page.evaluate(judgeForm, levels)), ...(await contrastFaults(page, "light")));
  // Of all the rules, only that of the contrast depends on the colors.
  await page.emulateMedia({ colorScheme: "dark" });
  found.push(...(await contrastFaults(page, "dark")));
  await page.emulateMedia({ colorScheme: null });
  return found;
}

/** Applies all rules but that of the contrast. Runs in the page. */
async function judgeForm(levels) {
  const rules = { "color-contrast": { enabled: false } };
  const { violations } = await axe.run(document, {
    runOnly: { type: "tag", values: levels },
    rules,
    resultTypes: ["violations"],
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, any }) => `${id}: ${html.slice(0, 200)} (${any[0]?.message ?? ""})`),
  );
}

/**
 * The looks of text that this process has seen judged. The contrast of a text follows from its look: its color and size, and the grounds
 * under it. Most texts of a page look like one of the page before, and axe takes a millisecond for each.
 */
const judgedLooks = new Set();

async function contrastFaults(page, theme) {
  const { judged, faults } = await page.evaluate(judgeContrast, [...judgedLooks]);
  for (const look of judged) judgedLooks.add(look);
  return faults.map((fault) => `${theme}: ${fault}`);
}

/** Judges one text of each look that is not known. A text that axe can't judge leaves its look unknown. Runs in the page. */
async function judgeContrast(known) {
  const isKnown = new Set(known);
  const grounds = new Map();
  const ground = (element) => {
    if (!element) return "";
    if (!grounds.has(element)) grounds.set(element, ground(element.parentElement) + ownGround(element));
    return grounds.get(element);
  };
  // What is positioned may lie over something else than its parents, so its look has its kind too.
  const ownGround = (element) => {
    const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(element);
    const place = ["absolute", "fixed", "sticky"].includes(position) ? `${element.tagName}.${element.className}` : "";
    const paint =
      backgroundColor === "rgba(0, 0, 0, 0)" && backgroundImage === "none" ? "" : backgroundColor + backgroundImage;
    return opacity === "1" ? paint + place : `${paint}${place}*${opacity}`;
  };
  const look = (element) => {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    return [color, fontSize, fontWeight, textShadow, ground(element)].join("|");
  };
  const hasText = (element) =>
    element.matches("input, select, textarea") ||
    [...element.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim());
  const samples = new Map();
  for (const element of document.body.querySelectorAll("*"))
    if (hasText(element) && element.checkVisibility() && !isKnown.has(look(element))) {
      const kind = `${look(element)}|${Boolean(element.closest("[disabled], [aria-disabled=true]"))}`;
      if (!samples.has(kind)) samples.set(kind, element);
    }
  if (samples.size === 0) return { judged: [], faults: [] };
  const { passes, violations } = await axe.run(
    { include: [...samples.values()] },
    { runOnly: { type: "rule", values: ["color-contrast"] }, elementRef: true, preload: false },
  );
  const nodes = [...passes, ...violations].flatMap(({ nodes }) => nodes);
  return {
    judged: [...new Set(nodes.map(({ element }) => look(element)))],
    faults: violations.flatMap(({ nodes }) =>
      nodes.map(({ html, any }) => `${html.slice(0, 200)} (${any[0]?.message})`),
    ),
  };
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
