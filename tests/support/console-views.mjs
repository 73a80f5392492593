// What every view of the console must be: in both languages, on a phone and on a screen, light and dark.
import assert from "node:assert/strict";
import { test } from "node:test";
import { goTo, openConsole } from "./console-browser.mjs";
import { overflow, violations } from "./site-browser.mjs";

export const languages = ["en", "fa"];
export const widths = [375, 1_280];

export const list = (page) => page.locator("#content table.list").first();

/** Asserts that a view is accessible in both themes, fits its window and is without a fault. `name` says in a failure which one it is. */
export async function assertGood(page, faults, name) {
  const found = [];
  await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
  const wider = await overflow(page);
  if (wider > 0) found.push(`the page is ${wider} pixels too wide`);
  await page.emulateMedia({ colorScheme: "light" });
  found.push(...(await violations(page)).map((violation) => `light: ${violation}`));
  // Of all the rules, only this one depends on the colors.
  await page.emulateMedia({ colorScheme: "dark" });
  found.push(...(await violations(page, "color-contrast")).map((violation) => `dark: ${violation}`));
  assert.deepEqual([...found, ...faults.splice(0)], [], name);
}

/**
 * Tests views of pages. A view is `{ name, hash, title, ready }`: where it stands, its heading, and what to do until it is there as
 * a whole. `service` returns the browser, the server and the key of the person who looks. `title` and `ready` get the texts, and those of
 * operators' pages.
 */
export function testViews(service, views) {
  for (const language of languages)
    for (const width of widths)
      test(`every page is whole, accessible and from this host alone, in ${language} at ${width} px`, async () => {
        const { browser, server, key } = service();
        const viewport = { width, height: 800 };
        const { page, faults, close, t, o } = await openConsole(browser, server, key, { language, viewport });
        for (const { name, hash, title, ready } of views) {
          await goTo(page, typeof hash === "function" ? hash() : hash, title(t, o));
          await ready(page, t, o);
          await assertGood(page, faults, name);
          await page.keyboard.press("Escape");
        }
        await close();
      });
}
