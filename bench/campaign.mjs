import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { call } from "../scripts/lib/base/client.mjs";
import { Failure, say } from "../scripts/lib/base/command.mjs";
import { build } from "../scripts/lib/build/build.mjs";
import { atMost, number, ratio } from "./aims.mjs";
import { all, ask, openAccount } from "./ask.mjs";
import { load, settle } from "./load.mjs";
import { print } from "./report.mjs";
import { startPeyk } from "./workers.mjs";

const people = Number(process.env.BENCH_PEOPLE || 200_000);
/** The numbers of a file of a phonebook. */
const lines = 50_000;
/** Some, on the blacklist, all over the phonebook. */
const optedOut = 37;
/** Login codes of another account, in a second. */
const codes = { rate: 20, connections: 16, seconds: 20 };
/** How many recipients in requests of 1,000 are sent for comparison. */
const inBulk = 60_000;

/**
 * One campaign to many people, in a runtime that is killed in the middle. Everybody gets it once and the money adds up, or this fails.
 * Memory, speed, and what another account's messages take beside it are figures.
 */
export async function campaign(dir) {
  await build();
  const stateDir = join(dir, "peyk");
  const first = await startPeyk(stateDir);
  let second;
  try {
    const shop = await openAccount(first, "bench-campaign");
    const other = await openAccount(first, "bench-codes");
    const bulk = await inRequests(first);
    const alone = await load(first, { keys: [other.key], ...codes });
    const id = await prepare(first, shop.key);
    const now = () => ask((second ?? first).baseUrl, "GET", `/campaigns/${id}`, shop.key);
    const counted = await until(now, ({ state }) => state === "DRAFT");
    await ask(first.baseUrl, "POST", `/campaigns/${id}/start`, shop.key);
    const started = performance.now();
    const beside = await load(first, { keys: [other.key], ...codes });
    await until(now, ({ progress }) => progress.recipients >= people / 2);
    const half = { seconds: (performance.now() - started) / 1_000, memory: first.memory().now };
    const at = (await now()).progress.recipients;
    say("killing the runtime …");
    await first.kill();
    second = await startPeyk(stateDir);
    const again = performance.now();
    const done = await until(now, ({ state, progress }) => state === "DONE" && progress.open === 0);
    const rest = (performance.now() - again) / 1_000;
    await settle(second, [shop.key]);
    const faults = await check(second, shop, id, done);
    print([report({ counted, done, bulk, alone, beside, half, at, rest, memory: second.memory(), faults })]);
    if (faults.length > 0) throw new Failure("the campaign does not add up");
  } finally {
    await (second ?? first).stop();
  }
}

/** The phonebook and the draft of the campaign. */
async function prepare({ baseUrl }, key) {
  say(`importing ${people} numbers …`);
  const { id: book } = await ask(baseUrl, "POST", "/phonebook", key, { title: "everybody" });
  for (let from = 0; from < people; from += lines) {
    const count = Math.min(lines, people - from);
    const raw = `number,name\n${Array.from({ length: count }, (_, at) => `${phone(from + at)},Customer ${from + at}\n`).join("")}`;
    const headers = { "Content-Type": "text/csv" };
    const { status, text } = await call(baseUrl, "POST", `/phonebook/${book}/import`, { key, raw, headers });
    if (status !== 201) throw new Failure(`the import: ${status} ${text}`);
  }
  await ask(baseUrl, "POST", "/blacklist", key, { numbers: blocked().map(phone) });
  const body = { title: "Sale", message: "سلام %name%، پیشنهاد ویژه برای شما", phonebooks: [book] };
  return (await ask(baseUrl, "POST", "/campaigns", key, body)).id;
}

const blocked = () => Array.from({ length: optedOut }, (_, at) => Math.floor((at * people) / optedOut));

/** A number to which the sandbox delivers: those end in 100. */
const phone = (index) => `+989${(100_000 + index).toString()}100`;

/** How fast as many people are reached by requests of a thousand. */
async function inRequests(peyk) {
  const { key } = await openAccount(peyk, "bench-requests");
  const result = await load(peyk, { keys: [key], recipients: 1_000, connections: 16, answers: inBulk / 1_000 });
  const endedAt = await settle(peyk, [key], 20);
  return inBulk / ((endedAt - result.startedAt) / 1_000);
}

/** Asks for a campaign until it is as wanted. */
async function until(now, isSo) {
  for (let last = "", since = performance.now(); ; ) {
    const found = await now();
    if (isSo(found)) return found;
    const seen = JSON.stringify([found.state, found.reason, found.progress, found.counted]);
    if (seen !== last) [last, since] = [seen, performance.now()];
    if (performance.now() - since > 120_000) throw new Failure(`the campaign stands still: ${seen}`);
    await sleep(100);
  }
}

/** What does not add up, between what the campaign tells, its people, its messages and the wallet. */
async function check({ baseUrl }, { id: account, key }, id, { progress }) {
  say("comparing what is told …");
  const faults = [];
  const expect = (what, found, wanted) => found === wanted || faults.push(`${what}: ${found}, not ${wanted}`);
  const told = await all(baseUrl, `/campaigns/${id}/recipients`, key);
  const skipped = told.filter(({ status }) => status === "SKIPPED");
  expect("people told of", told.length, people);
  expect("different people", new Set(told.map(({ recipient }) => recipient)).size, people);
  expect("people delivered to", told.filter(({ status }) => status === "DELIVERED").length, people - optedOut);
  expect("people left out", skipped.map(({ recipient }) => recipient).join(), blocked().map(phone).join());
  expect("progress.delivered", progress.delivered, people - optedOut);
  expect("progress.skipped", progress.skipped, optedOut);
  const messages = await all(baseUrl, "/messages", key);
  expect(
    "recipients of all messages",
    sum(messages, ({ recipientCount }) => recipientCount),
    people - optedOut,
  );
  expect(
    "the cost of all people",
    sum(told, ({ cost }) => cost),
    progress.cost,
  );
  const { wallet } = await ask(baseUrl, "GET", "/account/info", key);
  expect("the wallet", wallet.availableBalance, 1e14 - progress.cost + progress.returned);
  expect("the locked balance", wallet.lockedBalance, 0);
  if (faults.length > 0) say(`account ${account}: ${faults.join("; ")}`);
  return faults;
}

const sum = (items, of) => items.reduce((total, item) => total + of(item), 0);

function report({ counted, done, bulk, alone, beside, half, at, rest, memory, faults }) {
  const rate = at / half.seconds;
  return {
    aims: [
      atMost(
        0,
        `a campaign to ${number(people)} people, killed in the middle: what does not add up`,
        faults.length,
        number,
      ),
      atMost(1.5, "single sends of another account beside it: p99 / alone", beside.p99 / alone.p99, ratio),
    ],
    tables: [
      {
        head: [`campaign to ${number(people)} people`, ""],
        rows: [
          [
            "counted",
            `${number(counted.counted.people)} people, ${number(counted.counted.skipped.BLACKLISTED)} left out`,
          ],
          [`recipients/s of the first ${number(at)}, with another account's sends beside`, number(rate)],
          ["… after the kill", number((people - at) / rest)],
          ["… in requests of 1,000, without personal texts", number(bulk)],
          ["waves", number(done.progress.waves)],
          ["memory of the runtime in the middle, MB", number(half.memory)],
          ["… after the end, and at most, MB", `${number(memory.now)}, ${number(memory.peak)}`],
          [
            "single sends of another account, p50 and p99 ms, alone",
            `${number(alone.p50, 1)}, ${number(alone.p99, 1)}`,
          ],
          ["… beside the campaign", `${number(beside.p50, 1)}, ${number(beside.p99, 1)}`],
        ],
      },
    ],
  };
}
