import { call } from "../scripts/lib/base/client.mjs";
import { Failure } from "../scripts/lib/base/command.mjs";

/** Calls Peyk's API and gives the `data` of the answer. Any refusal ends the benchmark. */
export async function ask(baseUrl, method, path, key, body) {
  const answer = await call(baseUrl, method, path, { key, body, keepAlive: true });
  if (answer.status >= 300) throw new Failure(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.json.data;
}

/** All items of a list, or the first pages that have as many as are wanted. */
export async function all(baseUrl, path, key, wanted = Number.POSITIVE_INFINITY) {
  const items = [];
  for (let cursor = ""; cursor !== null && items.length < wanted; ) {
    const query = `limit=200${cursor && `&cursor=${cursor}`}`;
    const { status, json, text } = await call(baseUrl, "GET", `${path}?${query}`, { key });
    if (status !== 200) throw new Failure(`GET ${path}: ${status} ${text}`);
    items.push(...json.data);
    cursor = json.meta.nextCursor;
  }
  return items;
}

/** What the keys of the benchmark may do: what a key may that names no scopes, and webhooks. */
const scopes = ["sms:send", "sms:read", "phonebook", "pattern", "verify", "blacklist", "account:read", "webhook"];

/** Opens an account that no limit stops, with much money, and gives `{ id, key }`. */
export async function openAccount({ baseUrl, adminKey }, username, line = "10001") {
  const admin = (method, path, body) => ask(baseUrl, method, `/admin${path}`, adminKey, body);
  const { id } = await admin("POST", "/accounts", { username, fullName: "Bench", plan: "demo" });
  const rateLimit = { limit: 1_000_000, windowSeconds: 1, burst: 10_000 };
  await admin("PATCH", `/accounts/${id}`, { defaultLine: line, rateLimit });
  await admin("POST", `/accounts/${id}/credit`, { amount: 1e14, note: "bench" });
  return { id, key: (await admin("POST", `/accounts/${id}/keys`, { title: "bench", scopes })).key };
}
