// Each method of the client libraries does what the same call does without a library, and `request` reaches the rest.
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { callPlainly, callsOf, likeAnother, openFurnishedShop } from "../support/client-calls.mjs";
import { drive } from "../support/client-libraries.mjs";
import {
  closeAfterwards,
  errorOf,
  kept,
  keysOf,
  number,
  openFullShop,
  post,
  proxy,
  server,
  testEach,
  text,
  turnedAway,
  values,
} from "../support/client-tests.mjs";
import { listen } from "../support/receiver.mjs";
import { api } from "../support/server.mjs";
import { issueKey, openShop, tomorrow } from "../support/shop.mjs";

const receiver = closeAfterwards(await listen());

/** What the API answers to all calls, of an account of its own. */
async function answersWithoutLibrary() {
  const shop = await openFurnishedShop(server, receiver.url());
  const answers = [];
  for (const call of callsOf(shop)) answers.push(likeAnother(await callPlainly(server, shop, call)));
  return answers;
}
let answers;

/** What a language makes of an answer: to PHP, an object without members is an empty array. */
const inLanguage = (language, value) =>
  language === "php" ? JSON.parse(JSON.stringify(value).replaceAll("{}", "[]")) : value;

testEach("each operation's method returns what the API answers", async (language) => {
  answers ??= answersWithoutLibrary();
  const expected = await answers;
  const shop = await openFurnishedShop(server, receiver.url());
  const calls = callsOf(shop);
  const outcomes = await drive(language, { baseUrl: server.baseUrl, apiKey: shop.key }, calls);
  for (const [index, { value, error }] of outcomes.entries()) {
    const { operation, method } = calls[index];
    assert.equal(error, undefined, `${method}: ${JSON.stringify(error)}`);
    const wanted = inLanguage(language, expected[index]);
    assert.deepEqual(likeAnother(value), wanted, `${method}: ${operation.method} ${operation.path}`);
  }
});

testEach("a value that is no piece of a path is a mistake, and every other one is escaped", async (language) => {
  const through = await proxy();
  const client = { baseUrl: through.baseUrl, apiKey: "k" };
  for (const id of ["", ".", ".."])
    assert.equal((await errorOf(language, client, ["getPhonebook", id])).kind, "argument", id);
  assert.equal(through.requests.length, 0);
  await drive(language, client, [["getPhonebook", "a/../b?c=d#é"]]);
  assert.equal(through.requests[0].path.toLowerCase(), "/phonebook/a%2f..%2fb%3fc%3dd%23%c3%a9");
});

testEach("a key that goes with nothing else leaves no answer, and one that does leaves what went", async (language) => {
  const shop = await openShop(server, 0);
  const { key } = await issueKey(server, shop.id, {});
  const ids = [await post({ key }, "/keys", { title: "a" }), await post({ key }, "/keys", { title: "b" })];
  const client = { baseUrl: server.baseUrl, apiKey: key };
  const [alone, withAll] = await values(language, client, [
    ["revokeKey", ids[0].id],
    ["revokeKey", ids[1].id, { cascade: true }],
  ]);
  assert.equal(alone, null);
  assert.equal(withAll.keys.length, 1);
});

testEach("a message is waited for until it has ended, but no longer than the bound", async (language) => {
  const shop = await openShop(server, 10_000);
  const client = { baseUrl: server.baseUrl, apiKey: shop.key };
  const { uid } = await post(shop, "/sms/send", text);
  const later = await post(shop, "/sms/send", { ...text, sendAt: tomorrow() });
  const [ended] = await values(language, client, [["waitForMessage", uid]]);
  assert.deepEqual([ended.status, ended.counts], ["DONE", { DELIVERED: 1 }]);
  const through = await proxy();
  const waiting = { ...client, baseUrl: through.baseUrl };
  const error = await errorOf(language, waiting, ["waitForMessage", later.uid, { timeout: 0 }]);
  assert.deepEqual([error.kind, error.message], ["NotDoneError", `The message ${later.uid} is still SCHEDULED.`]);
  assert.equal(through.requests.length, 1);
  await api(server, "DELETE", `/messages/${later.uid}`, { key: shop.key });
  const [canceled] = await values(language, client, [["waitForMessage", later.uid]]);
  assert.equal(canceled.status, "CANCELED");
});

testEach("a file goes up as it is, and comes down whole or not at all", async (language) => {
  const shop = await openFullShop();
  const file = "\ufeffنام,شماره,شهر\nعلی,09121234567,تهران\n";
  const client = { baseUrl: server.baseUrl, apiKey: shop.key };
  const [imported, numbers, ledger] = await values(language, client, [
    { method: "importNumbers", args: [shop.phonebook, file], options: {} },
    ["exportNumbers", shop.phonebook],
    { method: "exportTransactions", args: [], options: { type: "CREDIT" } },
  ]);
  assert.deepEqual([imported.lines, imported.updated], [1, 1]);
  const written = ({ base64 }) => Buffer.from(base64, "base64").toString();
  assert.match(written(numbers), /\+989121234567,علی,تهران/);
  assert.match(written(ledger), /CREDIT,1000000/);
  const through = await proxy([{ answer: "cut" }]);
  const cut = { baseUrl: through.baseUrl, apiKey: shop.key, maxAttempts: 1 };
  assert.equal((await errorOf(language, cut, ["exportNumbers", shop.phonebook])).kind, "NetworkError");
});

testEach("a file in chunks is read to its last one, and is refused without it", async (language) => {
  const chunked = (end) =>
    `HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n6;a=b\r\nnumber\r\n1\r\n\n\r\n${end}`;
  const answers = [chunked("0\r\n\r\n"), chunked(""), chunked("5\r\n+98")];
  const peer = createServer((socket) => socket.once("data", () => socket.end(answers.shift())));
  await new Promise((resolve) => peer.listen(0, "127.0.0.1", resolve));
  try {
    const client = { baseUrl: `http://127.0.0.1:${peer.address().port}`, apiKey: "k", maxAttempts: 1 };
    const [whole, ...cut] = await drive(language, client, Array(3).fill(["exportNumbers", "a"]));
    assert.equal(Buffer.from(whole.value.base64, "base64").toString(), "number\n");
    for (const { error } of cut) assert.equal(error?.kind, "NetworkError");
  } finally {
    peer.close();
  }
});

testEach(
  "`request` makes any call, with its query, body, headers and key, and returns the whole answer",
  async (language) => {
    const shop = await openShop(server, 10_000);
    const through = await proxy([turnedAway(503, { "retry-after": "0" })]);
    const request = (method, path, options = {}) => ({ method: "request", args: [method, path], options });
    const [sent, listed, deleted, none] = await values(language, { baseUrl: through.baseUrl, apiKey: shop.key }, [
      request("POST", "/sms/send", { body: text, idempotencyKey: "order-17" }),
      request("get", "/messages?limit=1", { query: { recipient: number, type: "PLAIN", status: null } }),
      request("DELETE", "/blacklist", { query: { number }, headers: { "Accept-Language": "fa" } }),
      { method: "pages", args: ["/pattern"], options: {} },
    ]);
    assert.equal(sent.status, "CREATED");
    assert.deepEqual([listed.data[0].uid, listed.meta.nextCursor], [sent.data.uid, null]);
    assert.deepEqual([deleted.data.removed, none], [0, []]);
    assert.equal((await kept(shop)).length, 1);
    assert.deepEqual(keysOf(through).slice(0, 2), ["order-17", "order-17"]);
    assert.equal(through.requests[2].path, "/messages?limit=1&recipient=09121234567&type=PLAIN");
    assert.equal(through.requests[3].headers["accept-language"], "fa");
    const nowhere = await errorOf(language, { baseUrl: through.baseUrl, apiKey: shop.key }, request("GET", "messages"));
    assert.deepEqual([nowhere.kind, nowhere.message], ["argument", "the path must begin with /"]);
    const missing = await errorOf(language, { baseUrl: through.baseUrl, apiKey: shop.key }, request("GET", "/nothing"));
    assert.deepEqual([missing.kind, missing.code], ["ApiError", 404]);
  },
);

testEach("what would be done twice is tried again only if nothing was done", async (language) => {
  const shop = await openShop(server, 0);
  const call = { method: "createPhonebook", args: [{ title: "Customers" }], options: {} };
  const unclear = await proxy([{ answer: "cut" }]);
  const { kind } = await errorOf(language, { baseUrl: unclear.baseUrl, apiKey: shop.key }, call);
  assert.deepEqual([kind, unclear.requests.length], ["NetworkError", 1]);
  const refused = await proxy([turnedAway(429, { "retry-after": "0" })]);
  const other = { ...call, args: [{ title: "Others" }] };
  const [{ title }] = await values(language, { baseUrl: refused.baseUrl, apiKey: shop.key }, [other]);
  assert.deepEqual([title, refused.requests.length], ["Others", 2]);
  const repeated = await proxy([{ answer: "cut" }]);
  const block = { method: "addToBlacklist", args: [{ numbers: [number] }], options: {} };
  const [added] = await values(language, { baseUrl: repeated.baseUrl, apiKey: shop.key }, [block]);
  assert.deepEqual([added, repeated.requests.length], [{ added: 0, unchanged: 1 }, 2]);
});
