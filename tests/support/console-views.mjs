// What every view of the console must be: in both languages, on a phone and on a screen, light and dark.
import assert from "node:assert/strict";
import { test } from "node:test";
import { themesAt, violations } from "./accessible/violations.mjs";
import { goTo, openConsole } from "./console-browser.mjs";
import { movedAt, noteShifts } from "./layout-shift.mjs";
import { overflow } from "./site-browser.mjs";

export const languages = ["en", "fa"];
export const widths = [375, 1_280];

export const list = (page) => page.locator("#content table.list").first();

/**
 * Asserts that a view is accessible in both themes, or in those that are named, fits its window and is without a fault. `name` says in
 * a failure which one it is.
 */
export async function assertGood(page, faults, name, themes) {
  await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
  const wider = await overflow(page);
  const found = wider > 0 ? [`the page is ${wider} pixels too wide`] : [];
  found.push(...(await violations(page, themes)));
  assert.deepEqual([...found, ...faults.splice(0)], [], name);
}

/** A window of a width. */
export const sizeOf = (width) => ({ width, height: 800 });

/** How many dialogs are open, and what else lies over the page. */
const overlays = (page) => page.locator("[role=dialog], [role=alertdialog], [role=listbox], [role=menu]").count();

/**
 * The widths in the order in which a page is shown in a language: it is opened at the first, and its window then gets the others. The
 * languages begin with different ones, so that what a page shows is read at each.
 */
export const widthsIn = (language) => (language === languages[0] ? widths : widths.toReversed());

/** Gives the window another width, and waits until the page has been drawn so. What was open stays open. */
async function resize(page, width, name) {
  const open = await overlays(page);
  await page.setViewportSize(sizeOf(width));
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.equal(await overlays(page), open, `${name}: what is open at ${width} px`);
}

/**
 * Asserts that a page, which is shown at the first of these widths, is good at each. One that is shown so in each language says in which
 * it is: then `themesAt` has its themes.
 */
export async function assertGoodAt([first, ...others], page, faults, name, language) {
  const themes = (width) => language && themesAt(width, widths, language === languages[0]);
  await assertGood(page, faults, `${name} at ${first} px`, themes(first));
  for (const width of others) {
    await resize(page, width, name);
    await assertGood(page, faults, `${name} at ${width} px`, themes(width));
  }
}

/**
 * Tests views of pages. A view is `{ name, hash, title, ready }`: where it stands, its heading, and what to do until it is there as
 * a whole. `service` returns the browser, the server and the key of the person who looks. `title` and `ready` get the texts, and those of
 * operators' pages. It takes long until a view is there, so it is opened once in a language, and its window then gets each width.
 */
export function testViews(service, views) {
  const [first] = widths;
  for (const language of languages)
    test(`every page is whole, accessible and from this host alone, in ${language} at ${widths.join(" and ")} px`, async () => {
      const { browser, server, key } = service();
      const opened = await openConsole(browser, server, key, { language, viewport: sizeOf(first) });
      const { page, faults, close, t, o } = opened;
      for (const { name, hash, title, ready } of views) {
        await page.setViewportSize(sizeOf(first));
        await goTo(page, typeof hash === "function" ? hash() : hash, title(t, o));
        await ready(page, t, o);
        await assertGoodAt(widths, page, faults, name, language);
        await page.keyboard.press("Escape");
      }
      await close();
    });
}

/** What the service answers, and the font. */
const comesLate = ({ pathname }) => pathname.endsWith(".woff2") || !/^\/(?:docs|console(?!\/session))/.test(pathname);

/** What moves too far of pages while they load, at widths: `[width, hashes]` each. */
export async function movedWhileLoading(page, pages) {
  await noteShifts(page);
  const whole = async () => {
    await page.locator("#content h1").waitFor();
    for (const part of [".loading", "[aria-busy=true]"])
      await page.locator(part).first().waitFor({ state: "detached" });
  };
  const found = [];
  for (const [width, hashes] of pages) {
    await page.setViewportSize(sizeOf(width));
    for (const hash of hashes) {
      // A change of what follows the `#` alone loads nothing.
      await page.goto("about:blank");
      found.push(...(await movedAt(page, `/console#${hash}`, comesLate, whole)));
    }
  }
  return found;
}
