import { call } from "../scripts/lib/base/client.mjs";
import { Failure } from "../scripts/lib/base/command.mjs";

/** Calls Peyk's API and gives the `data` of the answer. Any refusal ends the benchmark. */
export async function ask(baseUrl, method, path, key, body) {
  const answer = await call(baseUrl, method, path, { key, body, keepAlive: true });
  if (answer.status >= 300) throw new Failure(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.json.data;
}

/** Opens an account that no limit stops, with much money, and gives `{ id, key }`. */
export async function openAccount({ baseUrl, adminKey }, username, line = "10001") {
  const admin = (method, path, body) => ask(baseUrl, method, `/admin${path}`, adminKey, body);
  const { id } = await admin("POST", "/accounts", { username, fullName: "Bench", plan: "demo" });
  const rateLimit = { limit: 1_000_000, windowSeconds: 1, burst: 10_000 };
  await admin("PATCH", `/accounts/${id}`, { defaultLine: line, rateLimit });
  await admin("POST", `/accounts/${id}/credit`, { amount: 1e14, note: "bench" });
  return { id, key: (await admin("POST", `/accounts/${id}/keys`, { title: "bench" })).key };
}
