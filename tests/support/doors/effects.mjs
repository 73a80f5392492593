// What sends have done: the messages, the ledger, the usage and the events, without what differs from one send to the next.
import { after } from "node:test";
import { listen } from "../receiver.mjs";
import { until } from "../server.mjs";
import { all, assertLedgerAddsUp, message, whenDone } from "../shop.mjs";
import { post } from "./shop.mjs";

const events = ["message.status", "message.submitted"];
/** The endings of recipients that a carrier has taken. */
const afterTaken = new Set(["DELIVERED", "UNDELIVERED", "EXPIRED"]);

const receivers = [];
after(() => Promise.all(receivers.map((receiver) => receiver.close())));

/** Lets a shop's events come to a receiver. Returns the shop with its `hits`. */
export async function watched(server, shop) {
  const receiver = await listen();
  receivers.push(receiver);
  await post(server, shop.key, "/webhook", { url: receiver.url(), events });
  return { ...shop, hits: receiver.hits };
}

/** Waits until the newest message has ended, so that the entries of two ledgers stand in the same order. */
export async function reached(server, shop) {
  const [newest] = await all(server, shop.key, "/messages");
  await whenDone(server, shop.key, newest.uid);
}

/** How far a shop has come. */
export async function standOf(server, { key }) {
  const { entries } = await assertLedgerAddsUp(server, key);
  const messages = await all(server, key, "/messages");
  return { messages: messages.length, ledger: entries.length, usage: await usageOf(server, key) };
}

/** What the sends of a shop have done since it stood there. All of them must have ended. */
export async function effects(server, { key, hits }, since = { messages: 0, ledger: 0, usage: {} }) {
  const list = await all(server, key, "/messages");
  const messages = [];
  for (const { uid } of list.slice(0, list.length - since.messages)) messages.push(await message(server, key, uid));
  const uids = new Set(messages.flatMap(({ recipients }) => recipients.map(({ uid }) => uid)));
  const told = () =>
    hits.flatMap(({ event: { type, data } }) =>
      data.recipients
        .filter(({ uid }) => uids.has(uid))
        .map((recipient) => ({ type, ...data, recipients: [recipient] })),
    );
  const awaited = messages.flatMap(({ recipients }) => recipients.flatMap(newsOf));
  const names = () => told().map(({ type, recipients: [{ uid, status }] }) => `${type} ${uid} ${status}`);
  await until(() => awaited.every((name) => names().includes(name)), { what: "all events" });
  const { entries } = await assertLedgerAddsUp(server, key);
  const ledger = entries.slice(since.ledger).map(({ id, availableBalance, lockedBalance, ...rest }) => rest);
  const usage = less(await usageOf(server, key), since.usage);
  // A receiver may hear an event twice.
  const news = [...new Set(told().map((event) => JSON.stringify(event)))];
  return nameless({
    messages,
    ledger,
    usage,
    events: news.map((event) => JSON.stringify(nameless(JSON.parse(event)))).sort(),
  });
}

const newsOf = ({ uid, status }) => [
  `message.status ${uid} ${status}`,
  ...(afterTaken.has(status) ? [`message.submitted ${uid} SUBMITTED`] : []),
];

/** The usage of all days. */
async function usageOf(server, key) {
  const days = await all(server, key, "/account/usage");
  return days.reduce((sum, { date, ...day }) => less(day, sum, 1), {});
}

/** The numbers of a value less those of another, or with `sign` 1 their sums. */
function less(value, other, sign = -1) {
  if (typeof value === "number") return value + sign * (other ?? 0);
  if (value === null || typeof value !== "object") return value;
  const names = Object.keys({ ...value, ...other });
  return Object.fromEntries(names.map((name) => [name, less(value[name] ?? 0, other?.[name], sign)]));
}

/** A value with a dash for each uid and each time. */
const nameless = (value) =>
  JSON.parse(
    JSON.stringify(value)
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "-")
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "-"),
  );
