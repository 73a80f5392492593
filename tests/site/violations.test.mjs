// What has been judged once is not judged again, so a fault must be found also in a page that was good a moment ago.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { violations } from "../support/accessible/violations.mjs";
import { launch } from "../support/site-browser.mjs";

const good = `<!doctype html><html lang="en"><head><title>Parts</title></head><body><main><h1>Parts</h1>
  <div id="first">${"<p>A text with <a href='/x'>a link</a> in it.</p>".repeat(8)}</div>
  <div id="second"><label for="name">Name</label><input id="name"><ul><li>One</li></ul>${"<p>Words</p>".repeat(12)}</div>
</main></body></html>`;

/** What is done to the good page, and what is then said of it. */
const faults = [
  ["button-name", "first.insertAdjacentHTML('beforeend', '<button></button>')"],
  ["image-alt", "first.insertAdjacentHTML('beforeend', '<img src=x>')"],
  ["listitem", "second.insertAdjacentHTML('beforeend', '<li>Two</li>')"],
  ["list", "second.querySelector('ul').insertAdjacentHTML('beforeend', '<p>Two</p>')"],
  ["aria-valid-attr", "first.querySelector('p').setAttribute('aria-lebel', 'x')"],
  ["aria-roles", "second.querySelector('p').setAttribute('role', 'buton')"],
  ["html-has-lang", "document.documentElement.removeAttribute('lang')"],
  ["document-title", "document.title = ''"],
  ["label", "second.querySelector('label').remove()"],
  ["label", "second.querySelector('label').textContent = ''"],
  ["link-name", "first.querySelector('a').innerHTML = '<span hidden>a link</span>'"],
  ["aria-hidden-focus", "second.setAttribute('aria-hidden', 'true')"],
  ["label-content-name-mismatch", "first.insertAdjacentHTML('beforeend', '<button aria-label=Other>Send</button>')"],
  ["valid-lang", "second.querySelector('p').lang = 'xx-none'"],
  ["more than one element", "second.querySelector('p').id = 'first'"],
  ["insufficient color contrast", "second.querySelector('p').style.cssText = 'color: #888; background: #999'"],
  ["insufficient color contrast", "first.querySelector('a').style.cssText = 'color: #333; text-decoration: none'"],
];

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test("a fault is found in a part and a look that nobody has judged, and none in those that are good", async () => {
  const page = await browser.newPage();
  for (const [fault, change] of faults) {
    await page.setContent(good);
    assert.deepEqual(await violations(page), []);
    await page.evaluate(change);
    const found = await violations(page);
    assert.ok(
      found.some((one) => one.includes(fault)),
      `${fault}, after ${change}: ${found}`,
    );
  }
});
