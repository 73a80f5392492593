// A random mix of sends, by clients that hang up, repeat and cancel. It knows what was answered, and nothing else.
import { setTimeout as sleep } from "node:timers/promises";
import { api } from "../server.mjs";

/** How many sends a shop has under way at once. */
const CLIENTS = 2;
const prefixes = ["98912", "98935", "98921"];
const texts = ["Your order is on its way.", "سفارش شما در راه است.", "x".repeat(200), "سلام ".repeat(20)];

/**
 * Sends `count` messages of a shop. `shop.accepted` maps the key of each send to its answer, and `shop.refused` has the keys of
 * those that the money was too short for. `shop.perhaps` has the numbers of sends without a key whose client hung up.
 */
export async function sendMix(server, shop, count, random) {
  let left = count;
  const client = async () => {
    while (left > 0) {
      left -= 1;
      await sendOne(server, shop, random);
      await sleep(random.integer(0, 60));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

let lastNumber = 0;

/** A number that no other send has. */
function nextNumber(random) {
  lastNumber += 1;
  return `+${random.oneOf(prefixes)}${String(lastNumber).padStart(7, "0")}`;
}

function draft(shop, random) {
  const numbers = Array.from({ length: random.isTrue(0.3) ? random.integer(2, 60) : 1 }, () => nextNumber(random));
  const kind = random.integer(1, 4);
  if (kind === 1) {
    const messages = numbers.map((recipient) => ({ recipient, message: random.oneOf(texts) }));
    return { path: "/sms/bulk", numbers, body: { messages } };
  }
  if (kind === 2) {
    const body = {
      pattern: shop.pattern,
      variables: { OTP: String(random.integer(1_000, 9_999)) },
      recipients: numbers,
    };
    return { path: "/sms/pattern", numbers, body };
  }
  return { path: "/sms/send", numbers, body: { message: random.oneOf(texts), recipients: numbers } };
}

async function sendOne(server, shop, random) {
  const { path, numbers, body } = draft(shop, random);
  const isForgotten = random.isTrue(0.05);
  const hangsUp = isForgotten || random.isTrue(0.25);
  const patienceMs = random.integer(1, 60);
  const fate = isForgotten ? 0 : random.integer(1, 10);
  if (fate === 1) body.sendAt = new Date(Date.now() + random.integer(2_000, 6_000)).toISOString();
  if (fate === 2) body.sendAt = new Date(Date.now() + 86_400_000).toISOString();
  const key = `send-${shop.id}-${numbers[0]}`;
  const ask = (signal) =>
    api(server, "POST", path, {
      key: shop.key,
      body,
      headers: isForgotten ? {} : { "Idempotency-Key": key },
      signal,
    }).catch(() => null);
  const first = await ask(hangsUp ? AbortSignal.timeout(patienceMs) : undefined);
  if (isForgotten) {
    if (first?.status === 201) shop.accepted.set(key, first.json.data);
    else for (const number of numbers) shop.perhaps.add(number);
    return;
  }
  const answer = await repeated(ask, first, body);
  if (answer.status === 400 && answer.json.code === 2001) return shop.refused.add(key);
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  shop.accepted.set(key, answer.json.data);
  if (fate === 2) await cancel(server, shop, answer.json.data.uid);
}

/** Repeats a send with its key until it has an answer. */
async function repeated(ask, first, body) {
  for (let answer = first; ; answer = await ask()) {
    if (answer && answer.status !== 503) {
      const isLate = answer.json?.extra?.some((text) => text.startsWith("sendAt:"));
      if (!isLate) return answer;
      // A time that has passed on the way.
      delete body.sendAt;
    }
    await sleep(100);
  }
}

/** Cancels a message that is scheduled for tomorrow. */
async function cancel(server, shop, uid) {
  for (;;) {
    const answer = await api(server, "DELETE", `/messages/${uid}`, { key: shop.key }).catch(() => null);
    if (answer && answer.status !== 503) {
      // A repeat finds it canceled.
      if (![200, 204, 409].includes(answer.status)) throw new Error(`cancel: ${answer.status} ${answer.text}`);
      return shop.canceled.add(uid);
    }
    await sleep(100);
  }
}
