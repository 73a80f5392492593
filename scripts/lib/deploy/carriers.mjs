// The carriers of a service whose secret changes.
import { Failure } from "../base/command.mjs";

/** All carriers that have a password; the sandbox has none. `ask` calls a route of operators. */
async function carriersWithPassword(ask) {
  const found = [];
  let query = "?limit=200";
  while (query) {
    const { json } = await must(ask("GET", `/carriers${query}`), "GET /admin/carriers");
    found.push(...json.data.filter(({ kind }) => kind !== "sandbox"));
    const next = json.meta?.nextCursor;
    query = next && `?limit=200&cursor=${encodeURIComponent(next)}`;
  }
  return found;
}

/** Seals the passwords of all carriers with the new secret, and notes in the copy that it is done. Returns the carriers. */
export async function sealAnew({ ask, copy, say, clock }, kept) {
  const carriers = await sealCarriers(ask);
  kept.carriersSealedAt = new Date(clock()).toISOString();
  copy.write(kept);
  say(
    carriers.length > 0 ? `sealed anew: ${carriers.map(({ name }) => name).join(", ")}` : "no carrier has a password.",
  );
  return carriers;
}

/** Changes nothing of each carrier: that alone seals its password with the newest secret. */
async function sealCarriers(ask) {
  const carriers = await carriersWithPassword(ask);
  for (const { name } of carriers)
    await must(ask("PATCH", `/carriers/${encodeURIComponent(name)}`, {}), `PATCH /admin/carriers/${name}`);
  return carriers;
}

async function must(pending, what) {
  const answer = await pending;
  if (answer.status === 200) return answer;
  const hint = answer.status === 401 ? "ADMIN_KEY is no operator key of this service, or it may not do this. " : "";
  throw new Failure(`${what} failed: ${answer.status} ${answer.text}\n${hint}Then run the same command again.`);
}
