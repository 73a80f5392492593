import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { call } from "../scripts/lib/base/client.mjs";
import { Failure, say } from "../scripts/lib/base/command.mjs";
import { build } from "../scripts/lib/build/build.mjs";
import { number } from "./aims.mjs";
import { ask, openAccount } from "./ask.mjs";
import { connectInspector, wasmBytes } from "./inspector.mjs";
import { print } from "./report.mjs";
import { Answers, annoy, sendMix } from "./soak-load.mjs";
import { startPeyk } from "./workers.mjs";

const accounts = 200;
const minutes = Number(process.env.SOAK_MINUTES || 10);
/** Requests a second. */
const rate = Number(process.env.SOAK_RATE || 40);
const MB = 1024 * 1024;
const carrier = "soak-smsc";
const line = "10009";
/** How long the rest may take after the load, ms. */
const patience = 20 * 60_000;
/** Every so many accounts, one has a receiver that answers, and one a receiver that never does. */
const answering = 5;
const hanging = 20;

const columns = ["minute", "accepted", "recipients", "longest answer", "process", "WebAssembly", "JavaScript"];

/**
 * Sends for minutes as the days go: mixed messages of many accounts by the sandbox and by an SMSC that throttles and drops, clients
 * that hang up, a receiver that never answers. Shows errors, the longest answer and the memory at each minute. At the end, every
 * message has to be done, every ledger replays, and all stores agree; otherwise it fails.
 */
export async function soak(dir) {
  await build();
  const { startSmscProcess } = await import("../tests/support/peers/smsc-process.mjs");
  const smsc = await startSmscProcess({ receipts: { state: "DELIVRD", where: "both", when: "after", times: 1 } });
  const receiver = await startReceiver();
  const peyk = await startPeyk(join(dir, "peyk"), { inspectorPort: 0 });
  try {
    const shops = await openShops(peyk, smsc, receiver);
    const { rows, answers } = await load(peyk, shops, smsc);
    const rested = performance.now();
    await rest(peyk, shops);
    const faults = await reconcile(peyk);
    const restSeconds = (performance.now() - rested) / 1_000;
    print([report(rows, answers, receiver, await smsc.stats(), restSeconds)]);
    judge(faults, answers);
  } finally {
    await Promise.all([peyk.stop(), smsc.stop(), receiver.stop()]);
  }
}

/** A program that takes events at `/`, and never answers at `/hang`. */
async function startReceiver() {
  const heard = new Set();
  let hung = 0;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece;
    if (request.url === "/hang") hung += 1;
    else {
      heard.add(JSON.parse(body).id);
      response.end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    events: () => heard.size,
    hung: () => hung,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function openShops(peyk, smsc, receiver) {
  const { baseUrl, adminKey } = peyk;
  say(`opening ${accounts} accounts …`);
  const smpp = { host: "127.0.0.1", port: smsc.port, tls: false, systemId: "peyk", password: "secret", binds: 2 };
  const admin = (path, body) => ask(baseUrl, "POST", `/admin${path}`, adminKey, body);
  await admin("/carriers", { name: carrier, kind: "smpp", smpp });
  await admin("/lines", { number: line, carrier, operations: ["WEBSERVICE", "PATTERN"], shared: true });
  const shops = [];
  for (let at = 0; at < accounts; at += 1) {
    const shop = await openAccount(peyk, `soak-${at}`, at % 2 === 0 ? line : "10001");
    await ask(baseUrl, "POST", "/pattern", shop.key, { slug: "soak", title: "Soak", text: "Your code is %CODE%." });
    await ask(baseUrl, "POST", "/pattern/soak/versions/1/activate", shop.key);
    const hook = (path) =>
      ask(baseUrl, "POST", "/webhook", shop.key, { url: receiver.url + path, events: ["message.status"] });
    if (at % answering === 0) await hook("/");
    if (at % hanging === 0) await hook("/hang");
    shops.push(shop);
  }
  return shops;
}

async function load(peyk, shops, smsc) {
  say(`sending ${rate} requests a second for ${minutes} minutes …`);
  const answers = new Answers();
  const rows = [];
  const inspector = await connectInspector(await peyk.inspector());
  const end = performance.now() + minutes * 60_000;
  const isOver = () => performance.now() >= end;
  const keys = shops.map(({ key }) => key);
  const work = Promise.all([sendMix(peyk.baseUrl, keys, rate, answers, isOver), annoy(smsc, isOver)]);
  for (let minute = 1; minute <= minutes; minute += 1) {
    await sleep(Math.max(0, end - (minutes - minute) * 60_000 - performance.now()));
    const row = await look(minute, peyk, inspector, answers);
    say(columns.map((name, at) => `${name} ${row[at]}`).join(", "));
    rows.push(row);
  }
  await work;
  inspector.close();
  return { rows, answers };
}

async function look(minute, peyk, inspector, answers) {
  const { usedSize } = await inspector.send("Runtime.getHeapUsage");
  return [
    number(minute),
    number(answers.accepted),
    number(answers.recipients),
    `${number(answers.takeLongest())} ms`,
    `${number(peyk.memory().now)} MB`,
    `${number((await wasmBytes(inspector)) / MB, 1)} MB`,
    `${number(usedSize / MB, 1)} MB`,
  ];
}

/** The first item of a list. It takes no connection that was idle: the runtime may be closing it. */
async function first(baseUrl, path, key) {
  const { status, json, text } = await call(baseUrl, "GET", `${path}&limit=1`, { key });
  if (status !== 200) throw new Failure(`GET ${path}: ${status} ${text}`);
  return json.data[0];
}

/** Waits until every message of every account is done. */
async function rest({ baseUrl }, shops) {
  say("waiting for the last message …");
  const deadline = performance.now() + patience;
  for (const { key } of shops)
    for (const status of ["SCHEDULED", "QUEUED", "SENDING"]) {
      while ((await first(baseUrl, `/messages?status=${status}`, key)) !== undefined) {
        if (performance.now() > deadline) throw new Failure(`messages are ${status} after ${patience} ms`);
        await sleep(500);
      }
    }
}

/** Checks every account as operators do: the ledger is replayed, and the stores agree. Returns what does not. */
async function reconcile({ baseUrl, adminKey }) {
  say("replaying the ledgers …");
  const faults = [];
  let checked = 0;
  for (let cursor = ""; cursor !== null; ) {
    const path = `/admin/reconciliation?limit=10${cursor && `&cursor=${cursor}`}`;
    const { status, text, json } = await call(baseUrl, "GET", path, { key: adminKey });
    if (status !== 200) throw new Failure(`GET /admin/reconciliation: ${status} ${text}`);
    for (const { account, now, error } of json.data) {
      checked += 1;
      if (error || now.differences.length > 0 || now.unchecked.length > 0)
        faults.push(`${account}: ${JSON.stringify(error ?? now)}`);
    }
    cursor = json.meta.nextCursor;
  }
  if (checked < accounts) faults.push(`only ${checked} accounts were checked`);
  return faults;
}

function report(rows, answers, receiver, smsc, restSeconds) {
  const kinds = [...answers.counts].map(([kind, count]) => [`answers: ${kind}`, number(count)]);
  const others = [
    ["the longest answer", `${number(answers.longest)} ms`],
    ["from the end of the load until all was done and replayed", `${number(restSeconds)} s`],
    ["events that a receiver took", number(receiver.events())],
    ["requests that a receiver never answered", number(receiver.hung())],
    ["submits that the SMSC took, and did not", `${number(smsc.taken)}, ${number(smsc.submits - smsc.taken)}`],
    ["sessions that it bound", number(smsc.binds)],
  ];
  return {
    tables: [
      { head: columns, rows },
      { head: ["and", ""], rows: [...kinds, ...others] },
    ],
  };
}

/** A soak fails by what does not agree, and by each answer that blames the service itself. */
function judge(faults, answers) {
  const isFault = (kind) => kind.startsWith("500") || kind.startsWith("no answer");
  for (const [kind, count] of answers.counts) if (isFault(kind)) faults.push(`${count} × ${kind}`);
  if (faults.length > 0) throw new Failure(`the soak failed:\n${faults.slice(0, 20).join("\n")}`);
  say("every message is done, every ledger replays, and all stores agree");
}
