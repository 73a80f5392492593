import { call } from "./client.mjs";
import { Failure, say } from "./fail.mjs";
import { reach } from "./load-key.mjs";

/** Asks for the account's rate limit, and refuses what it can't take. The question itself costs one token. */
export async function checkLimit(options) {
  const { url, key, overLimit } = options;
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
        "the limit (PATCH /admin/accounts/{id}, rateLimit), and --over-limit runs it all the same",
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
