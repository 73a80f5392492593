import { setTimeout as sleep } from "node:timers/promises";
import { call } from "../scripts/lib/base/client.mjs";
import { Failure, say } from "../scripts/lib/base/command.mjs";
import { atMost, number, ratio } from "./aims.mjs";
import { ask, openAccount } from "./ask.mjs";
import { Connection, toRequest } from "./connection.mjs";
import { msLeft, OutOfTime } from "./deadline.mjs";
import { inTurn, load, median, seconds, settle } from "./load.mjs";
import { fillAccount } from "./rows-by-the-million.mjs";
import { startPeyk } from "./workers.mjs";

/** How many messages the objects keep. The small one has enough for a page, so that the pages of both are alike. */
const kept = { small: 200, big: 1_000_000 };
/** The sandbox delivers to all numbers that end in 100. */
const phone = "09120000100";
const lists = [
  "/messages",
  "/messages?status=DONE",
  "/messages?type=PLAIN",
  `/messages?recipient=${phone}`,
  "/inbound",
  "/account/transactions",
  "/blacklist",
];
const fruitless = "/messages?status=CANCELED";
const times = 100;
const warmUp = 20;

/**
 * What an object with a million messages takes longer for than a small one. The rows are written into the files of two
 * objects while Peyk is down. Stops `peyk`.
 */
export async function measureMillion(peyk, { stateDir }) {
  const accounts = { small: await prepare(peyk, "small"), big: await prepare(peyk, "big") };
  await peyk.stop();
  const started = performance.now();
  for (const [size, { id }] of Object.entries(accounts)) {
    say(`writing ${kept[size]} messages into an object …`);
    await fillAccount(stateDir, id, kept[size]);
  }
  const filled = (performance.now() - started) / 1_000;
  const again = await startPeyk(stateDir);
  try {
    return report(await compare(again, accounts), filled);
  } finally {
    await again.stop();
  }
}

/** Opens an account with one message that is delivered, and one from a phone. */
async function prepare(peyk, size) {
  const { baseUrl, adminKey } = peyk;
  const { id, key } = await openAccount(peyk, `bench-${size}`);
  await ask(baseUrl, "POST", "/sms/send", key, { message: "bench", recipients: [phone] });
  const admin = (method, path, body) => ask(baseUrl, method, `/admin${path}`, adminKey, body);
  const carrier = `bench-${size}`;
  const number = size === "small" ? "20000001" : "20000002";
  // Nothing is sent by this carrier, only received.
  const http = { url: "https://example.com/", username: "peyk", password: "secret" };
  await admin("POST", "/carriers", { name: carrier, kind: "http", http });
  await admin("POST", "/lines", { number, carrier, operations: ["WEBSERVICE"], accounts: [id] });
  const { inboundUrl } = await admin("GET", `/carriers/${carrier}`);
  const { pathname, search } = new URL(inboundUrl);
  const about = new URLSearchParams({ from: phone, to: number, text: "bench", id: "1" });
  const { status, text } = await call(baseUrl, "GET", `${pathname}${search}&${about}`);
  if (status !== 200) throw new Failure(`a message from a phone was not taken: ${status} ${text}`);
  if ((await settle(peyk, [key])) === null) throw new Failure("a message was not delivered");
  // The object's own work after a message: the mirror, and what else an alarm does.
  await sleep(2_000);
  return { id, key };
}

async function compare(peyk, accounts) {
  const keys = [accounts.small.key, accounts.big.key];
  const rows = [];
  for (const [what, requests] of await comparisons(peyk, keys)) {
    say(`comparing ${what} …`);
    rows.push({ what, ...(await alternately(peyk.port, requests)) });
  }
  const sides = keys.map((key) => async () => {
    const result = await load(peyk, { keys: [key], seconds: seconds / 2 });
    await settle(peyk, [key]);
    return result;
  });
  const [small, big] = await inTurn("1 recipient, small and big object", sides);
  return { rows, small, big };
}

/** What is compared, each with a request for both objects. */
async function comparisons({ baseUrl, port }, keys) {
  const newest = await Promise.all(
    keys.map(async (key) => (await ask(baseUrl, "GET", "/messages?limit=1", key))[0].uid),
  );
  for (const path of lists) {
    const [small, big] = await Promise.all(keys.map((key) => ask(baseUrl, "GET", path, key)));
    if (small.length !== big.length) throw new Failure(`GET ${path}: the pages differ`);
  }
  const get = (path) => keys.map((key, at) => toRequest({ method: "GET", path: path(newest[at]), port, key }));
  const body = JSON.stringify({ message: "bench", recipients: [phone] });
  return [
    ["POST /sms/send", keys.map((key) => toRequest({ method: "POST", path: "/sms/send", port, key, body }))],
    ...lists.map((path) => [`GET ${path}`, get(() => path)]),
    ["GET /account/info", get(() => "/account/info")],
    ["GET /messages/{uid}", get((uid) => `/messages/${uid}`)],
    ["GET /messages/{uid}/recipients", get((uid) => `/messages/${uid}/recipients`)],
    // A filter that finds nothing makes Peyk look at 10,000 messages, by design. It is no aim.
    [`GET ${fruitless}`, get(() => fruitless)],
  ];
}

/** Asks one object and the other in turn. Returns the medians of the times, ms. */
async function alternately(port, requests) {
  const connections = requests.map(() => new Connection(port));
  const took = requests.map(() => []);
  for (let time = -warmUp; time < times; time += 1) {
    if (msLeft() === 0) throw new OutOfTime("the comparison did not end in time");
    for (const [at, request] of requests.entries()) {
      const started = performance.now();
      const status = await connections[at].ask(request);
      if (!["200", "201"].includes(status)) throw new Failure(`the answer was ${status}: ${request}`);
      if (time >= 0) took[at].push(performance.now() - started);
    }
  }
  for (const connection of connections) connection.close();
  const [small, big] = took.map(median);
  return { small, big };
}

function report({ rows, small, big }, filled) {
  const [send, ...lists] = rows.map((row) => ({ ...row, ratio: row.big / row.small }));
  const aimed = lists.filter(({ what }) => !what.endsWith(fruitless));
  const slowest = aimed.reduce((one, other) => (other.ratio > one.ratio ? other : one));
  const title = `${number(kept.big)} messages kept, beside ${kept.small}`;
  return {
    aims: [
      atMost(1.1, `${title}: time of a single send`, send.ratio, ratio),
      atMost(1.1, "… speed of single sends, 32 connections", small.requestsPerSecond / big.requestsPerSecond, ratio),
      atMost(1.1, `… first page, the slowest of the lists (${slowest.what})`, slowest.ratio, ratio),
    ],
    tables: [
      {
        head: ["median ms, one request at a time", `${kept.small} kept`, `${number(kept.big)} kept`, "ratio"],
        rows: [send, ...lists].map((row) => [row.what, number(row.small, 2), number(row.big, 2), number(row.ratio, 2)]),
      },
      {
        head: ["1 recipient, 32 connections", "requests/s", "p99 ms"],
        rows: [
          [`${kept.small} kept`, number(small.requestsPerSecond), number(small.p99, 1)],
          [`${number(kept.big)} kept`, number(big.requestsPerSecond), number(big.p99, 1)],
          ["the rows were written in", `${number(filled, 1)} s`, ""],
        ],
      },
    ],
  };
}
