// An operator at work, whatever becomes of the service meanwhile: plans stand in the directory, keys in the KV.
import assert from "node:assert/strict";
import { api } from "../server.mjs";
import { admin, all } from "../shop.mjs";
import { answered } from "./answered.mjs";

let lastPlan = 0;

/** Makes `count` plans and keys of an account, one after another. Returns the slugs and the keys that were told. */
export async function makeChanges(server, account, count) {
  const [slugs, keys] = [[], []];
  for (let index = 0; index < count; index += 1) {
    slugs.push(await makePlan(server));
    // Of a key whose answer is lost, nobody knows.
    const body = { title: "made while it is killed" };
    const { status, json, text } = await answered(() => admin(server, "POST", `/admin/accounts/${account}/keys`, body));
    assert.equal(status, 201, text);
    keys.push(json.data.key);
  }
  return { slugs, keys };
}

async function makePlan(server) {
  lastPlan += 1;
  const slug = `plan-${lastPlan}`;
  const body = { slug, title: slug, tariff: { slug, title: slug, price: 7 } };
  let unanswered = 0;
  const ask = () => admin(server, "POST", "/admin/plans", body);
  const { status, text } = await answered(ask, () => (unanswered += 1));
  // A repeat finds what the lost answer was about.
  assert.ok(status === 201 || (status === 409 && unanswered > 0), `${status} ${text}`);
  return slug;
}

/** What was told is there: each plan, and each key works. */
export async function assertChanged(server, changes) {
  const known = new Set((await all(server, server.adminKey, "/admin/plans")).map(({ slug }) => slug));
  for (const slug of changes.flatMap(({ slugs }) => slugs)) assert.ok(known.has(slug), slug);
  for (const key of changes.flatMap(({ keys }) => keys)) {
    const { status, text } = await api(server, "GET", "/account/info", { key });
    assert.equal(status, 200, text);
  }
}
