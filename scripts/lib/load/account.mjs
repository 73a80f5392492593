import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { call } from "../base/client.mjs";
import { Failure, say } from "../base/command.mjs";
import { writeSecret } from "../base/keys.mjs";
import { demoAt } from "../start/demo.mjs";

/** Returns the key to send with. Refuses a key that is not known to be a test key, unless that is allowed. */
export async function findKey({ key, live, url }, stateDir) {
  if (key === undefined && live) throw new Failure("--live needs --key: the demo's key is a test key");
  if (key === undefined) return demoKey(stateDir, url);
  if (/[^\x21-\x7e]/.test(key) || key === "") throw new Failure("--key is not an API key");
  if (!live && !key.startsWith("peyk_test_"))
    throw new Failure(
      "the key is not a test key (peyk_test_…), so its messages would cost money and go to phones; --live allows it",
    );
  return key;
}

/** A test key of the demo's account. It is made once and kept beside the demo's data. */
async function demoKey(stateDir, url) {
  const demo = demoAt(stateDir, url);
  const file = join(stateDir, "load-key.json");
  const kept = read(file);
  if (kept?.accountId === demo.accountId && (await isKnown(url, kept.key))) return kept.key;
  say("making a test key of the demo's account …");
  const path = `/admin/accounts/${demo.accountId}/keys`;
  const made = await reach(call(url, "POST", path, { key: demo.adminKey, body: { title: "load", mode: "test" } }), url);
  if (made.status !== 201) throw new Failure(`the test key could not be made: ${made.status} ${made.text}`);
  const raised = { testRateLimit: { limit: 1_200, windowSeconds: 60, burst: 300 } };
  const account = `/admin/accounts/${demo.accountId}`;
  const changed = await reach(call(url, "PATCH", account, { key: demo.adminKey, body: raised }), url);
  if (changed.status !== 200) throw new Failure(`the limit of test keys could not be raised: ${changed.status}`);
  const { key } = made.json.data;
  writeSecret(file, `${JSON.stringify({ accountId: demo.accountId, key })}\n`);
  return key;
}

const isKnown = async (url, key) => (await reach(call(url, "GET", "/account/info", { key }), url)).status !== 401;

const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined);

/** The answer, or a failure that says that nobody is there. */
export async function reach(pending, url) {
  try {
    return await pending;
  } catch (error) {
    throw new Failure(`${url} does not answer: ${error.cause?.code ?? error.cause?.message ?? error.message}`);
  }
}

/** Asks for the account's rate limit, and refuses what it can't take. The question itself costs one token. */
export async function checkLimit(options) {
  const { url, key, live, overLimit } = options;
  const answer = await reach(call(url, "GET", "/account/info", { key }), url);
  if (answer.status === 401) throw new Failure(`${url} does not know the key`);
  const limit = readLimit(answer.headers);
  if (!limit) throw new Failure(`${url} names no rate limit in its answers (${answer.status}): is it Peyk?`);
  const need = needed(options, limit);
  if (need.isWithin) return;
  const [has, takes] = [need.aSecond, need.tokens * options.rate].map((value) => round(value));
  const text =
    `the account's limit is ${limit.quota} tokens in ${limit.window} s, which is ${has} a second, and it has ${limit.left} now; ` +
    `${options.rate} requests a second take ${takes} tokens a second`;
  if (!overLimit)
    throw new Failure(
      `${text}.\n      At most --rate ${round(Math.floor((need.aSecond / need.tokens) * 10) / 10)} fits. An operator can raise ` +
        `the limit (PATCH /admin/accounts/{id}, ${live ? "rateLimit" : "testRateLimit"}), and --over-limit runs it all the same`,
    );
  say(`${text}: expect 429s`);
}

/** What a run takes: a send costs a token, and one more for each full hundred of recipients. */
export function needed({ rate, seconds, requests, recipients }, { quota, window, left }) {
  const tokens = 1 + Math.floor(recipients / 100);
  const aSecond = quota / window;
  // What was saved up carries a short run over the limit.
  const isWithin = rate * tokens <= aSecond || requests * tokens <= left + Math.floor(aSecond * seconds);
  return { tokens, aSecond, isWithin };
}

function readLimit(headers) {
  const policy = /;q=(\d+);w=(\d+)/.exec(headers.get("ratelimit-policy") ?? "");
  const state = /;r=(\d+)/.exec(headers.get("ratelimit") ?? "");
  return policy && { quota: Number(policy[1]), window: Number(policy[2]), left: Number(state?.[1] ?? 0) };
}

const round = (value) => Number(value.toFixed(1)).toLocaleString("en");
