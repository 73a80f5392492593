// The counting in the browser says what the service says: 1,000 random texts, each with recipients of its own, are estimated both ways.
// `COUNTING_SEED` repeats the choices of a run.
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { randomFrom } from "../../scripts/lib/base/random.mjs";
import {
  buildCounting,
  countingDir,
  countingKilobytes,
  maxCountingKilobytes,
} from "../../scripts/lib/build/counting.mjs";
import { anyNumbers, anyText } from "../support/counting/texts.mjs";
import { ownRuntime } from "../support/own-runtime.mjs";
import { api } from "../support/server.mjs";
import { admin, credit, issueKey } from "../support/shop.mjs";

const TEXTS = 1_000;
const AT_ONCE = 16;
const seed = Number(process.env.COUNTING_SEED ?? randomInt(2 ** 31));
/** The numbers begin so that the account sends to. There is no price for the last one. */
const destinations = ["98", "971", "44", "1"];
const prices = [
  { prefix: "971", price: 24_000 },
  { prefix: "44", price: 9_001 },
  { prefix: "447911", price: 77_777 },
  { prefix: "98998", price: 333 },
];
const plain = { PERSIAN: 1, ENGLISH: 1, MCI: 1, MTN: 1, WEBSERVICE: 1, PATTERN: 1 };
const lines = [
  { number: "20001", coefficients: plain },
  { number: "20002", coefficients: { ...plain, ENGLISH: 2.4 } },
  {
    number: "20003",
    coefficients: { ...plain, ENGLISH: 0.3333, MCI: 1.05, MTN: 0.9999, WEBSERVICE: 1.1, PATTERN: 0.7 },
  },
  { number: "20004", coefficients: { ...plain, PERSIAN: 3 }, cheapest: false },
];
const appending = { number: "20005", coefficients: { ...plain, ENGLISH: 2.4 }, suffix: "لغو۱۱" };
const operations = ["WEBSERVICE", "PATTERN"];

const account = {};
let counting;
const server = ownRuntime({}, openAccount);
before(async () => {
  await buildCounting();
  counting = await import(pathToFileURL(join(countingDir, "index.js")));
  await counting.default({ module_or_path: readFileSync(join(countingDir, "index_bg.wasm")) });
});

async function openAccount() {
  const must = async (...call) => {
    const answer = await admin(server, ...call);
    assert.ok(answer.status < 300, answer.text);
    return answer.json.data;
  };
  const tariff = { slug: "counting", title: "Counting", price: 1_000, prices };
  await must("POST", "/admin/plans", { slug: "counting", title: "Counting", tariff });
  const { id } = await must("POST", "/admin/accounts", {
    username: "counting",
    fullName: "Counting",
    plan: "counting",
  });
  for (const line of [...lines, appending])
    await must("POST", "/admin/lines", { carrier: "sandbox", operations, accounts: [id], ...line });
  const rateLimit = { limit: 100_000, windowSeconds: 1, burst: 10_000 };
  await must("PATCH", `/admin/accounts/${id}`, { defaultLine: "20001", rateLimit, destinations });
  await credit(server, id, 1e9);
  Object.assign(account, await issueKey(server, id, {}));
  const read = async (path) => (await api(server, "GET", path, { key: account.key })).json.data;
  account.tariff = await read("/plan/tariff");
  account.lines = new Map((await read("/lines")).map((line) => [line.number, line]));
}

/** A counter for sends from a line, by what the API tells of prices. */
function counterFor(line, operation) {
  const { tariff, textsCoefficients } = account.tariff;
  const coefficients = textsCoefficients.find(({ title }) => title === line);
  const { cheapest, suffix } = account.lines.get(line);
  return new counting.Counter({ tariff, coefficients, operation, destinations, cheapest, suffix });
}

const estimate = (body) =>
  api(server, "POST", "/sms/estimate", {
    key: account.key,
    body,
    keepAlive: true,
    headers: { "accept-language": "en" },
  });

const pointers = (answer) => answer.json.errors.map(({ pointer }) => pointer).toSorted();
const at = (index) => `/send/recipients/${index}`;
const indexes = (recipients, isMeant) => recipients.flatMap((one, index) => (isMeant(one) ? [index] : []));

/** Takes `one` through all items, so many at a time. */
async function forAll(items, one) {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of queue) await one(item);
    }),
  );
}

/** Asks the service for what the counter has counted, and compares the two. Returns what it has compared. */
async function compare({ text, numbers, line }) {
  const counter = counterFor(line, "WEBSERVICE");
  const recipients = counter.setRecipients(numbers);
  const count = counter.count(text);
  const ask = (recipients) => estimate({ send: { message: text, recipients, sourceNumber: line } });
  const answer = await ask(numbers);
  const told = `${answer.text} ${JSON.stringify({ text, numbers, line, recipients, count })}`;
  const unread = indexes(recipients, ({ fault }) => fault === "NOT_A_NUMBER");
  const barred = indexes(recipients, ({ number, fault }) => number && fault);
  if (unread.length > 0 || count.tooLong) {
    assert.deepEqual(
      pointers(answer),
      [...unread.map(at), ...(count.tooLong ? ["/send/message"] : [])].toSorted(),
      told,
    );
  } else if (barred.length > 0) {
    compareBarred(answer, recipients, barred, told);
  } else {
    comparePrice(answer, count, told);
    await compareOperators(ask, numbers, recipients, count);
  }
  const good = numbers.filter((_, index) => !recipients[index].fault);
  if (!count.tooLong && good.length > 0 && good.length < numbers.length) comparePrice(await ask(good), count, told);
  counter.free();
  return { count, recipients };
}

/** The service names each number once, where it comes first. */
function compareBarred(answer, recipients, barred, told) {
  const numbers = recipients.map(({ number }) => number);
  const first = barred.filter((index) => numbers.indexOf(numbers[index]) === index);
  assert.deepEqual(pointers(answer), first.map(at).toSorted(), told);
  for (const { pointer, detail } of answer.json.errors) {
    const { number, fault } = recipients[Number(pointer.split("/").at(-1))];
    assert.ok(detail.includes(number), told);
    assert.equal(/price/.test(detail), fault === "NO_PRICE", told);
  }
}

function comparePrice(answer, count, told) {
  assert.equal(answer.status, 200, told);
  assert.deepEqual(priceOf(answer.json.data), priceOf(count), told);
}

const priceOf = ({ encoding, parts, cost, recipients, alternatives }) => ({
  encoding,
  parts,
  cost,
  recipients,
  alternatives,
});

/** What the numbers of one operator cost alone, of a long list. */
async function compareOperators(ask, numbers, recipients, count) {
  if (count.operators.length < 2 || numbers.length < 10) return;
  const { operator, cost } = count.operators[0];
  const own = numbers.filter((_, index) => recipients[index].operator === operator);
  assert.equal((await ask(own)).json.data.cost, cost, operator);
}

test("1,000 random texts for numbers of all forms have the encoding, parts, price and faults that the service tells", async () => {
  const random = randomFrom(seed);
  const items = Array.from({ length: TEXTS }, () => ({
    text: anyText(random),
    numbers: anyNumbers(random),
    line: random.oneOf(lines).number,
  }));
  const compared = [];
  await forAll(items, async (item) => compared.push(await compare(item)));
  const has = (isMeant) => compared.filter(isMeant).length;
  const faults = (name) => has(({ recipients }) => recipients.some(({ fault }) => fault === name));
  for (const [what, times] of Object.entries({
    GSM7: has(({ count }) => count.encoding === "GSM7"),
    UCS2: has(({ count }) => count.encoding === "UCS2"),
    "more than a part": has(({ count }) => count.parts > 1),
    "too long": has(({ count }) => count.tooLong),
    "a cheaper form": has(({ count }) => count.alternatives.length > 0),
    "several operators": has(({ count }) => count.operators.length === 3),
    "a number twice": has(({ recipients }) => recipients.some(({ repeated }) => repeated)),
    NOT_A_NUMBER: faults("NOT_A_NUMBER"),
    NOT_A_DESTINATION: faults("NOT_A_DESTINATION"),
    NO_PRICE: faults("NO_PRICE"),
  }))
    assert.ok(times > 5, `${what}: only ${times} times, with the seed ${seed}`);
});

test("what the line appends is counted as the service counts it, for more than one number and never for a pattern", async () => {
  const [one, ...others] = ["09121234567", "09351234567", "+971501234567", "09121234567"];
  for (const text of ["a", "a".repeat(65), "ب".repeat(64), "ب".repeat(65), "لغو 11", "حراج لغو۱۱۰ "])
    for (const numbers of [[one], [one, one], [one, ...others]]) {
      const { count } = await compare({ text, numbers, line: appending.number });
      const told = await estimate({ send: { message: text, recipients: numbers, sourceNumber: appending.number } });
      assert.equal(count.suffix, told.json.data.suffix ?? null, text);
      assert.equal(count.suffix, count.recipients > 1 ? appending.suffix : null, text);
    }
  const counter = counterFor(appending.number, "PATTERN");
  counter.setRecipients([one, ...others]);
  const { parts, suffix } = counter.count("a".repeat(160));
  assert.deepEqual([parts, suffix], [1, null]);
  counter.free();
});

test("a pattern costs what its filled text counts", async () => {
  const random = randomFrom(seed);
  const key = account.key;
  const made = await api(server, "POST", "/pattern", {
    key,
    body: { title: "Notice", text: "News: %TEXT%%TEXT%%TEXT%" },
  });
  assert.equal(made.status, 201, made.text);
  const { slug } = made.json.data;
  const active = await api(server, "POST", `/pattern/${slug}/versions/1/activate`, { key });
  assert.equal(active.status, 200, active.text);
  const recipients = ["09121234567", "09351234567", "+971501234567"];
  const counter = counterFor("20003", "PATTERN");
  counter.setRecipients(recipients);
  for (let length = 1; length <= 100; length += random.integer(3, 9)) {
    const value = random.oneOf(["a", "ب", "€"]).repeat(length);
    const pattern = { pattern: slug, variables: { TEXT: value }, recipients, sourceNumber: "20003" };
    const { status, text, json } = await estimate({ pattern });
    assert.equal(status, 200, text);
    const { encoding, parts, cost } = counter.count(`News: ${value.repeat(3)}`);
    assert.deepEqual([json.data.encoding, json.data.parts, json.data.cost], [encoding, parts, cost]);
  }
  counter.free();
});

test("a number has the form in which the service stores it", async () => {
  const random = randomFrom(seed);
  const counter = counterFor("20001", "WEBSERVICE");
  const numbers = Array.from({ length: 60 }, () => anyNumbers(random)).flat();
  const read = counter.setRecipients(numbers);
  const isNew = ({ fault, repeated }) => !fault && !repeated;
  const sent = await api(server, "POST", "/sms/send", {
    key: account.key,
    body: { message: "hello", recipients: numbers.filter((_, index) => !read[index].fault), sourceNumber: "20001" },
  });
  assert.equal(sent.status, 201, sent.text);
  assert.deepEqual(
    sent.json.data.recipients.map(({ recipient }) => recipient),
    read.filter(isNew).map(({ number }) => number),
  );
  counter.free();
});

test("the room in the last part is what fits there", () => {
  const random = randomFrom(seed);
  const counter = counterFor("20001", "WEBSERVICE");
  for (let times = 0; times < 200; times += 1) {
    const text = anyText(random);
    const { parts, unitsLeft } = counter.count(text);
    assert.equal(counter.count(text + "a".repeat(unitsLeft)).parts, parts);
    assert.equal(counter.count(text + "a".repeat(unitsLeft + 1)).parts, parts + 1);
  }
  counter.free();
});

test("what is no terms of a send makes no counter", () => {
  const { tariff } = account.tariff;
  const terms = { tariff, coefficients: plain, operation: "WEBSERVICE" };
  for (const wrong of [
    { ...terms, operation: "VERIFY" },
    { ...terms, destinations: ["x"] },
    { ...terms, coefficients: { ...plain, MCI: 1.23456 } },
    { ...terms, coefficients: {} },
    { ...terms, tariff: { price: 0.5, prices: [] } },
    { ...terms, tariff: { price: 1, prices: [{ prefix: "0", price: 1 }] } },
  ])
    assert.throws(() => new counting.Counter(wrong), JSON.stringify(wrong));
});

test("the counting is as small as it should be", () => {
  const size = countingKilobytes();
  assert.ok(size <= maxCountingKilobytes, `${Math.ceil(size)} KB gzipped, more than ${maxCountingKilobytes} KB`);
});
