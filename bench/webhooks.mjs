import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { call } from "../scripts/lib/client.mjs";
import { Failure, say } from "../scripts/lib/fail.mjs";

const messages = 3_000;
const concurrency = 32;
const patience = 120_000;

/**
 * Webhooks to a receiver that answers at once. Each message has one recipient, whom the sandbox delivers to, so each makes
 * an event of its own.
 */
export async function measureWebhooks({ baseUrl, adminKey }) {
  say(`sending ${messages} single messages, each of which makes an event …`);
  const receiver = await startReceiver();
  try {
    const key = await openAccount(baseUrl, adminKey);
    await ask(baseUrl, "POST", "/webhook", key, { url: receiver.url, events: ["message.status"] });
    const started = performance.now();
    await send(baseUrl, key);
    const accepted = performance.now() - started;
    await receiver.untilHeard(messages);
    const { ids, requests, first, last } = receiver;
    return { events: ids.size, requests: requests(), perSecond: ids.size / ((last() - first()) / 1000), accepted };
  } finally {
    receiver.stop();
  }
}

async function ask(baseUrl, method, path, key, body) {
  const answer = await call(baseUrl, method, path, { key, body, keepAlive: true });
  if (answer.status >= 300) throw new Failure(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.json.data;
}

async function openAccount(baseUrl, adminKey) {
  const admin = (method, path, body) => ask(baseUrl, method, `/admin${path}`, adminKey, body);
  const { id } = await admin("POST", "/accounts", { username: "bench-webhooks", fullName: "Bench", plan: "demo" });
  const rateLimit = { limit: 1_000_000, windowSeconds: 1, burst: 10_000 };
  await admin("PATCH", `/accounts/${id}`, { defaultLine: "10001", rateLimit });
  await admin("POST", `/accounts/${id}/credit`, { amount: 1e12, note: "bench" });
  return (await admin("POST", `/accounts/${id}/keys`, { title: "bench" })).key;
}

async function send(baseUrl, key) {
  let next = 0;
  const work = async () => {
    while (next < messages) {
      // The sandbox delivers to all numbers that end in 100.
      const recipients = [`0912${String(next++).padStart(4, "0")}100`];
      await ask(baseUrl, "POST", "/sms/send", key, { message: "bench", recipients });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

async function startReceiver() {
  const ids = new Set();
  const heard = new Set();
  const times = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    response.end();
    times.push(performance.now());
    const { id, data } = JSON.parse(body);
    ids.add(id);
    for (const { uid, status } of data.recipients) if (status === "DELIVERED") heard.add(uid);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    ids,
    requests: () => times.length,
    first: () => times[0],
    last: () => times.at(-1),
    async untilHeard(count) {
      for (const started = performance.now(); heard.size < count; await sleep(50))
        if (performance.now() - started > patience)
          throw new Failure(`${heard.size} of ${count} deliveries were told within ${patience} ms`);
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Returns the rows of the report. */
export function webhookRows({ events, requests, perSecond, accepted }) {
  const number = (value) => value.toLocaleString("en", { maximumFractionDigits: 0 });
  return [
    [`${number(events)} events delivered by webhooks in ${number(requests)} requests`, `${number(perSecond)}/s`],
    [`… their ${number(messages)} messages accepted in`, `${number(accepted)} ms`],
  ];
}
