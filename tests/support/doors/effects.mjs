// What a shop's sends have done, by whatever door they came: for tests that compare two shops.
import { after } from "node:test";
import { listen } from "../receiver.mjs";
import { until } from "../server.mjs";
import { all, assertLedgerAddsUp, message, whenDone } from "../shop.mjs";

const receivers = [];
after(() => Promise.all(receivers.map((receiver) => receiver.close())));

/** Lets a shop's events come to a receiver. `post(key, path, body)` calls our own API. Returns the shop with its `hits`. */
export async function watched(shop, post) {
  const receiver = await listen();
  receivers.push(receiver);
  await post(shop.key, "/webhook", { url: receiver.url(), events: ["message.status", "message.submitted"] });
  return { ...shop, hits: receiver.hits };
}

/** Waits until the newest message has ended, so that the entries of two ledgers stand in the same order. */
export async function reached(server, shop) {
  const [newest] = await all(server, shop.key, "/messages");
  await whenDone(server, shop.key, newest.uid);
}

/** What a shop's sends have done, without ids and times. */
export async function effects(server, { key, hits }) {
  const list = await all(server, key, "/messages");
  const messages = [];
  for (const { uid } of list) messages.push(await message(server, key, uid));
  const awaited = messages
    .flatMap(({ recipients }) => recipients)
    .flatMap(({ uid, status }) => [
      `message.status ${uid} ${status}`,
      ...(wasTaken(status) ? [`message.submitted ${uid} SUBMITTED`] : []),
    ]);
  const toldOf = () =>
    hits.flatMap(({ event: { type, data } }) => data.recipients.map(({ uid, status }) => `${type} ${uid} ${status}`));
  await until(() => awaited.every((event) => toldOf().includes(event)), { what: "all events" });
  const events = hits.flatMap(({ event: { type, data } }) =>
    data.recipients.map((recipient) => JSON.stringify(nameless({ type, ...data, recipients: [recipient] }))),
  );
  const { entries: ledger } = await assertLedgerAddsUp(server, key);
  const usage = await all(server, key, "/account/usage");
  return nameless({ messages, ledger, usage, events: [...new Set(events)].sort() });
}

/** Whether a carrier took a recipient that has come to this ending. */
const wasTaken = (status) => ["DELIVERED", "UNDELIVERED", "EXPIRED"].includes(status);

/** A value with a dash for each uid and time. */
const nameless = (value) =>
  JSON.parse(
    JSON.stringify(value)
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "-")
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "-"),
  );
