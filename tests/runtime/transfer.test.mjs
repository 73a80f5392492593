// A service moves to an empty one, and from there to a third: nothing is gone, no number of money changes, and nothing leaves twice.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { startWorker } from "../../bench/runtime.mjs";
import { Failure } from "../../scripts/lib/base/command.mjs";
import { build } from "../../scripts/lib/build/build.mjs";
import { builtModules } from "../../scripts/lib/runtime/runtime.mjs";
import { operatorKey, secretKey } from "../../scripts/lib/start/state.mjs";
import { exportService, tellExport, thawService } from "../../scripts/lib/transfer/export.mjs";
import { importService, thawImported } from "../../scripts/lib/transfer/import.mjs";
import { changeCarrier, numbers, sendTexts, shopThrough, smppCarrier, statusesOf } from "../support/carriers.mjs";
import { freshState } from "../support/fresh-state.mjs";
import { startSmscProcess } from "../support/peers/smsc-process.mjs";
import { listen } from "../support/receiver.mjs";
import { newData, serveData } from "../support/self-hosted.mjs";
import { api, until } from "../support/server.mjs";
import { admin, all, assertLedgerAddsUp, message, openShop, send, tomorrow, whenDone } from "../support/shop.mjs";

const root = mkdtempSync(join(tmpdir(), "peyk-transfer-"));
const place = (name) => join(root, name);
const archives = { first: place("first.peyk"), second: place("second.peyk") };
let source, smsc, receiver;
const [services, doors] = [[], []];

before(async () => {
  await build();
  await newData(place("a"));
  source = await serveData(place("a"));
  services.push(source);
  smsc = await startSmscProcess({ rules: [{ receipts: null }] });
  receiver = await listen();
});
after(async () => {
  for (const door of doors) await door.close();
  for (const service of services) await service.stop();
  await smsc?.stop();
  await receiver?.close();
  rmSync(root, { recursive: true, force: true, maxRetries: 10 });
});

/** An empty service. With `secret` it has that of the source. */
async function emptyService(name, secret = secretKey(join(place("a"), "state"))) {
  const stateDir = join(place(name), "state");
  await freshState(stateDir);
  const settings = { SECRET_KEY: secret, WEBHOOK_ALLOW_LOOPBACK: "true" };
  const worker = await startWorker({ modules: builtModules(), stateDir, settings });
  const service = { ...worker, baseUrl: `http://127.0.0.1:${worker.port}`, adminKey: await operatorKey(stateDir) };
  services.push(service);
  return service;
}

async function post(shop, path, body) {
  const answer = await api(source, "POST", path, { key: shop.key, body });
  assert.ok(answer.status < 300, `${path}: ${answer.status} ${answer.text}`);
  return answer.json.data;
}

/** A shop with one of each thing that an account has. */
async function openFullShop() {
  const carrier = await smppCarrier(source, smsc);
  const shop = await shopThrough(source, { carrier });
  const book = await post(shop, "/phonebook", { title: "مشتری‌ها" });
  for (const number of numbers(5, 500_000)) await post(shop, `/phonebook/number/${book.id}`, { number, name: "سارا" });
  const variables = [{ name: "number", type: "NUMBER" }];
  await post(shop, "/pattern", { slug: "order", title: "Order", text: "Your order %number% has left", variables });
  await post(shop, "/blacklist", { numbers: ["09129999999"] });
  await post(shop, "/webhook", { url: receiver.url("/"), events: ["message.status"] });
  await post(shop, "/members", { phone: "09161234567", name: "Sara", role: "VIEWER", invite: false });
  const campaign = await post(shop, "/campaigns", {
    title: "sale",
    message: "20% off",
    phonebooks: [book.id],
    sendAt: tomorrow(),
  });
  return { ...shop, carrier, book: book.id, campaign: campaign.id };
}

const lists = [
  "/messages",
  "/account/transactions",
  "/pattern",
  "/phonebook",
  "/blacklist",
  "/webhook",
  "/campaigns",
  "/members",
];

/** What a service says of a shop, but for when its keys and members were used last. */
async function told(service, shop) {
  const paths = [...lists, "/keys", `/phonebook/number/${shop.book}`, "/account/usage"];
  const said = await Promise.all(paths.map((path) => all(service, shop.key, path)));
  const info = await api(service, "GET", "/account/info", { key: shop.key });
  const strip = (name, value) => (/^(used|lastUsed|createdUnder)/.test(name) ? undefined : value);
  return JSON.parse(JSON.stringify([...said, info.json.data.wallet], strip));
}

const isStatus = (service, shop, uid, wanted) => async () =>
  [...(await statusesOf(service, shop, [uid])).values()].every((status) => status === wanted);

/** Exports a service. No customer's request is under way, so nothing is waited for: `settled` may do something meanwhile. */
const exported = (service, to, settled = async () => {}) => {
  const said = [];
  const say = (line) => said.push(line);
  return exportService({ from: service.baseUrl, to, key: service.adminKey, say, settled }).then(() => said.join("\n"));
};

async function imported(from, service, go = true) {
  const said = [];
  await importService({ from, to: service.baseUrl, key: service.adminKey, go, say: (line) => said.push(line) });
  return said.join("\n");
}

const thawed = (from, service) => thawImported({ from, to: service.baseUrl, key: service.adminKey, say: () => {} });

/** The service behind another address: `change` may change the body of a request, or say that it is not let through. */
async function through(service, change) {
  const door = await listen(async ({ method, path, event: body }) => {
    const json = { "content-type": "application/json" };
    if (body && change({ path, body }) === false) return [403, json, JSON.stringify({ detail: "cut off" })];
    const answer = await api(service, method, path, { key: service.adminKey, body });
    return [answer.status, json, answer.text];
  });
  doors.push(door);
  return { baseUrl: door.url(""), adminKey: service.adminKey };
}

/** Lets a request to thaw objects through, and no other one. */
function thawsOnce() {
  let thaws = 0;
  return ({ body }) => {
    if (body.state === "THAWED") thaws += 1;
    return thaws < 2;
  };
}

/** A send of 500 long texts: its chunk is one row. */
async function sendLongTexts(service, shop) {
  const { id } = await post(shop, "/phonebook", { title: "many" });
  const rows = numbers(500, 700_000).map((number, index) => `${number},name ${index}`);
  const raw = `number,name\n${rows.join("\n")}\n`;
  const headers = { "content-type": "text/csv" };
  const imported = await api(service, "POST", `/phonebook/${id}/import`, { key: shop.key, raw, headers });
  assert.equal(imported.status, 201, imported.text);
  const text = `%name%\n${'سلام "دوست"\n'.repeat(50)}`;
  const { uid } = await post(shop, "/sms/phonebook/send", { phonebook: id, message: text });
  await whenDone(service, shop.key, uid);
}

const failure = (promise) =>
  promise.then(
    (said) => assert.fail(`it did not fail: ${said}`),
    (error) => (error instanceof Failure ? error.message : assert.fail(error)),
  );

test("a service moves to an empty one and to a third, with all that it has, and nothing leaves twice", async () => {
  const shop = await openFullShop();
  const busy = await openShop(source, 20_000_000);
  await sendLongTexts(source, busy);
  const operator = { phone: "09161234568", name: "Sara", scopes: ["admin:read"] };
  const added = await admin(source, "POST", "/admin/members", operator);
  assert.equal(added.status, 201, added.text);
  const reader = await admin(source, "POST", "/admin/keys", { title: "reader", scopes: ["admin:read"] });
  const reads = (service) => api(service, "GET", "/admin/plans", { key: reader.json.data.key });
  assert.equal((await reads(source)).status, 200);
  for (let index = 0; index < 20; index += 1) await send(source, busy.key, numbers(10, index * 10));
  // Taken by the SMSC, which reports it later.
  const [waiting] = await sendTexts(source, shop, new Map([["+989121000001", "hello"]]));
  await until(isStatus(source, shop, waiting, "SUBMITTED"), { what: "a message without its report" });
  await post(shop, "/sms/send", { message: "tomorrow", recipients: ["09121000004"], sendAt: tomorrow() });
  // It would leave at any moment, but for the hold.
  const hold = (service, held) => admin(service, "PATCH", `/admin/accounts/${shop.id}`, { hold: held });
  assert.equal((await hold(source, true)).status, 200);
  const later = await post(shop, "/sms/send", { message: "later", recipients: ["09121000002"] });
  const before = await told(source, shop);
  const dry = [];
  await tellExport({ from: source.baseUrl, key: source.adminKey, say: (line) => dry.push(line) });
  assert.match(dry.join("\n"), /an export would freeze it and write \d+ accounts .*nothing was changed/s);
  assert.equal((await api(source, "GET", "/account/info", { key: shop.key })).status, 200);

  assert.match(
    await failure(exported(source, archives.first)),
    new RegExp(`the carriers ${shop.carrier} would be cut`),
  );
  assert.equal((await api(source, "GET", "/account/info", { key: shop.key })).status, 200, "nothing is frozen");
  await changeCarrier(source, shop.carrier, { paused: true });
  const plan = { slug: "late", title: "Late", tariff: { slug: "late", title: "Late", price: 1 } };
  const turn = (state) => ["/admin/transfer/objects", { store: "ACCOUNT", objects: [busy.id], state }];
  for (const changes of [[["/admin/plans", plan]], [turn("THAWED"), turn("FROZEN")]]) {
    const meddle = async () => {
      for (const [path, body] of changes) assert.ok((await admin(source, "POST", path, body)).status < 300, path);
    };
    assert.match(
      await failure(exported(source, archives.first, meddle)),
      /an operator has changed something meanwhile/,
    );
  }
  const said = await exported(source, archives.first);
  const lines = gunzipSync(readFileSync(archives.first)).toString().split("\n");
  assert.ok(
    lines.some((line) => line.length > 512 * 1024),
    "a row that is larger than a page",
  );
  assert.match(said, /3 accounts with \d+ keys; their wallets together: available \d+/);
  assert.equal(statSync(archives.first).mode & 0o777, 0o600);
  const refused = await api(source, "GET", "/account/info", { key: shop.key });
  assert.equal(refused.status, 503);
  assert.ok(refused.headers.get("retry-after"));

  const target = await emptyService("b");
  const twin = await admin(target, "POST", "/admin/members", operator);
  assert.equal(twin.status, 201, twin.text);
  assert.match(
    await failure(imported(archives.first, target, false)),
    /an operator signs in by the phone \+989161234568 in both/,
  );
  assert.equal((await admin(target, "DELETE", `/admin/members/${twin.json.data.id}`)).status, 204);
  assert.match(await imported(archives.first, target, false), /nothing was changed; --go brings it/);
  assert.equal((await admin(target, "GET", "/admin/transfer")).json.data.direction, "NONE");
  assert.match(await failure(thawed(archives.first, target)), /the sums of .* have not agreed/);
  // It breaks off when some objects go on already.
  assert.match(await failure(imported(archives.first, await through(target, thawsOnce()))), /cut off/);
  assert.match(await imported(archives.first, target), /all of it is in .* already/);
  assert.match(await failure(thawed(archives.first, target)), /goes on already/);
  assert.equal((await reads(target)).status, 200);
  assert.deepEqual(await told(target, shop), before);
  await changeCarrier(target, shop.carrier, { paused: false });
  assert.equal((await hold(target, false)).status, 200);
  await until(isStatus(target, shop, later.uid, "SUBMITTED"), { what: "what was held" });
  await smsc.reportAll();
  await until(isStatus(target, shop, waiting, "DELIVERED"), { what: "the report that comes after the move" });
  await until(isStatus(target, shop, later.uid, "DELIVERED"), { what: "the other report" });
  const sent = await send(target, shop.key, ["09121000003"]);
  assert.equal(sent.status, 201, sent.text);
  await until(isStatus(target, shop, sent.json.data.uid, "SUBMITTED"), { what: "a new message" });
  const isTold = ({ event }) => event?.data?.uid === later.uid;
  await until(() => receiver.hits.some(isTold), { what: "an event of the new service" });
  for (const { key } of [shop, busy]) await assertLedgerAddsUp(target, key);

  // The same data go on to a third service.
  await changeCarrier(target, shop.carrier, { paused: true });
  const moved = await told(target, shop);
  await exported(target, archives.second);
  const third = await emptyService("c");
  assert.match(await failure(imported(archives.second, await through(third, thawsOnce()))), /cut off/);
  assert.match(await failure(imported(archives.first, third)), /is not empty/, "the other archive is in it");
  await thawed(archives.second, third);
  assert.deepEqual(await told(third, shop), moved);
  assert.equal((await message(third, shop.key, waiting)).uid, waiting);
  for (const { key } of [shop, busy]) await assertLedgerAddsUp(third, key);
  assert.equal((await smsc.stats()).submits, 3, "each message has left once, and nothing from the source");

  // A service that was exported by mistake goes on.
  await thawService({ from: target.baseUrl, key: target.adminKey, say: () => {} });
  assert.equal((await api(target, "GET", "/account/info", { key: shop.key })).status, 200);
});

test("an archive goes into an empty service of the same version and secret only, and as a whole", async () => {
  const full = services[1];
  assert.match(await failure(imported(archives.first, full)), /is not empty\. Import into a new service/);
  const other = await emptyService("d", Buffer.alloc(32, 7).toString("base64"));
  assert.match(await failure(imported(archives.first, other)), /has another SECRET_KEY/);
  const changed = (change) => {
    const file = place("changed.peyk");
    writeFileSync(file, change(readFileSync(archives.first)));
    return failure(imported(file, other));
  };
  const whole = readFileSync(archives.first);
  for (const length of [0, 20, whole.length >> 1, whole.length - 1])
    assert.match(await changed((bytes) => bytes.subarray(0, length)), /is damaged, or no archive/, `${length}`);
  const text = gunzipSync(whole).toString();
  const rewritten = (from, to) => changed(() => gzipSync(text.replace(from, to)));
  assert.match(await rewritten("20% off", "90% off"), /is damaged, or no archive/);
  assert.match(await rewritten(/\n[^\n]+\n$/, "\n"), /its end is missing/);
  const withoutSums = (name) =>
    changed(() => gzipSync(sealed(text.replace(new RegExp(`\\n\\{"sums":\\{"store":"${name}"[^\\n]*`), ""))));
  for (const name of ["DIRECTORY", "WEBHOOK"]) assert.match(await withoutSums(name), /the sums of .* are missing/);
  assert.equal((await admin(other, "GET", "/admin/transfer")).json.data.direction, "NONE", "nothing was begun");
  const head = text.slice(0, text.indexOf("\n"));
  const { peyk } = JSON.parse(head).head;
  assert.match(
    await changed(() => gzipSync(sealed(text.replace(`"peyk":"${peyk}"`, '"peyk":"0.0.1"')))),
    /was made by Peyk 0\.0\.1/,
  );
});

test("an import fails if a row or a key has not come as it was, and goes on when it is run again", async () => {
  const target = await emptyService("e");
  const losses = {
    "account in ACCOUNT": ({ store, object, tables }) => {
      if (store === "ACCOUNT" && object !== "operator") tables?.find(({ table }) => table === "account")?.rows.pop();
    },
    "keys in KV in ACCOUNT operator": (body) => {
      if (body.object === "operator" && body.tables) body.keys = [];
    },
    // An object has a table of this name too, with what the log has not been told yet.
    "audit in DIRECTORY": ({ store, tables }) => {
      if (store === "DIRECTORY") tables?.find(({ table }) => table === "audit")?.rows.pop();
    },
  };
  while (Object.keys(losses).length > 0) {
    const [first] = Object.keys(losses);
    const lossy = await through(target, ({ body }) => {
      for (const lose of Object.values(losses)) lose(body);
    });
    assert.match(await failure(imported(archives.first, lossy)), new RegExp(`the rows of ${first}.* are not those`));
    delete losses[first];
  }
  assert.match(await imported(archives.first, target), /the sums of \d+ stores agree/);
});

/** The same lines with an end that fits them. */
function sealed(text) {
  const lines = text.trimEnd().split("\n").slice(0, -1);
  const whole = `${lines.join("\n")}\n`;
  const sha256 = createHash("sha256").update(whole).digest("hex");
  return `${whole}${JSON.stringify({ end: { lines: lines.length, sha256 } })}\n`;
}
