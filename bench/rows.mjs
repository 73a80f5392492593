// `node bench/rows.mjs` counts what Cloudflare bills for a message to one recipient, in the real runtime: calls, alarms, rows
// written and read, KV reads, and the bytes that stay. `--write` puts the figures into scripts/scale-figures.json, from which
// `npm run scale` computes docs/scale.md. `--statements` prints every statement.
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bootstrap } from "../scripts/lib/base/bootstrap.mjs";
import { call } from "../scripts/lib/base/client.mjs";
import { Failure, run, say } from "../scripts/lib/base/command.mjs";
import { inRoot } from "../scripts/lib/base/paths.mjs";
import { build } from "../scripts/lib/build/build.mjs";
import { builtModules } from "../scripts/lib/runtime/runtime.mjs";
import { ensureDemo } from "../scripts/lib/start/demo.mjs";
import { prepareState } from "../scripts/lib/start/state.mjs";
import { startWorker } from "./runtime.mjs";

const burst = 32;
/** How often each is measured. */
const rounds = 3;
/** Messages whose bytes are measured. */
const kept = 3_200;
/**
 * After so many ms without anything counted, all that the messages cause is done, but for the mirror of the usage, once a
 * minute. `tests/it/account/rows.rs` counts that too.
 */
const restMs = 8_000;
const figuresFile = inRoot("scripts/scale-figures.json");
/** The members of the figures, and what is added up for them. */
const billed = {
  workerRequests: ["worker: request"],
  accountCalls: ["account: call", "webhook: call"],
  accountAlarms: ["account: alarm", "webhook: alarm"],
  accountSetAlarms: ["account: setAlarm", "webhook: setAlarm"],
  accountRowsWritten: ["account: rows written", "webhook: rows written"],
  accountRowsRead: ["account: rows read", "webhook: rows read"],
  carrierCalls: ["carrier: call"],
  carrierAlarms: ["carrier: alarm"],
  carrierSetAlarms: ["carrier: setAlarm"],
  carrierRowsRead: ["carrier: rows read"],
  d1Batches: ["d1: batch"],
  d1RowsWritten: ["d1: rows written"],
  d1RowsRead: ["d1: rows read"],
  kvReads: ["kv: read"],
};
let sent = 0;

await bootstrap();
await run(main);

async function main() {
  await build();
  const stateDir = mkdtempSync(join(tmpdir(), "peyk-rows-"));
  try {
    const peyk = await start(stateDir);
    try {
      await measure(peyk);
    } finally {
      await peyk.stop();
    }
  } finally {
    rmSync(stateDir, { recursive: true, force: true });
  }
}

async function start(stateDir) {
  await prepareState(stateDir);
  const modules = [{ type: "ESModule", path: inRoot("bench/rows/worker.mjs") }, ...builtModules()];
  const worker = await startWorker({ modules, stateDir, settings: { SECRET_KEY: randomBytes(32).toString("base64") } });
  const baseUrl = `http://127.0.0.1:${worker.port}`;
  const demo = await ensureDemo(stateDir, baseUrl);
  const admin = (method, path, body) =>
    call(baseUrl, method, `/admin/accounts/${demo.accountId}${path}`, { key: demo.adminKey, body });
  const answers = [
    // As carriers do that send.
    await call(baseUrl, "PATCH", "/admin/carriers/sandbox", {
      key: demo.adminKey,
      body: { sandbox: { reportAfterMs: 1_000 } },
    }),
    await admin("PATCH", "", { rateLimit: { limit: 1_000_000, windowSeconds: 1, burst: 10_000 } }),
    await admin("POST", "/credit", { amount: 1e12, note: "bench" }),
  ];
  if (answers.some(({ status }) => status >= 300)) throw new Failure("the account could not be prepared");
  return { ...worker, baseUrl, key: demo.apiKey };
}

async function measure(peyk) {
  say("sending the first messages, which make rows that the others don't …");
  await send(peyk, 1);
  await atRest(peyk);
  const alone = await average(peyk, 1);
  const together = await average(peyk, burst);
  const before = await atRest(peyk);
  say(`sending ${kept} messages, for the bytes that stay …`);
  for (let begun = 0; begun < kept; begun += burst) await send(peyk, burst);
  const after = await atRest(peyk);
  const bytes = (accountBytes(after) - accountBytes(before)) / kept;
  report({ alone, together, bytes });
  if (process.argv.includes("--write")) write({ alone, together, bytes });
}

function accountBytes({ bytes }) {
  return Math.max(...Object.entries(bytes).map(([name, size]) => (name.startsWith("account") ? size : 0)));
}

async function send({ baseUrl, key }, count) {
  const one = async () => {
    const body = { message: "Your code is 123456", recipients: [`0912${String(sent++ * 1_000).padStart(7, "0")}`] };
    const answer = await call(baseUrl, "POST", "/sms/send", { key, body, keepAlive: true });
    if (answer.status !== 201) throw new Failure(`POST /sms/send: ${answer.status} ${answer.text}`);
  };
  await Promise.all(Array.from({ length: count }, one));
}

/** What was counted until nothing is counted any more. */
async function atRest({ baseUrl }) {
  const sum = { counts: {}, statements: {} };
  for (let quietSince = performance.now(); performance.now() - quietSince < restMs; await sleep(500)) {
    const { status, text, json } = await call(baseUrl, "GET", "/meter");
    if (status !== 200) throw new Failure(`GET /meter: ${status} ${text}`);
    sum.bytes = json.bytes;
    for (const [name, by] of Object.entries(json.counts)) sum.counts[name] = (sum.counts[name] ?? 0) + by;
    for (const [name, by] of Object.entries(json.statements)) {
      sum.statements[name] ??= { times: 0, rowsRead: 0, rowsWritten: 0 };
      const known = sum.statements[name];
      for (const member of Object.keys(known)) known[member] += by[member];
    }
    if (Object.keys(json.counts).length > 0) quietSince = performance.now();
  }
  return sum;
}

/** The counts of a message, when so many are sent at once. */
async function average(peyk, count) {
  say(`sending ${count} at once, ${rounds} times …`);
  const sum = {};
  for (let round = 0; round < rounds; round += 1) {
    await send(peyk, count);
    const { counts, statements } = await atRest(peyk);
    for (const [name, by] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + by / (rounds * count);
    if (round === 0 && process.argv.includes("--statements")) print(statements, count);
  }
  return sum;
}

function print(statements, count) {
  const writing = Object.entries(statements).sort(([, a], [, b]) => b.rowsWritten - a.rowsWritten);
  console.log(`\n| statement, ${count} at once | times | rows written | rows read |\n|---|---|---|---|`);
  for (const [name, { times, rowsWritten, rowsRead }] of writing)
    console.log(`| ${name.replaceAll("|", "\\|")} | ${times} | ${rowsWritten} | ${rowsRead} |`);
}

function report({ alone, together, bytes }) {
  const names = [...new Set([...Object.keys(alone), ...Object.keys(together)])].sort();
  console.log(`\n| a message to one recipient | alone | in a burst of ${burst} |\n|---|---|---|`);
  const cell = (value = 0) => Number(value.toFixed(3)).toLocaleString("en", { maximumFractionDigits: 3 });
  for (const name of names) console.log(`| ${name} | ${cell(alone[name])} | ${cell(together[name])} |`);
  console.log(`| account: bytes that stay | | ${cell(bytes)} |`);
}

function write({ alone, together, bytes }) {
  const figures = JSON.parse(readFileSync(figuresFile, "utf8"));
  const of = (counts) =>
    Object.fromEntries(
      Object.entries(billed).map(([member, names]) => {
        const sum = names.reduce((all, name) => all + (counts[name] ?? 0), 0);
        return [member, Number(sum.toFixed(3))];
      }),
    );
  figures.measured = {
    command: "node bench/rows.mjs --write",
    date: new Date().toISOString().slice(0, 10),
    alone: of(alone),
    burst: { of: burst, ...of(together) },
    bytesKept: Math.round(bytes),
  };
  writeFileSync(figuresFile, `${JSON.stringify(figures, null, 2)}\n`);
}
