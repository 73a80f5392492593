// `npm run bench` compares Peyk with a floor worker. Each runs in its own process of the same runtime with the same
// bindings. The same loader loads them in turn.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { bootstrap } from "../scripts/lib/bootstrap.mjs";
import { build } from "../scripts/lib/build.mjs";
import { call } from "../scripts/lib/client.mjs";
import { ensureDemo } from "../scripts/lib/demo.mjs";
import { finished } from "../scripts/lib/exec.mjs";
import { Failure, run, say } from "../scripts/lib/fail.mjs";
import { inRoot } from "../scripts/lib/paths.mjs";
import { prepareState } from "../scripts/lib/state.mjs";
import { latencyRows, measureLatency } from "./latency.mjs";
import { measurePhonebooks, phonebookRows } from "./phonebooks.mjs";
import { startWorker } from "./runtime.mjs";
import { measureSmpp, smppRows } from "./smpp.mjs";
import { measureWebhooks, webhookRows } from "./webhooks.mjs";

const seconds = Number(process.env.BENCH_SECONDS || 8);
const connectionsFor = { 1: 32, 100: 32, 1000: 16 };
const settleWithin = 120;

await bootstrap();
await run(main);

async function main() {
  await build();
  const dir = mkdtempSync(join(tmpdir(), "peyk-bench-"));
  try {
    const floor = await startFloor(join(dir, "floor"));
    const peyk = await startPeyk(join(dir, "peyk"));
    try {
      await measure(peyk, floor);
    } finally {
      await Promise.all([peyk.stop(), floor.stop()]);
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function startFloor(stateDir) {
  const modules = [{ type: "ESModule", path: inRoot("bench/floor/worker.mjs") }];
  return { name: "floor", key: "none", ...(await startWorker({ modules, stateDir })) };
}

async function startPeyk(stateDir) {
  await prepareState(stateDir);
  const modules = [
    { type: "ESModule", path: inRoot("build/worker.mjs") },
    { type: "ESModule", path: inRoot("build/calls.mjs") },
    { type: "ESModule", path: inRoot("build/index.js") },
    { type: "CompiledWasm", path: inRoot("build/index_bg.wasm") },
  ];
  const settings = { SECRET_KEY: randomBytes(32).toString("base64"), WEBHOOK_ALLOW_LOOPBACK: "true" };
  const worker = await startWorker({ modules, stateDir, settings });
  const baseUrl = `http://127.0.0.1:${worker.port}`;
  const first = performance.now();
  await call(baseUrl, "GET", "/health");
  const firstRequest = performance.now() - first;
  const { apiKey, adminKey, accountId } = await ensureDemo(stateDir, baseUrl);
  await removeLimits((method, path, body) =>
    call(baseUrl, method, `/admin/accounts/${accountId}${path}`, { key: adminKey, body }),
  );
  return { name: "Peyk", key: apiKey, adminKey, accountId, baseUrl, firstRequest, ...worker };
}

async function removeLimits(admin) {
  const answers = [
    await admin("PATCH", "", { rateLimit: { limit: 1_000_000, windowSeconds: 1, burst: 10_000 } }),
    await admin("POST", "/credit", { amount: 1e15, note: "bench" }),
  ];
  const refused = answers.find(({ status }) => status >= 300);
  if (refused) throw new Failure(`the account could not be prepared: ${refused.status} ${refused.text}`);
}

async function measure(peyk, floor) {
  const rows = [];
  const latency = await measureLatency(peyk);
  const phonebooks = await measurePhonebooks(peyk);
  await settle(peyk);
  for (const worker of [peyk, floor]) await load(worker, 1, 3);
  await settle(peyk);
  for (const [i, worker] of [peyk, floor, peyk, floor].entries()) {
    rows.push(await round(worker, 1, `1, round ${Math.floor(i / 2) + 1}`));
    if (worker === peyk) await settle(peyk);
  }
  rows.push(await round(peyk, 100, "100"));
  await settle(peyk);
  rows.push(await round(peyk, 1000, "1,000"));
  const settled = await settle(peyk);
  const smpp = await measureSmpp(peyk);
  const webhooks = await measureWebhooks(peyk);
  report(rows, { latency, phonebooks, smpp, webhooks }, settled, peyk, floor);
}

async function round(worker, recipients, title) {
  say(
    `loading ${worker.name} with ${recipients} recipient${recipients > 1 ? "s" : ""} a request for ${seconds} seconds …`,
  );
  const result = await load(worker, recipients, seconds);
  return { worker, title, recipients, ...result };
}

async function load({ port, key }, recipients, duration) {
  const job = { port, path: "/sms/send", key, recipients, connections: connectionsFor[recipients], seconds: duration };
  const loader = spawn(process.execPath, [inRoot("bench/loader.mjs"), JSON.stringify(job)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  loader.stdout.on("data", (chunk) => (output += chunk));
  const { code } = await finished(loader);
  if (code !== 0) throw new Failure("the loader failed");
  const result = JSON.parse(output);
  if (Object.keys(result.statuses).some((status) => status !== "201")) {
    say(`some answers were not 201: ${JSON.stringify(result.statuses)}`);
  }
  return result;
}

/**
 * Returns the seconds until every accepted message is done, or `null` if that takes too long. Otherwise the work of one
 * round would slow down the next.
 */
async function settle({ baseUrl, key }) {
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  while (elapsed() < settleWithin) {
    if (!(await isUnfinished(baseUrl, key))) return elapsed();
    await sleep(250);
  }
  return null;
}

async function isUnfinished(baseUrl, key) {
  for (const status of ["QUEUED", "SENDING"]) {
    const answer = await call(baseUrl, "GET", `/messages?status=${status}&limit=1`, { key });
    if (answer.status !== 200) throw new Failure(`GET /messages: ${answer.status} ${answer.text}`);
    if (answer.json.data.length > 0) return true;
  }
  return false;
}

function report(rows, { latency, phonebooks, smpp, webhooks }, settled, peyk, floor) {
  const number = (value, digits = 0) =>
    value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  console.log(
    "\n| worker | recipients | requests/s | recipients/s | p50 ms | p99 ms | loader's cores |\n|---|---|---|---|---|---|---|",
  );
  for (const { worker, title, recipients, requestsPerSecond, p50, p99, loaderCores } of rows) {
    const cells = [worker.name, title, number(requestsPerSecond), number(requestsPerSecond * recipients)];
    console.log(`| ${[...cells, number(p50, 1), number(p99, 1), number(loaderCores, 2)].join(" | ")} |`);
  }
  console.log("\n| latency | p50 ms | p99 ms |\n|---|---|---|");
  for (const row of latencyRows(latency)) console.log(`| ${row.join(" | ")} |`);
  console.log("\n| phonebooks | |\n|---|---|");
  for (const row of phonebookRows(phonebooks)) console.log(`| ${row.join(" | ")} |`);
  console.log("\n| SMPP and webhooks | |\n|---|---|");
  for (const row of [...smppRows(smpp), ...webhookRows(webhooks)]) console.log(`| ${row.join(" | ")} |`);
  const wasm = readFileSync(inRoot("build/index_bg.wasm"));
  const kilobytes = (buffer) => `${number(buffer.length / 1024)} KB`;
  console.log(`
Peyk / floor at 1 recipient: ${number(rate(rows, peyk) / rate(rows, floor), 2)}
After the 1,000s every message was done in: ${settled === null ? `more than ${settleWithin} s` : `${number(settled, 1)} s`}
WebAssembly: ${kilobytes(wasm)}, gzipped ${kilobytes(gzipSync(wasm, { level: 9 }))}
First request of an isolate: ${number(peyk.firstRequest)} ms`);
  for (const { name, memory } of [peyk, floor]) {
    const { now, peak } = memory();
    console.log(`Memory of ${name}'s runtime: ${number(now)} MB, at most ${number(peak)} MB`);
  }
}

function rate(rows, worker) {
  const rates = rows.filter((row) => row.worker === worker && row.recipients === 1).map((row) => row.requestsPerSecond);
  return rates.reduce((sum, value) => sum + value, 0) / rates.length;
}
