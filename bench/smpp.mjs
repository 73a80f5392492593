import { setTimeout as sleep } from "node:timers/promises";
import { Failure, say } from "../scripts/lib/base/command.mjs";
import { number } from "./aims.mjs";
import { all, ask, openAccount } from "./ask.mjs";
import { patient } from "./deadline.mjs";
import { percentiles } from "./latency.mjs";

const line = "10003";
const carrier = "bench-smpp";
const bulk = { requests: 50, recipients: 1_000, concurrency: 8 };
const singles = { perSecond: 100, seconds: 5 };
const campaign = { requests: 60, recipients: 1_000, concurrency: 4 };
const replies = 5_000;
/** After this time without another message from a phone, all may have come, ms. */
const quietMs = 1_000;
const codes = { count: 40, everyMs: 200 };
/** How long the SMSC takes for an answer behind the campaign: a window of 50 then lets 5,000 a second through. */
const answerMs = 10;
/** How long a step may take, ms. */
const patience = 300_000;

/**
 * Messages over SMPP to an SMSC in a process of its own: one bind, a window of 50. The SMSC notes when each submit came;
 * its clock is the machine's, as the runtime's is.
 */
export async function measureSmpp(peyk) {
  const { baseUrl, adminKey } = peyk;
  // The packages that it imports are installed by now.
  const { startSmscProcess } = await import("../tests/support/peers/smsc-process.mjs");
  const smsc = await startSmscProcess({ receipts: null, deliverWindow: 100 });
  const admin = (method, path, body) => ask(baseUrl, method, `/admin${path}`, adminKey, body);
  const open = async (username) => (await openAccount(peyk, username, line)).key;
  try {
    await prepare(admin, smsc);
    const throughput = await measureThroughput(baseUrl, await open("bench-bulk"), smsc);
    const reports = await measureReports(smsc);
    const phones = await measurePhones(peyk, admin, smsc);
    const latency = await measureLatency(baseUrl, await open("bench-single"), smsc);
    const accounts = {
      shop: await open("bench-campaign"),
      bank: await open("bench-codes"),
    };
    const behind = await measureCodes(baseUrl, accounts, smsc);
    return { tables: [{ head: ["SMPP", ""], rows: rowsOf({ throughput, reports, phones, latency, behind }) }] };
  } finally {
    await smsc.stop();
  }
}

async function prepare(admin, { port }) {
  const smpp = { host: "127.0.0.1", port, tls: false, systemId: "peyk", password: "secret", binds: 1, window: 50 };
  await admin("POST", "/carriers", { name: carrier, kind: "smpp", smpp });
  await admin("POST", "/lines", { number: line, carrier, operations: ["WEBSERVICE", "PATTERN"], shared: true });
}

const phone = (index) => `0912${String(index).padStart(7, "0")}`;

/** Accepts many messages; `first` is where their numbers begin. */
async function accept(baseUrl, key, { requests, recipients, concurrency }, first) {
  let next = 0;
  const work = async () => {
    while (next < requests) {
      const begin = first + next++ * recipients;
      const numbers = Array.from({ length: recipients }, (_, index) => phone(begin + index));
      await ask(baseUrl, "POST", "/sms/send", key, { message: `bench ${begin}`, recipients: numbers });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

async function untilStats(smsc, isThere, what) {
  const most = patient(patience);
  for (const started = performance.now(); performance.now() - started < most; await sleep(100)) {
    const stats = await smsc.stats();
    if (isThere(stats)) return stats;
  }
  throw new Failure(`${what} took more than ${most} ms`);
}

async function measureThroughput(baseUrl, key, smsc) {
  const count = bulk.requests * bulk.recipients;
  say(`sending ${count} messages over SMPP …`);
  const started = Date.now();
  await accept(baseUrl, key, bulk, 0);
  const acceptedMs = Date.now() - started;
  await untilStats(smsc, ({ submits }) => submits >= count, "the arrival of all messages");
  const [last] = (await smsc.submits()).slice(-1);
  assertOnce(await smsc.counts(), count);
  const endedMs = last.at - started;
  const { mostUnanswered } = await smsc.stats();
  return { count, acceptedMs, perSecond: count / (endedMs / 1000), mostUnanswered };
}

function assertOnce(counts, count) {
  const wrong = Object.entries(counts).find(([, { taken }]) => taken !== 1);
  if (wrong) throw new Failure(`${wrong[0]} arrived ${wrong[1].taken} times`);
  if (Object.keys(counts).length !== count) throw new Failure(`${Object.keys(counts).length} of ${count} arrived`);
}

/** A report is taken when it is acknowledged, which is when it is safe. */
async function measureReports(smsc) {
  const { submits } = await smsc.stats();
  say(`reporting on ${submits} messages …`);
  const started = performance.now();
  await smsc.reportAll();
  await untilStats(smsc, ({ deliveries }) => deliveries.acknowledged >= submits, "the acknowledgement of all reports");
  return { count: submits, perSecond: submits / ((performance.now() - started) / 1000) };
}

/** Messages from phones a second: a contest's replies, from the first `deliver_sm` until the account lists the last. */
async function measurePhones(peyk, admin, smsc) {
  say(`sending ${replies} messages from phones …`);
  const { id, key } = await openAccount(peyk, "bench-contest");
  await admin("PUT", `/lines/${line}/inbound`, { account: id });
  const started = performance.now();
  for (let index = 0; index < replies; index += 1)
    await smsc.inbound({ from: `98912${String(index).padStart(7, "0")}`, to: line, text: `answer ${index}` });
  // Only the newest is asked for while they come: to read all takes time from the object.
  let [newest, since] = [undefined, started];
  const most = patient(patience);
  for (; performance.now() - started < most; await sleep(100)) {
    const [message] = await ask(peyk.baseUrl, "GET", "/inbound?limit=1", key);
    if (message?.id !== newest) [newest, since] = [message?.id, performance.now()];
    const isQuiet = performance.now() - since > quietMs;
    if (isQuiet && (await all(peyk.baseUrl, "/inbound", key)).length === replies)
      return replies / ((since - started) / 1000);
  }
  throw new Failure(`${replies} messages from phones took more than ${most} ms`);
}

async function steadily(count, everyMs, work) {
  const started = performance.now();
  const running = [];
  for (let index = 0; index < count; index += 1) {
    const due = started + index * everyMs;
    if (due > performance.now()) await sleep(due - performance.now());
    running.push(work(index));
  }
  return Promise.all(running);
}

async function measureLatency(baseUrl, key, smsc) {
  const count = singles.perSecond * singles.seconds;
  say(`sending ${singles.perSecond} single messages a second over SMPP for ${singles.seconds} seconds …`);
  const first = 1_000_000;
  const before = (await smsc.stats()).submits;
  await steadily(count, 1000 / singles.perSecond, (index) =>
    ask(baseUrl, "POST", "/sms/send", key, { message: `single ${index}`, recipients: [phone(first + index)] }),
  );
  await untilStats(smsc, ({ submits }) => submits >= before + count, "the arrival of all single messages");
  return percentiles(await waits(baseUrl, key, smsc, "^989121", count));
}

/** From the accept of each message of an account, by the object's clock, to its arrival at the SMSC. */
async function waits(baseUrl, key, smsc, pattern, count) {
  const numbers = new Map();
  for (const { uid, createdAt } of await all(baseUrl, "/messages", key)) {
    const { recipients } = await ask(baseUrl, "GET", `/messages/${uid}`, key);
    numbers.set(recipients[0].recipient.slice(1), Date.parse(createdAt));
  }
  const arrived = await smsc.submits(pattern);
  if (arrived.length !== count) throw new Failure(`${arrived.length} submits for ${count} messages`);
  return arrived.map(({ to, at }) => at - numbers.get(to)).sort((a, b) => a - b);
}

/** Login codes of one account while another account's campaign fills the window. */
async function measureCodes(baseUrl, { shop, bank }, smsc) {
  const total = campaign.requests * campaign.recipients;
  say(`sending login codes behind a campaign of ${total} messages …`);
  await ask(baseUrl, "POST", "/pattern", bank, { slug: "login", title: "Login", text: "code: %OTP%" });
  await ask(baseUrl, "POST", "/pattern/login/versions/1/activate", bank);
  await smsc.set({ rules: [{ delayMs: answerMs }] });
  const before = (await smsc.stats()).submits;
  const accepting = accept(baseUrl, shop, campaign, 2_000_000);
  await untilStats(smsc, ({ submits }) => submits > before + 1_000, "the begin of the campaign");
  await steadily(codes.count, codes.everyMs, (index) =>
    ask(baseUrl, "POST", "/sms/pattern", bank, {
      pattern: "login",
      variables: { OTP: String(10_000 + index) },
      recipient: phone(3_000_000 + index),
    }),
  );
  await accepting;
  await untilStats(smsc, ({ submits }) => submits >= before + total + codes.count, "the end of the campaign");
  const sorted = await waits(baseUrl, bank, smsc, "^989123", codes.count);
  const [all, campaigns] = [await smsc.submits("^98912[23]"), await smsc.submits("^989122")];
  const lastCode = (await smsc.submits("^989123")).at(-1);
  const perSecond = campaigns.length / ((campaigns.at(-1).at - campaigns[0].at) / 1000);
  const { mostUnanswered } = await smsc.stats();
  return { ...percentiles(sorted), max: sorted.at(-1), after: all.at(-1).n - lastCode.n, perSecond, mostUnanswered };
}

function rowsOf({ throughput, reports, phones, latency, behind }) {
  const ms = (...values) => values.map((value) => value.toFixed(0)).join(", ");
  const { perSecond, count, acceptedMs, mostUnanswered } = throughput;
  return [
    [
      `${number(count)} messages, one bind, a window of 50: from the first accept to the last submit_sm`,
      `${number(perSecond)}/s`,
    ],
    ["… accepted by HTTP in, most submits without an answer", `${number(acceptedMs)} ms, ${mostUnanswered}`],
    [`${number(reports.count)} reports taken`, `${number(reports.perSecond)}/s`],
    [`${number(replies)} messages from phones to one account: until the last is listed`, `${number(phones)}/s`],
    [`accept → submit_sm, single sends at ${singles.perSecond}/s: p50, p99 ms`, ms(latency.p50, latency.p99)],
    [
      `accept → submit_sm, login codes behind a campaign of ${number(campaign.requests * campaign.recipients)}: p50, p99, longest ms`,
      ms(behind.p50, behind.p99, behind.max),
    ],
    ["… messages of the campaign that came after the last code", number(behind.after)],
    [
      `… the campaign itself, to an SMSC that takes ${answerMs} ms (${number(50_000 / answerMs)}/s fill the window), most unanswered`,
      `${number(behind.perSecond)}/s, ${behind.mostUnanswered}`,
    ],
  ];
}
