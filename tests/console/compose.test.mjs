// Messages of the console beyond the plain one: to phonebooks, of patterns, for later, and as a test to oneself.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { button, dialog, field, goTo, heading, openConsole, read } from "../support/console-browser.mjs";
import { testViews } from "../support/console-views.mjs";
import { api, sharedServer } from "../support/server.mjs";
import { admin, all, credit, inbox, issueKey, openShop, walletOf, whenDone } from "../support/shop.mjs";
import { launch } from "../support/site-browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

let shop;
const server = sharedServer(async (server) => {
  shop = await openShop(server, 1_000_000);
  await fillShop(shop.key);
});

async function must(...call) {
  const answer = await api(...call);
  assert.ok(answer.status < 300, answer.text);
  return answer.json.data;
}

/** Two phonebooks with a number in both, and a pattern. */
async function fillShop(key) {
  const book = async (title, numbers) => {
    const { id } = await must(server, "POST", "/phonebook", { key, body: { title } });
    await must(server, "POST", `/phonebook/number/${id}`, { key, body: { numbers } });
    return id;
  };
  const ali = { number: "09121234567", name: "علی", attributes: { city: "تهران" } };
  const sara = { number: "09351234567", name: "Sara" };
  const reza = { number: "09211234567", name: "رضا" };
  const books = [await book("مشتریان", [ali, sara]), await book("Newsletter", [sara, reza])];
  const text = "سلام %NAME%، سفارش %ORDER% با %POST% ارسال شد.";
  const variables = [
    { name: "NAME", type: "TEXT" },
    { name: "ORDER", type: "NUMBER", maxLength: 8 },
    { name: "POST", type: "ENUM", values: ["پست", "تیپاکس"] },
  ];
  await must(server, "POST", "/pattern", { key, body: { slug: "order", title: "Order", text, variables } });
  await must(server, "POST", "/pattern/order/versions/1/activate", { key });
  return books;
}

const radio = (page, name) => page.getByRole("radio", { name, exact: true });

async function begin(page, t, kind) {
  await goTo(page, "#/compose", t.compose.title);
  await button(page, t.compose.clear).click();
  await radio(page, t.compose.kinds[kind]).press(" ");
}

const chooseBook = (page, title) => page.locator(".books label", { hasText: title }).click();

/** Opens a choice and takes one of it. */
async function chooseFrom(scope, label, option, page = scope) {
  await scope.getByRole("button", { name: new RegExp(`${label}$`) }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

async function writePattern(page, t) {
  await begin(page, t, "pattern");
  await field(page, t.compose.numbers).fill("09121234567, 09351234567");
  await chooseFrom(page, t.compose.pattern, "Order");
  await field(page, "NAME").fill("علی");
  await field(page, "ORDER").fill("1024");
}

const views = [
  {
    name: "a text to phonebooks",
    hash: "#/compose",
    title: (t) => t.compose.title,
    ready: async (page, t) => {
      await begin(page, t, "phonebooks");
      await chooseBook(page, "Newsletter");
      await chooseBook(page, "مشتریان");
      await field(page, t.compose.text).fill("%name% عزیز، حراج شروع شد");
      await page.getByText(t.compose.excludeTitle).click();
      await field(page, t.compose.exclude).fill("0912");
      await page.locator(".samples").waitFor();
      await button(page, t.compose.review).click();
      await page.getByText(t.compose.mendFirst).waitFor();
    },
  },
  {
    name: "a pattern without a value, for later",
    hash: "#/compose",
    title: (t) => t.compose.title,
    ready: async (page, t) => {
      await writePattern(page, t);
      await radio(page, t.compose.later).press(" ");
      await field(page, t.compose.testNumber).fill("0912");
      await page.locator(".estimate .facts").waitFor();
      await button(page, t.compose.review).click();
      await page.getByText(t.compose.noValues).waitFor();
    },
  },
  {
    name: "a placeholder in a text to numbers, which is saved",
    hash: "#/compose",
    title: (t) => t.compose.title,
    ready: async (page, t) => {
      await begin(page, t, "numbers");
      await writeTo(page, t, "سلام %name%");
      await page.locator(".note").waitFor();
      await page.locator(".estimate .facts").waitFor();
      await button(page, t.saved.save).click();
      await button(dialog(page), t.saved.saveSubmit).click();
      await dialog(page).getByText(t.patterns.noName).waitFor();
    },
  },
  {
    name: "a saved text is chosen",
    hash: "#/compose",
    title: (t) => t.compose.title,
    ready: async (page, t) => {
      await begin(page, t, "phonebooks");
      await button(page, t.saved.use).click();
      await chooseFrom(dialog(page), t.saved.label, "Order", page);
      await dialog(page).locator(".message-text").waitFor();
    },
  },
];

testViews(() => ({ browser, server, key: shop.key }), views);

test("a text goes to phonebooks, each number once, with its own values and without those left out", async () => {
  const own = await openShop(server, 100_000);
  await fillShop(own.key);
  const { page, faults, close, t } = await openConsole(browser, server, own.key, { hash: "#/compose" });
  await begin(page, t, "phonebooks");
  await button(page, t.compose.review).click();
  await page.getByText(t.compose.noPhonebook).waitFor();
  await chooseBook(page, "مشتریان");
  await chooseBook(page, "Newsletter");
  await field(page, t.compose.text).fill("Hello ");
  await button(page, t.compose.addPlaceholder("name")).click();
  await button(page, t.compose.addPlaceholder("city")).click();
  assert.equal(await field(page, t.compose.text).inputValue(), "Hello %name%%city%");
  await page.locator(".samples", { hasText: "Hello علیتهران" }).waitFor();
  await page.getByText(t.compose.excludeTitle).click();
  await field(page, t.compose.exclude).fill("09211234567");
  await page.reload();
  await button(page, t.compose.review).click();
  const look = await read(dialog(page));
  assert.match(look, /It goes to 2 recipients at once and costs IRR 2,000\./);
  await button(dialog(page), t.compose.submit("2")).click();
  await page.getByText(t.message.ended("2", "2")).waitFor();
  const [message] = await must(server, "GET", "/messages", { key: own.key });
  assert.deepEqual([message.type, message.recipientCount], ["PHONEBOOK", 2]);
  const recipients = await all(server, own.key, `/messages/${message.uid}/recipients`);
  assert.deepEqual(recipients.map(({ recipient, message }) => [recipient, message]).toSorted(), [
    ["+989121234567", "Hello علیتهران"],
    ["+989351234567", "Hello Sara"],
  ]);
  assert.equal((await inbox(server, own.id)).size, 2);
  assert.deepEqual(faults, []);
  await close();
});

for (const language of ["en", "fa"])
  test(`who is on the blacklist is left out, and told before and after, in ${language}`, async () => {
    const own = await openShop(server, 100_000);
    await fillShop(own.key);
    await must(server, "POST", "/blacklist", { key: own.key, body: { numbers: ["09351234567"] } });
    const { page, faults, close, t } = await openConsole(browser, server, own.key, { hash: "#/compose", language });
    const [one, two] = language === "fa" ? ["۱", "۲"] : ["1", "2"];
    await begin(page, t, "phonebooks");
    await chooseBook(page, "مشتریان");
    await chooseBook(page, "Newsletter");
    await field(page, t.compose.text).fill("Hello");
    await page.locator(".estimate", { hasText: t.compose.skipped(one) }).waitFor();
    await button(page, t.compose.review).click();
    const told = await read(dialog(page));
    assert.ok(told.includes(t.compose.skipped(one)), told);
    await button(dialog(page), t.compose.submit(two)).click();
    await page.getByText(t.message.ended(two, two)).waitFor();
    await page.getByRole("link", { name: t.message.skipped(one) }).click();
    await page.locator("table.list tbody tr:only-child", { hasText: t.reasons.BLACKLISTED }).waitFor();
    await page.locator("table.list .badge", { hasText: t.recipientStatuses.SKIPPED }).waitFor();
    assert.equal((await walletOf(server, own.key)).availableBalance, 98_000);
    await goTo(page, "#/messages", t.messages.title);
    await page.locator("table.list .badge", { hasText: t.messages.skipped(one) }).waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

test("a message to nobody but the blacklist is refused before the last look", async () => {
  const own = await openShop(server, 100_000);
  await must(server, "POST", "/blacklist", { key: own.key, body: { numbers: ["09351234567"] } });
  const { page, close, t } = await openConsole(browser, server, own.key, { hash: "#/compose" });
  await writeTo(page, t, "hello");
  await button(page, t.compose.review).click();
  await page.getByRole("alert").waitFor();
  assert.equal(await dialog(page).count(), 0);
  await close();
});

/** Writes a text to one number. */
async function writeTo(page, t, text) {
  await field(page, t.compose.numbers).fill("09351234567");
  await field(page, t.compose.text).fill(text);
}

for (const language of ["en", "fa"])
  test(`a text to numbers with a placeholder is warned of, in ${language}`, async () => {
    const { page, close, t } = await openConsole(browser, server, shop.key, { hash: "#/compose", language });
    await writeTo(page, t, "سلام %name%، 50%");
    const told = page.locator(".note", { hasText: t.compose.unfilled("\u2068%name%\u2069") });
    await told.waitFor();
    await begin(page, t, "phonebooks");
    await field(page, t.compose.text).fill("سلام %name%");
    assert.equal(await told.count(), 0);
    await close();
  });

for (const language of ["en", "fa"])
  test(`a text is saved as a pattern and used again, without an approval, in ${language}`, async () => {
    const own = await openShop(server, 100_000);
    await fillShop(own.key);
    const options = { hash: "#/compose", language };
    const { page, faults, close, t } = await openConsole(browser, server, own.key, options);
    await button(page, t.saved.use).click();
    await dialog(page)
      .getByText(t.saved.withPlaceholders(language === "fa" ? "۱" : "1"))
      .waitFor();
    await button(dialog(page), t.form.cancel).click();
    await writeTo(page, t, "فردا تعطیل هستیم.");
    await button(page, t.saved.save).click();
    await button(dialog(page), t.saved.saveSubmit).click();
    await dialog(page).getByText(t.patterns.noName).waitFor();
    await field(dialog(page), t.saved.name).fill("تعطیلی");
    await button(dialog(page), t.saved.saveSubmit).click();
    await page.getByText(t.saved.done, { exact: true }).waitFor();
    const kept = (await must(server, "GET", "/pattern", { key: own.key })).find(({ title }) => title === "تعطیلی");
    assert.deepEqual(
      kept.versions.map(({ status, text }) => [status, text]),
      [["DRAFT", "فردا تعطیل هستیم."]],
    );
    await field(page, t.compose.text).fill("سلام");
    await button(page, t.saved.use).click();
    await button(dialog(page), t.saved.useSubmit).click();
    await dialog(page).locator(".bad", { hasText: t.saved.choose }).waitFor();
    await chooseFrom(dialog(page), t.saved.label, "تعطیلی", page);
    await dialog(page).getByText("فردا تعطیل هستیم.").waitFor();
    await button(dialog(page), t.saved.useSubmit).click();
    await dialog(page).waitFor({ state: "detached" });
    assert.equal(await field(page, t.compose.text).inputValue(), "سلام\nفردا تعطیل هستیم.");
    await begin(page, t, "phonebooks");
    await button(page, t.saved.use).click();
    await chooseFrom(dialog(page), t.saved.label, "Order", page);
    await button(dialog(page), t.saved.useSubmit).click();
    await dialog(page).waitFor({ state: "detached" });
    assert.match(await field(page, t.compose.text).inputValue(), /%NAME%/);
    assert.deepEqual(faults, []);
    await close();
  });

test("a double click sends once", async () => {
  const own = await openShop(server, 100_000);
  const { page, faults, close, t } = await openConsole(browser, server, own.key, { hash: "#/compose" });
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await writeTo(page, t, "hello");
  await button(page, t.compose.review).click();
  // Both come before the page has drawn what the first one does.
  await button(dialog(page), t.compose.submit("1")).evaluate((send) => {
    send.click();
    send.click();
  });
  await page.getByText(t.message.ended("1", "1")).waitFor();
  assert.equal(asked.filter((path) => path === "/sms/send").length, 1);
  assert.equal((await must(server, "GET", "/messages", { key: own.key })).length, 1);
  assert.deepEqual(faults, []);
  await close();
});

test("a message of which the answer is lost goes once, and a change of it is warned of", async () => {
  const own = await openShop(server, 100_000);
  const { page, close, t } = await openConsole(browser, server, own.key, { hash: "#/compose" });
  const messages = () => must(server, "GET", "/messages", { key: own.key });
  const isLost = async (route) => {
    await route.fetch();
    await route.abort();
  };
  await page.route("**/sms/send", isLost, { times: 2 });
  const lose = async (text) => {
    await writeTo(page, t, text);
    await button(page, t.compose.review).click();
    await button(dialog(page), t.compose.submit("1")).click();
    await dialog(page).getByText(t.compose.onceAgain).waitFor();
  };
  await lose("hello");
  await button(dialog(page), t.compose.submit("1")).click();
  await dialog(page)
    .getByRole("button", { name: t.compose.submit("1") })
    .waitFor();
  await dialog(page).getByText(t.compose.onceAgain).waitFor();
  await button(dialog(page), t.compose.back).click();
  await page.reload();
  await button(page, t.compose.review).click();
  await button(dialog(page), t.compose.submit("1")).click();
  await heading(page, t.message.title).waitFor();
  assert.equal((await messages()).length, 1);

  await page.route("**/sms/send", isLost, { times: 1 });
  await goTo(page, "#/compose", t.compose.title);
  await lose("second");
  await button(dialog(page), t.compose.back).click();
  const warning = page.getByText(t.compose.unanswered);
  assert.equal(await warning.count(), 0);
  await field(page, t.compose.text).fill("second, mended");
  await warning.waitFor();
  assert.equal(await page.getByRole("link", { name: t.compose.toMessages }).getAttribute("href"), "#/messages");
  await button(page, t.compose.review).click();
  await button(dialog(page), t.compose.submit("1")).click();
  await heading(page, t.message.title).waitFor();
  assert.deepEqual(
    (await messages()).map(({ message }) => message),
    ["second, mended", "second", "hello"],
  );
  await close();
});

for (const language of ["en", "fa"])
  test(`a word between two % that no phonebook has is refused before anything goes, with the words that there are, in ${language}`, async () => {
    const { page, close, t } = await openConsole(browser, server, shop.key, { hash: "#/compose", language });
    await begin(page, t, "phonebooks");
    await chooseBook(page, "مشتریان");
    await field(page, t.compose.text).fill("Hello %nobody%");
    await button(page, t.compose.review).click();
    const told = page.getByRole("alert").getByText("city").first();
    await told.waitFor();
    assert.ok((await read(told)).includes(`%${t.compose.nameAttribute}%`), await read(told));
    assert.equal(await dialog(page).count(), 0);
    await close();
  });

for (const language of ["en", "fa"])
  test(`a text for whose name nobody has a value is warned of, and one in UCS2 says why it has more parts, in ${language}`, async () => {
    const own = await openShop(server, 100_000);
    const { id } = await must(server, "POST", "/phonebook", { key: own.key, body: { title: "News" } });
    await must(server, "POST", `/phonebook/number/${id}`, {
      key: own.key,
      body: { numbers: [{ number: "09121234567" }] },
    });
    const options = { hash: `#/compose?book=${id}`, language };
    const { page, faults, close, t } = await openConsole(browser, server, own.key, options);
    await field(page, t.compose.text).fill(`سلام %${t.compose.nameAttribute}%، Peyk`);
    const note = page.locator(".estimate .note");
    await note.waitFor();
    assert.ok((await read(note)).includes(`%${t.compose.nameAttribute}%`), await read(note));
    await page.getByText(t.compose.ucs2, { exact: true }).click();
    await page.getByText(t.compose.ucs2Text).waitFor();
    await begin(page, t, "numbers");
    await writeTo(page, t, "سلام");
    await page.getByText(t.compose.ucs2, { exact: true }).waitFor();
    await field(page, t.compose.text).fill("hello");
    await page.getByText(t.compose.ucs2, { exact: true }).waitFor({ state: "detached" });
    assert.deepEqual(faults, []);
    await close();
  });

test("more than a message goes to are several messages, and what has not gone stays in the draft", async () => {
  const own = await openShop(server, 10_001_000);
  const { key } = own;
  const file = (from) => `number\n${Array.from({ length: 5_001 }, (_, index) => `0912${from + index}`).join("\n")}`;
  for (const [title, from] of [
    ["First", 1_000_000],
    ["Second", 2_000_000],
  ]) {
    const { id } = await must(server, "POST", "/phonebook", { key, body: { title } });
    const headers = { "content-type": "text/csv" };
    await must(server, "POST", `/phonebook/${id}/import`, { key, raw: file(from), headers });
  }
  const { page, close, t } = await openConsole(browser, server, key, { hash: "#/compose" });
  await begin(page, t, "phonebooks");
  await chooseBook(page, "First");
  await chooseBook(page, "Second");
  await field(page, t.compose.text).fill("hello");
  await page.getByText(t.compose.several("2", "10,000")).waitFor();
  // Each message alone can be paid.
  await button(page, t.compose.review).click();
  await page.getByRole("alert").getByText(t.compose.notEnough("IRR 1,000")).waitFor();
  await credit(server, own.id, 1_000);
  await page.reload();
  let sends = 0;
  await page.route("**/sms/phonebook/send", async (route) => {
    sends += 1;
    if (sends === 2) await route.abort();
    else await route.continue();
  });
  await button(page, t.compose.review).click();
  await button(dialog(page), t.compose.submit("10,002")).click();
  await dialog(page).getByText(t.compose.gone("1", "2")).waitFor();
  await dialog(page).getByRole("alert").getByText(t.state.network).waitFor();
  await button(dialog(page), t.compose.back).click();
  await page.reload();
  const box = (title) => page.getByRole("checkbox", { name: new RegExp(`^${title}`) });
  await box("Second").waitFor({ state: "attached" });
  assert.deepEqual([await box("First").isChecked(), await box("Second").isChecked()], [false, true]);
  await button(page, t.compose.review).click();
  await button(dialog(page), t.compose.submit("5,001")).click();
  await page.locator(".heading [role=status]", { hasText: "of 5,001" }).waitFor();
  const messages = await must(server, "GET", "/messages", { key });
  assert.deepEqual(
    messages.map(({ recipientCount }) => recipientCount),
    [5_001, 5_001],
  );
  await close();
});

test("a pattern has a field for each variable, shows its text as it is filled in, and is sent with it", async () => {
  const own = await openShop(server, 100_000);
  await fillShop(own.key);
  const { page, faults, close, t } = await openConsole(browser, server, own.key, { hash: "#/compose" });
  await writePattern(page, t);
  const preview = page.locator(".message-text");
  await preview.getByText("سلام علی، سفارش 1024 با %POST% ارسال شد.").waitFor();
  await page.reload();
  await chooseFrom(page, "POST", "پست");
  await preview.getByText("سلام علی، سفارش 1024 با پست ارسال شد.").waitFor();
  await page.locator(".estimate .facts", { hasText: "2,000" }).waitFor();
  await button(page, t.compose.review).click();
  await button(dialog(page), t.compose.submit("2")).click();
  await page.getByText(t.message.ended("2", "2")).waitFor();
  const [message] = await must(server, "GET", "/messages", { key: own.key });
  assert.deepEqual([message.type, message.message], ["PATTERN", "سلام علی، سفارش 1024 با پست ارسال شد."]);
  assert.deepEqual(faults, []);
  await close();
});

test("a message for later has its day and time in the person's calendar and time zone", async () => {
  const own = await openShop(server, 100_000);
  const timezoneId = "Asia/Tehran";
  const options = { language: "fa", hash: "#/compose", timezoneId };
  const { page, faults, close, t } = await openConsole(browser, server, own.key, options);
  await field(page, t.compose.numbers).fill("09121234567");
  await field(page, t.compose.text).fill("سلام");
  await radio(page, t.compose.later).press(" ");
  await page.getByText(timezoneId).waitFor();
  const time = page.getByRole("group", { name: t.compose.time });
  await time.getByRole("spinbutton").first().press("0");
  await page.keyboard.type("830");
  // Yesterday is over, at any hour.
  const day = page.locator(".moment .day").first().getByRole("spinbutton").last();
  await day.press("ArrowDown");
  await button(page, t.compose.review).click();
  await page.getByText(t.compose.noTime).waitFor();
  await day.press("ArrowUp");
  await page.locator(".moment .day button").click();
  await page.locator(".calendar [slot=next], .calendar .month button").last().click();
  await page.locator(".calendar .day-cell:not([data-outside-month])").nth(9).click();
  await button(page, t.compose.review).click();
  const told = await read(dialog(page));
  await button(dialog(page), t.compose.submit("۱")).click();
  await button(page, t.message.cancel).waitFor();
  const [{ sendAt }] = await must(server, "GET", "/messages", { key: own.key });
  const at = (options) => new Intl.DateTimeFormat("fa-IR-u-ca-persian", { timeZone: timezoneId, ...options });
  assert.equal(at({ hour: "2-digit", minute: "2-digit" }).format(new Date(sendAt)), "۰۸:۳۰");
  assert.equal(at({ day: "numeric" }).format(new Date(sendAt)), "۱۰");
  assert.ok(told.includes("۰۸:۳۰"), told);
  assert.deepEqual(faults, []);
  await close();
});

test("a test goes to one's own number first, which the browser remembers", async () => {
  const own = await openShop(server, 100_000);
  await fillShop(own.key);
  const { page, close, t } = await openConsole(browser, server, own.key, { hash: "#/compose" });
  assert.ok(await button(page, t.compose.test).isDisabled());
  await begin(page, t, "phonebooks");
  await chooseBook(page, "مشتریان");
  await field(page, t.compose.text).fill("Hello %name%");
  await button(page, t.compose.test).click();
  await page.getByText(t.phonebook.noNumber).waitFor();
  await field(page, t.compose.testNumber).fill("0936 123 4567");
  await button(page, t.compose.test).click();
  await page.getByText(t.compose.tested).waitFor();
  const [message, ...others] = await must(server, "GET", "/messages", { key: own.key });
  assert.deepEqual([message.message, message.recipientCount, others], ["Hello علی", 1, []]);
  const { recipients } = await whenDone(server, own.key, message.uid);
  assert.ok(recipients === undefined || recipients.length === 1);
  await page.reload();
  assert.equal(await field(page, t.compose.testNumber).inputValue(), "0936 123 4567");
  assert.equal(await field(page, t.compose.text).inputValue(), "Hello %name%");
  await close();
});

test("parts and price are counted in the page, without a request for each key stroke", async () => {
  const own = await openShop(server, 100_000);
  const { page, faults, close, t } = await openConsole(browser, server, own.key, { hash: "#/compose" });
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await field(page, t.compose.numbers).fill("09121234567, 09351234567");
  const facts = page.locator(".estimate .facts");
  await field(page, t.compose.text).fill("a".repeat(160));
  await facts.getByText("1 (GSM7)").waitFor();
  await field(page, t.compose.text).press("End");
  await page.keyboard.type("b");
  await facts.getByText("2 (GSM7)").waitFor();
  assert.match(await read(facts), /Left in this part\s+145/);
  await page.keyboard.type("é€");
  await page.keyboard.type("‌سلام");
  await facts.getByText("3 (UCS2)").waitFor();
  await page.locator(".estimate .legend", { hasText: t.operators.MCI }).waitFor();
  assert.ok(!asked.includes("/sms/estimate"));
  const shown = await read(facts);
  await button(page, t.compose.review).click();
  const told = await read(dialog(page));
  const [amount] = /IRR \d,000/.exec(shown);
  assert.ok(told.includes(amount), `${shown}\n${told}`);
  assert.equal(asked.filter((path) => path === "/sms/estimate").length, 1);
  assert.deepEqual(faults, []);
  await close();
});

/** Gives an account a line of its own that appends a text. */
async function appends(id, number, suffix) {
  const line = { number, carrier: "sandbox", operations: ["WEBSERVICE"], accounts: [id], suffix };
  const made = await admin(server, "POST", "/admin/lines", line);
  assert.equal(made.status, 201, made.text);
  const changed = await admin(server, "PATCH", `/admin/accounts/${id}`, { defaultLine: number });
  assert.equal(changed.status, 200, changed.text);
}

for (const [language, one, two, number] of [
  ["fa", "۱", "۲", "30007721"],
  ["en", "1", "2", "30007722"],
]) {
  test(`what the line appends to a text to many is counted and told before it is sent, in ${language}`, async () => {
    const own = await openShop(server, 100_000);
    const book = await must(server, "POST", "/phonebook", { key: own.key, body: { title: "All" } });
    const numbers = ["09121234567", "09351234567"];
    await must(server, "POST", `/phonebook/number/${book.id}`, { key: own.key, body: { numbers } });
    await appends(own.id, number, "لغو۱۱");
    const { page, faults, close, t } = await openConsole(browser, server, own.key, { hash: "#/compose", language });
    const estimate = page.locator(".estimate");
    const told = estimate.getByText(t.compose.suffix("لغو۱۱"));
    await field(page, t.compose.text).fill("ب".repeat(65));
    await field(page, t.compose.numbers).fill(numbers[0]);
    await estimate.getByText(t.message.partsOf(one, "UCS2")).waitFor();
    assert.equal(await told.count(), 0);
    await field(page, t.compose.numbers).fill(numbers.join());
    await told.waitFor();
    await estimate.getByText(t.message.partsOf(two, "UCS2")).waitFor();
    await button(page, t.compose.review).click();
    await dialog(page).getByText(t.compose.suffix("لغو۱۱")).waitFor();
    await page.keyboard.press("Escape");
    await begin(page, t, "phonebooks");
    await chooseBook(page, "All");
    await field(page, t.compose.text).fill("سلام");
    await told.waitFor();
    assert.deepEqual(faults, []);
    await close();
  });
}

test("a key that may not see prices gets them counted by the service", async () => {
  const { key } = await issueKey(server, shop.id, { scopes: ["sms:send"] });
  const { page, faults, close, t } = await openConsole(browser, server, key, { hash: "#/compose" });
  await field(page, t.compose.numbers).fill("09121234567");
  await field(page, t.compose.text).fill("hello");
  await page.locator(".estimate .facts", { hasText: "1,000" }).waitFor();
  await radio(page, t.compose.kinds.phonebooks).press(" ");
  await page.getByText(t.state.needs("phonebook")).waitFor();
  await radio(page, t.compose.kinds.pattern).press(" ");
  await page.getByText(t.state.needs("pattern")).waitFor();
  assert.deepEqual(faults, []);
  await close();
});

test("what the balance can't pay is told before the last look", async () => {
  const poor = await openShop(server, 500);
  const { page, close, t } = await openConsole(browser, server, poor.key, { hash: "#/compose" });
  await field(page, t.compose.numbers).fill("09121234567");
  await field(page, t.compose.text).fill("hello");
  await page.getByText(t.compose.notEnough("IRR 500")).waitFor();
  await button(page, t.compose.review).click();
  await page.getByRole("alert").waitFor();
  assert.equal(await dialog(page).count(), 0);
  assert.equal((await walletOf(server, poor.key)).availableBalance, 500);
  await close();
});
