// Makes the calls that the tests order, and prints what came of each. All languages read the same orders.
import { readFileSync } from "node:fs";
import { ApiError, Client, PeykError, verifyProof, verifyWebhook } from "../src/index.mjs";

const { timeout, maxRetryAfter, calls, ...given } = JSON.parse(readFileSync(0, "utf8"));
const inMs = (value) => (typeof value === "number" ? value * 1000 : value);
const remarks = [];
const onRemarks = (one) => {
  remarks.push(one);
  if (one.ignored.includes("fail")) throw new Error("a fault of the program");
};
let opened;
/** The client of all calls. Its making may fail, as a call may. */
const client = () =>
  (opened ??= new Client({ ...given, onRemarks, timeoutMs: inMs(timeout), maxRetryAfterMs: inMs(maxRetryAfter) }));

const verify = ({ body, headers, secrets, tolerance, now }) =>
  verifyWebhook(Buffer.from(body, "base64"), headers, secrets, { toleranceSeconds: tolerance, now });

/** The items of a list, the bytes of a file in base64, and every other value as it is. */
async function plain(value) {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString("base64") };
  if (typeof value?.next !== "function") return value;
  const list = [];
  for await (const item of value) list.push(item);
  return list;
}

async function run({ method, args, options: { timeout, ...options } }) {
  if (method === "verifyWebhook") return verify(...args);
  if (method === "verifyProof") return verifyProof(...args, options);
  const all = timeout === undefined ? options : { ...options, timeoutMs: inMs(timeout) };
  return plain(await client()[method](...args, all));
}

async function outcome(call) {
  try {
    return { value: (await run(call)) ?? null, remarks: remarks.splice(0) };
  } catch (error) {
    if (!(error instanceof PeykError)) return { error: { kind: "argument", message: error.message } };
    const { message, idempotencyKey, reason } = error;
    if (!(error instanceof ApiError)) return { error: { kind: error.name, message, idempotencyKey, reason } };
    const { status, code, title, detail, errors, requestId, retryAfter } = error;
    return {
      error: { kind: error.name, message, idempotencyKey, status, code, title, detail, errors, requestId, retryAfter },
    };
  }
}

const outcomes = [];
for (const call of calls) outcomes.push(await outcome(call));
console.log(JSON.stringify(outcomes));
