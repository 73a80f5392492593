// A plain JavaScript worker that accepts scheduled messages as Peyk does. It checks the key, reads the body, and makes one
// call to the account's object, which debits the wallet and stores the message, its recipients, the index of their numbers and
// the entry of the ledger. It answers with all recipients. It stores what `src/account/schema.rs` stores for them. It does
// nothing else: no rate limit, idempotency keys, lines, prices, blacklist, usage, mirror, dispatch or reports.
import { DurableObject } from "cloudflare:workers";
import { debit, insertFirstChunk, insertNumbers, insertOtherChunk, insertReserve, tables } from "./schema.mjs";

const price = 1_000;
const recipientsInAChunk = 500;
const keyLastsMs = 30_000;
const keys = new Map();
const encoder = new TextEncoder();

export class Account extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    this.sql = ctx.storage.sql;
    this.sql.exec(tables);
  }

  /** Accepts a message, or returns `false` if the money is short. */
  accept(message) {
    return this.ctx.storage.transactionSync(() => this.#accept(message));
  }

  #accept({ uid, line, text, encoding, parts, cost, sendAtMs, nowMs, total, chunks }) {
    const [wallet] = this.sql.exec(debit, cost).toArray();
    if (!wallet) return false;
    const { available, locked, seq, id } = wallet;
    const message = [uid, line, encoding, parts, cost, nowMs, total, text];
    for (const [number, { first, count, recipients, numbers }] of chunks.entries()) {
      const chunk = [id, number, first, first + count - 1, `${line}/`, sendAtMs, count, recipients];
      if (number === 0) this.sql.exec(insertFirstChunk, ...chunk, ...message);
      else this.sql.exec(insertOtherChunk, ...chunk);
      this.sql.exec(insertNumbers, id, numbers);
    }
    this.sql.exec(insertReserve, seq, nowMs, JSON.stringify([["RESERVE", cost, available, locked, id, null]]));
    return true;
  }
}

export default {
  async fetch(request, env) {
    if (request.method === "PUT") return addKey(request, env);
    const account = await accountOf(request.headers.get("authorization"), env);
    if (!account) return Response.json({ status: 401 }, { status: 401 });
    const message = read(await request.json());
    if (!message) return Response.json({ status: 422 }, { status: 422 });
    const { numbers, sendAt, ...stored } = message;
    if (!(await account.accept(stored))) return Response.json({ status: 422, code: 2001 }, { status: 422 });
    return answer(message);
  },
};

async function addKey(request, env) {
  const { digest, account } = await request.json();
  await env.KEYS.put(digest, account);
  return new Response(null, { status: 201 });
}

/** The object of the account of a key. What KV says of a key counts for 30 seconds. */
async function accountOf(authorization, env) {
  const known = keys.get(authorization);
  if (known && Date.now() - known.readMs < keyLastsMs) return env.ACCOUNT.get(known.id);
  const key = authorization?.replace(/^Bearer /, "") ?? "";
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(key))).toHex();
  const name = await env.KEYS.get(digest);
  if (!name) return null;
  const id = env.ACCOUNT.idFromName(name);
  keys.set(authorization, { id, readMs: Date.now() });
  return env.ACCOUNT.get(id);
}

/** Reads a body into a message with its price; `null` if anything is wrong with it. */
function read({ message: text, recipients, sourceNumber: line, sendAt }) {
  if (typeof text !== "string" || typeof line !== "string" || !Array.isArray(recipients)) return null;
  const numbers = [...new Set(recipients.map(toMsisdn))];
  if (numbers.length === 0 || numbers.length > 1_000 || numbers.includes(null)) return null;
  const encoding = /^[\x20-\x7e\n\r]*$/.test(text) ? "GSM7" : "UCS2";
  const [alone, joined] = encoding === "GSM7" ? [160, 153] : [70, 67];
  const parts = text.length <= alone ? 1 : Math.ceil(text.length / joined);
  const nowMs = Date.now();
  const sendAtMs = Date.parse(sendAt);
  if (!(sendAtMs > nowMs)) return null;
  const cost = numbers.length * parts * price;
  const chunks = chunksOf(numbers, parts * price, nowMs);
  const total = numbers.length;
  return {
    uid: crypto.randomUUID(),
    line,
    text,
    encoding,
    parts,
    cost,
    sendAt,
    sendAtMs,
    nowMs,
    total,
    chunks,
    numbers,
  };
}

function toMsisdn(number) {
  const digits = /^(?:\+98|0098|98|0)(9\d{9})$/.exec(number);
  return digits ? 980_000_000_000 + Number(digits[1]) : null;
}

/** Each has the recipients as the document that Peyk stores, and their numbers as a list. */
function chunksOf(all, cost, nowMs) {
  const chunks = [];
  for (let first = 0; first < all.length; first += recipientsInAChunk) {
    const numbers = all.slice(first, first + recipientsInAChunk);
    const recipients = numbers.map((msisdn, at) => `[${first + at},${msisdn},${cost},1,0,0,${nowMs}]`);
    const count = numbers.length;
    chunks.push({ first, count, recipients: `[${recipients.join()}]`, numbers: `[${numbers.join()}]` });
  }
  return chunks;
}

function answer({ uid, line, encoding, parts, cost, sendAt, numbers }) {
  const status = "SCHEDULED";
  const recipients = numbers.map((msisdn, at) => ({
    uid: `${uid}.${at}`,
    recipient: `+${msisdn}`,
    status,
    cost: parts * price,
  }));
  const data = {
    uid,
    status,
    type: "PLAIN",
    sourceNumber: line,
    encoding,
    parts,
    cost,
    unit: "IRR",
    sendAt,
    recipients,
  };
  return Response.json({ status: "CREATED", data, meta: { requestId: crypto.randomUUID() } }, { status: 201 });
}
