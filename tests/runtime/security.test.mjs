// The runbook of SECURITY.md for a leaked key: its very commands, against the real runtime.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { runProgram } from "../support/client-libraries.mjs";
import { api, sharedServer } from "../support/server.mjs";
import { all, openShop, send } from "../support/shop.mjs";

const server = sharedServer();
const [, chapter] = readFileSync(inRoot("SECURITY.md"), "utf8").split("## A key has leaked\n");
const blocks = [...chapter.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, code]) => code);
const scopes = ["sms:send", "sms:read", "account:read", "webhook", "keys"];

async function made(answer) {
  const { status, json, text } = await answer;
  assert.equal(status, 201, text);
  return json.data;
}

const issue = (by, title) => made(api(server, "POST", "/keys", { key: by, body: { title, scopes } }));
const listen = (by, host) =>
  made(
    api(server, "POST", "/webhook", { key: by, body: { url: `https://${host}.example/`, events: ["message.status"] } }),
  );

/** An account with a leaked key, and what a thief has made with it. */
async function robbed() {
  const shop = await openShop(server, 100_000);
  const leaked = await issue(shop.key, "leaked");
  const child = await issue(leaked.key, "of a thief");
  const rotated = await made(api(server, "POST", `/keys/${child.id}/rotate`, { key: leaked.key, body: {} }));
  const other = await issue(shop.key, "other");
  const [stolen, own] = [await listen(rotated.key, "thief"), await listen(other.key, "shop")];
  return { shop, leaked, other, thieves: [leaked, child, rotated], stolen, own };
}

/** Runs commands as a reader types them, with their own address and keys, and returns what they print: answers, one a line. */
async function run(code, values) {
  const set = (text, [name, value]) => text.replace(new RegExp(`^${name}=.*`, "m"), `${name}=${value}`);
  const own = Object.entries(values).reduce(set, code);
  const printed = await runProgram("bash", ["-euo", "pipefail", "-c", own.replace(/^(admin|curl) .*$/gm, "$&\necho")], {
    env: values,
  });
  return printed
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line).data);
}

async function assertThrownOut({ shop, thieves, other, stolen, own }, cascade) {
  assert.deepEqual(cascade.keys.map(({ id }) => id).sort(), thieves.map(({ id }) => id).sort());
  assert.deepEqual(
    cascade.webhooks.map(({ id, url }) => [id, url]),
    [[stolen.id, stolen.url]],
  );
  for (const { key } of thieves) assert.equal((await send(server, key, ["09121234567"])).status, 401);
  for (const { key } of [shop, other]) assert.equal((await send(server, key, ["09121234567"])).status, 201);
  const endpoints = await all(server, shop.key, "/webhook");
  assert.deepEqual(
    endpoints.map(({ id, active, disabledReason }) => [id, active, disabledReason]),
    [
      [own.id, true, null],
      [stolen.id, false, "KEY_REVOKED"],
    ],
  );
}

test("an operator who follows the runbook throws out a leaked key with all that came from it", async () => {
  const scene = await robbed();
  const [first, then] = blocks;
  const values = {
    BASE: server.baseUrl,
    ADMIN_KEY: server.adminKey,
    ACCOUNT: scene.shop.id,
    LEAKED: scene.leaked.id,
  };
  const setUp = first.split("\n\n")[0];
  const [held, cascade, changes, usage] = await run(first, values);
  assert.equal(held.hold, true);
  await assertThrownOut(scene, cascade);
  assert.ok(Array.isArray(changes) && Array.isArray(usage));
  const [issued, going] = await run(`${setUp}\n${then}`, values);
  assert.deepEqual([issued.scopes, going.hold], [["sms:send", "sms:read"], false]);
  assert.equal((await send(server, issued.key, ["09121234567"])).status, 201);
});

test("an account that follows the runbook does the same with a key of its own", async () => {
  const scene = await robbed();
  const values = { BASE: server.baseUrl, KEY: scene.shop.key, LEAKED: scene.leaked.id };
  const [cascade] = await run(blocks[2], values);
  await assertThrownOut(scene, cascade);
  const [again] = await run(blocks[2], values);
  assert.deepEqual(again, cascade);
});
