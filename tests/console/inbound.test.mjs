// What people read and answer of the messages from phones in the console.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { conversationsOf, entriesOf } from "../../console/src/pages/inbound/conversations.ts";
import { button, dialog, field, heading, openConsole, read } from "../support/console-browser.mjs";
import { gatewaySettings, openInbox } from "../support/phones.mjs";
import { api, sharedServer } from "../support/server.mjs";
import { issueKey, openShop, send } from "../support/shop.mjs";
import { launch } from "../support/site-browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const server = sharedServer(() => {}, gatewaySettings);
const sara = "+989121234567";
const ali = "+989351234567";

test("messages from phones are conversations, with what was sent, and can be answered", async () => {
  const shop = await openShop(server, 100_000);
  const line = await openInbox(server, shop.id, "30001001");
  await line.says(sara, "Are you open?");
  await line.says(ali, "STOP");
  await line.says("BANK", "Your card was charged.");
  await send(server, shop.key, [sara], { message: "Yes, until nine.", sourceNumber: line.number });
  await line.says(sara, "Thank you");
  const { page, faults, close, t } = await openConsole(browser, server, shop.key, { hash: "#/inbound" });
  const rows = page.locator("table.list tbody tr");
  await rows.nth(2).waitFor();
  assert.deepEqual(await page.locator("table.list td.title a").allInnerTexts(), [
    "+98 912 123 4567",
    "BANK",
    "+98 935 123 4567",
  ]);
  assert.match(await read(rows.nth(2)), new RegExp(t.inbound.optOut));
  await page.getByRole("link", { name: "+98 912 123 4567" }).click();
  await page.locator(".talk li").nth(2).waitFor();
  assert.deepEqual(await page.locator(".talk .message-text").allInnerTexts(), [
    "Are you open?",
    "Yes, until nine.",
    "Thank you",
  ]);
  await page.getByRole("link", { name: t.inbound.answer }).click();
  assert.equal(await field(page, t.compose.numbers).inputValue(), sara);
  await field(page, t.compose.text).fill("You are welcome.");
  await page.locator(".estimate .facts").waitFor();
  await button(page, t.compose.review).click();
  await button(dialog(page), t.compose.submit("1")).click();
  await heading(page, t.message.title).waitFor();
  const sent = (await api(server, "GET", `/messages?recipient=${encodeURIComponent(sara)}`, { key: shop.key })).json
    .data;
  assert.deepEqual(
    sent.map(({ message }) => message),
    ["You are welcome.", "Yes, until nine."],
  );
  assert.deepEqual(faults, []);
  await close();
});

test("who has opted out is marked, and who has no number can't be answered", async () => {
  const shop = await openShop(server, 0);
  const line = await openInbox(server, shop.id, "30001002");
  await line.says(ali, "لغو");
  await line.says("BANK", "Your card was charged.");
  const hash = `#/inbound/${encodeURIComponent(ali)}`;
  const { page, close, t } = await openConsole(browser, server, shop.key, { hash });
  await page.getByText(t.inbound.blocked).waitFor();
  await page.locator(".talk .badge", { hasText: t.inbound.optOut }).waitFor();
  await page.getByRole("link", { name: t.inbound.back }).click();
  await page.getByRole("link", { name: "BANK" }).click();
  await page.getByText(t.inbound.noAnswer).waitFor();
  assert.equal(await page.getByRole("link", { name: t.inbound.answer }).count(), 0);
  await close();
});

test("a long conversation opens at its end, where it is answered", async () => {
  const shop = await openShop(server, 0);
  const line = await openInbox(server, shop.id, "30001004");
  for (let count = 1; count <= 105; count++) await line.says(sara, `message ${count}`);
  const { page, close, t } = await openConsole(browser, server, shop.key, { hash: "#/inbound" });
  await page.locator("table.list").getByText(t.inbound.atLeast("100")).waitFor();
  await page.getByRole("link", { name: "+98 912 123 4567" }).click();
  const items = page.locator(".talk li");
  await items.getByText("message 105", { exact: true }).waitFor();
  const isSeen = (element) => element.getBoundingClientRect().bottom <= innerHeight;
  assert.ok(await items.last().evaluate(isSeen));
  assert.ok(await page.getByRole("link", { name: t.inbound.answer }).evaluate(isSeen));
  assert.equal(await items.count(), 100);
  await button(page, t.inbound.older).click();
  await items.getByText("message 1", { exact: true }).waitFor();
  assert.equal(await items.count(), 105);
  await close();
});

test("the filters of messages from phones stand in the address, and a wrong one is told", async () => {
  const shop = await openShop(server, 0);
  const line = await openInbox(server, shop.id, "30001003");
  await line.says(sara, "hello");
  const { page, close, t } = await openConsole(browser, server, shop.key, { hash: "#/inbound" });
  await page.locator("table.list").waitFor();
  await page.locator(".filters .select").click();
  await page.getByRole("option", { name: server.line }).click();
  await page.waitForURL(`**/console#/inbound?line=${server.line}`);
  await page.getByRole("heading", { name: t.inbound.noneFound }).waitFor();
  await page.goBack();
  await page.locator("table.list").waitFor();
  await page.evaluate(() => {
    location.hash = "#/inbound?since=never";
  });
  await page.getByRole("link", { name: t.state.help }).waitFor();
  await close();
});

test("a test key sees no messages from phones", async () => {
  const shop = await openShop(server, 0);
  const { key } = await issueKey(server, shop.id, { mode: "test" });
  const { page, faults, close, t } = await openConsole(browser, server, key, { hash: "#/inbound" });
  await page.getByText(t.state.needsLive).waitFor();
  assert.deepEqual(faults, []);
  await close();
});

test("a conversation leaves nothing out in between while only a part of it is read", () => {
  const received = (receivedAt) => ({ id: receivedAt, from: sara, receivedAt, optOut: false });
  const sent = (createdAt) => ({ uid: createdAt, sendAt: null, createdAt });
  const times = (entries) => entries.map(({ time }) => time);
  const all = { items: [received("5"), received("1")], hasMore: false };
  assert.deepEqual(times(entriesOf(all, { items: [sent("4"), sent("3")], hasMore: false })), ["1", "3", "4", "5"]);
  assert.deepEqual(times(entriesOf(all, { items: [sent("4"), sent("3")], hasMore: true })), ["3", "4", "5"]);
  assert.deepEqual(
    conversationsOf([received("5"), { ...received("4"), from: ali }, received("1")]).map(({ from, count }) => [
      from,
      count,
    ]),
    [
      [sara, 2],
      [ali, 1],
    ],
  );
});
