// How far a page moves by itself while it loads: the sum of Chromium's layout shifts, as CLS has it.

/** What counts as good: https://web.dev/articles/cls */
const mostShift = 0.1;

/** Notes the shifts of each document that the page opens. */
export const noteShifts = (page) =>
  page.addInitScript(() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries())
        if (!hadRecentInput) window.shifts.push({ value, moved: sources.map(({ node }) => nameOf(node)) });
    }).observe({ type: "layout-shift", buffered: true });
    const nameOf = (node) => {
      const element = node instanceof Element ? node : node?.parentElement;
      return element ? `${element.localName}.${element.className}` : "?";
    };
  });

/** Holds the requests that `isHeld` names until what it returns is called: as on a slow network, they come late. */
async function hold(page, isHeld) {
  let release;
  const released = new Promise((resolve) => {
    release = resolve;
  });
  await page.route(isHeld, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Waits until something is seen of the page. */
const painted = (page) => page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);

/**
 * Opens an address so that what `comesLate` comes after something is seen of the page, and tells what has moved when the page is
 * there as a whole, which `whole` waits for.
 */
export async function movedAt(page, address, comesLate, whole) {
  const release = await hold(page, comesLate);
  await page.goto(address, { waitUntil: "commit" });
  await painted(page);
  release();
  await whole();
  const found = await movedTooFar(page);
  await page.unrouteAll({ behavior: "wait" });
  return found.map((fault) => `${address}: ${fault}`);
}

/** Waits until what has changed is drawn, and tells what has moved too far, as a list that is empty if nothing has. */
async function movedTooFar(page) {
  const shifts = await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return window.shifts;
  });
  const sum = shifts.reduce((all, { value }) => all + value, 0);
  if (sum <= mostShift) return [];
  const parts = shifts.map(({ value, moved }) => `${value.toFixed(3)} ${moved.join(", ")}`);
  return [`at ${page.viewportSize().width} px the page moves by ${sum.toFixed(3)}: ${parts.join("; ")}`];
}
