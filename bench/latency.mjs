import { setTimeout as sleep } from "node:timers/promises";
import { call } from "../scripts/lib/base/client.mjs";
import { Failure, say } from "../scripts/lib/base/command.mjs";
import { number } from "./aims.mjs";
import { all, openAccount } from "./ask.mjs";
import { patient } from "./deadline.mjs";

const perSecond = 100;
const seconds = 5;
const handedWithin = 30_000;

/**
 * Single sends at a steady rate: how long each takes from its accept to the carrier. Both times are the objects' own, so the
 * loader's delays do not count.
 */
export async function measureLatency(peyk) {
  const { baseUrl, adminKey } = peyk;
  const { key, id: accountId } = await openAccount(peyk, "bench-latency");
  say(`sending ${perSecond} single messages a second for ${seconds} seconds …`);
  const sends = [];
  const started = performance.now();
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const due = started + (index * 1000) / perSecond;
    if (due > performance.now()) await sleep(due - performance.now());
    const sent = send(baseUrl, key, index);
    // What fails is thrown below. Until then nobody listens, and that would end the process.
    sent.catch(() => {});
    sends.push(sent);
  }
  const answered = (await Promise.all(sends)).sort((a, b) => a - b);
  const accepted = await all(baseUrl, "/messages", key, perSecond * seconds);
  const handed = await untilHanded(baseUrl, adminKey, accountId);
  const acceptedAt = new Map(accepted.map(({ uid, createdAt }) => [uid, Date.parse(createdAt)]));
  const waits = handed.map(({ uid, handedAt }) => Date.parse(handedAt) - acceptedAt.get(uid.split(".")[0]));
  waits.sort((a, b) => a - b);
  return report(percentiles(answered), percentiles(waits));
}

async function send(baseUrl, key, index) {
  // The sandbox takes all numbers that end in 100.
  const body = { message: `bench ${index}`, recipients: [`0912${String(index).padStart(4, "0")}100`] };
  const started = performance.now();
  const answer = await call(baseUrl, "POST", "/sms/send", { key, body, keepAlive: true });
  if (answer.status !== 201) throw new Failure(`POST /sms/send: ${answer.status} ${answer.text}`);
  return performance.now() - started;
}

async function untilHanded(baseUrl, adminKey, accountId) {
  const wanted = perSecond * seconds;
  const most = patient(handedWithin);
  for (const started = performance.now(); performance.now() - started < most; await sleep(250)) {
    const handed = await all(baseUrl, `/admin/accounts/${accountId}/sandbox`, adminKey, wanted);
    if (handed.length === wanted) return handed;
  }
  throw new Failure(`not all were handed to the carrier within ${most} ms`);
}

export const percentiles = (sorted) => ({ p50: percentile(sorted, 50), p99: percentile(sorted, 99) });
const percentile = (sorted, p) => sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))];

function report(answered, handed) {
  const row = (what, { p50, p99 }) => [`${what}, single sends at ${perSecond}/s`, number(p50, 1), number(p99, 1)];
  const rows = [row("accept answered", answered), row("accept → handed to the carrier", handed)];
  return { tables: [{ head: ["latency", "p50 ms", "p99 ms"], rows }] };
}
