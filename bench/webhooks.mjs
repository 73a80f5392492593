import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure, say } from "../scripts/lib/base/command.mjs";
import { number } from "./aims.mjs";
import { ask, openAccount } from "./ask.mjs";
import { patient } from "./deadline.mjs";

const messages = 2_000;
const concurrency = 32;
const patience = 120_000;

/**
 * Webhooks to a receiver that answers at once. Each message has one recipient, whom the sandbox delivers to, so each makes
 * an event of its own.
 */
export async function measureWebhooks(peyk) {
  const { baseUrl } = peyk;
  say(`sending ${messages} single messages, each of which makes an event …`);
  const receiver = await startReceiver();
  try {
    const { key } = await openAccount(peyk, "bench-webhooks");
    await ask(baseUrl, "POST", "/webhook", key, { url: receiver.url, events: ["message.status"] });
    const started = performance.now();
    await send(baseUrl, key);
    const accepted = performance.now() - started;
    await receiver.untilHeard(messages);
    const { ids, requests, first, last } = receiver;
    return report(ids.size, requests(), ids.size / ((last() - first()) / 1000), accepted);
  } finally {
    receiver.stop();
  }
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
      const most = patient(patience);
      for (const started = performance.now(); heard.size < count; await sleep(50))
        if (performance.now() - started > most)
          throw new Failure(`${heard.size} of ${count} deliveries were told within ${most} ms`);
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function report(events, requests, perSecond, accepted) {
  const rows = [
    [`${number(events)} events delivered by webhooks in ${number(requests)} requests`, `${number(perSecond)}/s`],
    [`… their ${number(messages)} messages accepted in`, `${number(accepted)} ms`],
  ];
  return { tables: [{ head: ["webhooks", ""], rows }] };
}
