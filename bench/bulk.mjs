import { say } from "../scripts/lib/base/command.mjs";
import { atLeast, number, ratio } from "./aims.mjs";
import { ask, openAccount } from "./ask.mjs";
import { inTurn, load, seconds, settle } from "./load.mjs";
import { openPlainAccount } from "./workers.mjs";

const connections = { 100: 32, 1000: 16 };
/** Recipients of the messages that are delivered, in requests of a thousand. */
const delivered = Math.round(60 * seconds) * 1_000;

/**
 * Messages to 100 and to 1,000 recipients. Scheduled ones are accepted and nothing else, beside the plain worker, each round by
 * new accounts, so that all begin with empty objects; they stay in the objects until the end. Then Peyk alone delivers.
 */
export async function measureBulk(peyk, { plain }) {
  const hundred = await scheduled(peyk, plain, 100);
  const thousand = await scheduled(peyk, plain, 1000);
  const [result] = await inTurn(`${delivered} recipients, until the last ending`, [(round) => deliver(peyk, round)]);
  return report(hundred, thousand, result);
}

async function scheduled(peyk, plain, recipients) {
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const job = { recipients, sendAt, seconds, connections: connections[recipients] };
  const name = (round) => `bench-${recipients}-${round}`;
  await load(plain, { ...job, keys: [(await openPlainAccount(plain, `${recipients}-warm`)).key], seconds: 1 });
  await load(peyk, { ...job, keys: [(await openAccount(peyk, name("warm"))).key], seconds: 1 });
  return inTurn(`${recipients} recipients, scheduled`, [
    async (round) => load(peyk, { ...job, keys: [(await openAccount(peyk, name(round))).key] }),
    async (round) => load(plain, { ...job, keys: [(await openPlainAccount(plain, name(round))).key] }),
  ]);
}

/** From the first accept until everything has its ending. */
async function deliver(peyk, round) {
  const { key } = await openAccount(peyk, `bench-delivered-${round}`);
  const job = { keys: [key], recipients: 1000, connections: connections[1000], answers: delivered / 1000 };
  const result = await load(peyk, job);
  const endedAt = await settle(peyk, [key], 20);
  const took = endedAt === null ? Number.POSITIVE_INFINITY : (endedAt - result.startedAt) / 1000;
  await checkOne(peyk, key);
  const recipients = result.accepted * 1000;
  return { recipients, perSecond: recipients / took, took, acceptedPerSecond: result.recipientsPerSecond };
}

async function checkOne({ baseUrl }, key) {
  const [{ uid }] = await ask(baseUrl, "GET", "/messages?limit=1", key);
  const { counts } = await ask(baseUrl, "GET", `/messages/${uid}`, key);
  if (counts.DELIVERED !== 1000) say(`the newest message was not delivered to all: ${JSON.stringify(counts)}`);
}

function report(hundred, thousand, delivery) {
  const line = (worker, recipients, result) => [
    worker,
    number(recipients),
    number(result.requestsPerSecond),
    number(result.recipientsPerSecond),
    number(result.p50, 1),
    number(result.p99, 1),
    number(result.loaderCores, 2),
  ];
  const rate = ([peyk, plain]) => peyk.requestsPerSecond / plain.requestsPerSecond;
  const accepts = thousand[1].recipientsPerSecond;
  return {
    aims: [
      atLeast(1, "100 recipients, scheduled: Peyk / plain JavaScript", rate(hundred), ratio),
      atLeast(1.4, "1,000 recipients, scheduled: Peyk / plain JavaScript", rate(thousand), ratio),
      atLeast(
        0.5,
        "1,000 recipients, accept to last ending: Peyk / what plain JavaScript accepts",
        delivery.perSecond / accepts,
        ratio,
      ),
    ],
    tables: [
      {
        head: ["worker", "recipients, scheduled", "requests/s", "recipients/s", "p50 ms", "p99 ms", "loader's cores"],
        rows: [
          line("Peyk", 100, hundred[0]),
          line("plain JavaScript", 100, hundred[1]),
          line("Peyk", 1000, thousand[0]),
          line("plain JavaScript", 1000, thousand[1]),
        ],
      },
      {
        head: [`${number(delivery.recipients)} recipients in requests of 1,000`, ""],
        rows: [
          ["first accept to last ending", `${number(delivery.took, 2)} s, ${number(delivery.perSecond)}/s`],
          ["… accepted at", `${number(delivery.acceptedPerSecond)}/s`],
        ],
      },
    ],
  };
}
