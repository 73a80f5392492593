// A service is copied while it works, killed, and made anew of the copy: nothing is gone that it had acknowledged before, and
// nothing leaves twice, also of what has left after the copy.
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { createArchive } from "../../scripts/lib/backup/archive.mjs";
import { restore } from "../../scripts/lib/backup/restore.mjs";
import { Failure } from "../../scripts/lib/base/command.mjs";
import { build } from "../../scripts/lib/build/build.mjs";
import { numbers, sendTexts, settled, shopThrough, smppCarrier, statusesOf } from "../support/carriers.mjs";
import { startSmscProcess } from "../support/peers/smsc-process.mjs";
import { listen } from "../support/receiver.mjs";
import { command, newData, serveData } from "../support/self-hosted.mjs";
import { api, until } from "../support/server.mjs";
import { admin, all, assertLedgerAddsUp, openShop, send, tomorrow } from "../support/shop.mjs";

const root = mkdtempSync(join(tmpdir(), "peyk-backup-"));
const [data, archive, restored] = ["data", "backup.tar.gz", "restored"].map((name) => join(root, name));
let server, smsc, receiver, atWork;

before(async () => {
  await build();
  await newData(data);
  server = await serveData(data);
  smsc = await startSmscProcess({ rules: [{ skip: 100, answer: "hold" }] });
  receiver = await listen();
});
after(async () => {
  await atWork?.stop();
  await server?.stop();
  await smsc?.stop();
  await receiver?.close();
  rmSync(root, { recursive: true, force: true, maxRetries: 10 });
});

async function post(shop, path, body) {
  const answer = await api(server, "POST", path, { key: shop.key, body });
  assert.ok(answer.status < 300, `${path}: ${answer.status} ${answer.text}`);
  return answer.json.data;
}

const get = async (shop, path) => {
  const answer = await api(server, "GET", path, { key: shop.key });
  assert.equal(answer.status, 200, answer.text);
  return answer.json.data;
};

/** A shop that sends through the SMSC, with one of each thing that an account has. */
async function openFullShop() {
  const shop = await shopThrough(server, { carrier: await smppCarrier(server, smsc) });
  const book = await post(shop, "/phonebook", { title: "customers" });
  for (const number of numbers(20, 500_000)) await post(shop, `/phonebook/number/${book.id}`, { number, name: "Sara" });
  const variables = [{ name: "number", type: "NUMBER" }];
  await post(shop, "/pattern", { slug: "order", title: "Order", text: "Your order %number% has left", variables });
  await post(shop, "/blacklist", { numbers: ["09129999999"] });
  await post(shop, "/webhook", { url: receiver.url("/"), events: ["message.status"] });
  return { ...shop, book: book.id };
}

const campaignOf = (shop, title) => post(shop, "/campaigns", { title, message: "20% off", phonebooks: [shop.book] });
const isIn =
  (shop, id, ...states) =>
  async () =>
    states.includes((await get(shop, `/campaigns/${id}`)).state);

/** Sends one message after the other, from several clients, until it is stopped. Each answer is noted in `acknowledged`. */
function load(shop) {
  const acknowledged = [];
  let isOver = false;
  const clients = Array.from({ length: 4 }, async (_, client) => {
    for (let index = 0; !isOver; index += 1) {
      const number = `0935${client}${String(index).padStart(6, "0")}`;
      const answer = await send(server, shop.key, [number]).catch(() => null);
      if (answer?.status === 201) acknowledged.push(answer.json.data.uid);
    }
  });
  const stop = () => {
    isOver = true;
    return Promise.all(clients);
  };
  return { acknowledged, stop };
}

/** The statuses in which a recipient is handed over no more. */
const rest = new Set(["SUBMITTED", "DELIVERED", "UNKNOWN"]);
const lists = ["/pattern", "/phonebook", "/blacklist", "/keys"];

/** While an object makes good that it has gone back, others get a 503. */
const serves = async (key) => (await api(server, "GET", "/account/info", { key })).status === 200;

/** What both services say alike. */
async function told(shop) {
  const said = await Promise.all(lists.map((path) => get(shop, path)));
  return JSON.stringify([said, await all(server, shop.key, `/phonebook/number/${shop.book}`)], (name, value) =>
    name.startsWith("used") || name.startsWith("lastUsed") ? undefined : value,
  );
}

test("what was acknowledged before a backup is in it, and nothing leaves twice", async () => {
  const shop = await openFullShop();
  const busy = await openShop(server, 1_000_000_000);
  const draft = await campaignOf(shop, "draft");
  const running = await campaignOf(shop, "running");
  await until(isIn(shop, draft.id, "DRAFT"), { what: "a draft" });
  await until(isIn(shop, running.id, "DRAFT"), { what: "another draft" });
  const texts = new Map(numbers(600).map((number) => [number, "hello"]));
  const bulk = await sendTexts(server, shop, texts);
  await post(shop, `/campaigns/${running.id}/start`);
  const later = await post(shop, "/sms/send", { message: "later", recipients: ["09121111111"], sendAt: tomorrow() });
  atWork = load(busy);
  await until(async () => (await smsc.stats()).held > 20, { what: "messages without an answer" });
  await until(() => atWork.acknowledged.length >= 50, { what: "a load of sends" });

  const before = { told: await told(shop), acknowledged: [...atWork.acknowledged], sent: (await smsc.stats()).submits };
  const made = await command("backup", "--data", data, "--to", archive);
  assert.equal(made.status, 0, made.output);
  assert.equal(statSync(archive).mode & 0o777, 0o600);
  // Now the rest leaves, of which the copy knows nothing.
  await smsc.set({ rules: [] });
  await smsc.release();
  await post(shop, `/campaigns/${draft.id}/start`);
  await until(isIn(shop, draft.id, "DONE"), { what: "the end of a campaign that has begun after the backup" });
  await settled(server, shop, bulk, smsc);
  await until(() => atWork.acknowledged.length >= before.acknowledged.length + 50, { what: "sends after the backup" });
  await Promise.all([server.kill(), atWork.stop()]);
  const left = await smsc.counts();
  assert.ok((await smsc.stats()).submits > before.sent + 400);

  const again = await command("restore", "--from", archive, "--data", restored);
  assert.equal(again.status, 0, again.output);
  assert.deepEqual(readdirSync(restored).toSorted(), ["peyk.toml", "state", "version.json"]);
  assert.equal(statSync(join(restored, "state", "secret-key")).mode & 0o777, 0o600);
  server = await serveData(restored);
  for (const { key } of [shop, busy])
    await until(() => serves(key), { what: "an object that has taken in its restore" });
  assert.equal(await told(shop), before.told);
  const kept = new Set((await all(server, busy.key, "/messages")).map(({ uid }) => uid));
  for (const uid of before.acknowledged) assert.ok(kept.has(uid), `${uid} is gone`);
  await assertNothingLeavesTwice({ shop, busy, bulk, later, draft, running, left });
});

async function assertNothingLeavesTwice({ shop, busy, bulk, later, draft, running, left }) {
  for (const { id } of [draft, running]) assert.ok(await isIn(shop, id, "CANCELED", "DONE")(), id);
  const isCanceled = async () => [...(await statusesOf(server, shop, [later.uid])).values()].join() === "CANCELED";
  await until(isCanceled, { what: "the end of what was scheduled" });
  // What the SMSC has reported since is lost, so nobody waits for it here.
  const isAtRest = async () => [...(await statusesOf(server, shop, bulk)).values()].every((status) => rest.has(status));
  await until(isAtRest, { what: "the end of what was on its way" });
  assert.equal((await send(server, shop.key, ["09122222222"])).json.code, 3011);
  for (const { id } of [shop, busy]) {
    const on = await admin(server, "PATCH", `/admin/accounts/${id}`, { sendingEnabled: true });
    assert.equal(on.status, 200, on.text);
  }
  const fresh = numbers(50, 700_000);
  const sent = await sendTexts(server, shop, new Map(fresh.map((number) => [number, "new"])));
  await settled(server, shop, sent, smsc);
  const counts = await smsc.counts();
  for (const number of fresh) assert.equal(counts[number.slice(1)]?.taken, 1, number);
  for (const [number, { taken }] of Object.entries(counts)) {
    // Both campaigns have reached the people of the phonebook before.
    const most = left[number]?.taken ?? 1;
    assert.equal(taken, most, `${number} was handed over ${taken} times`);
  }
  const bodies = new Map();
  for (const { headers, body } of receiver.hits) {
    const id = headers["webhook-id"];
    assert.equal(bodies.get(id) ?? body.toString(), body.toString(), "one id has one event");
    bodies.set(id, body.toString());
  }
  for (const { key } of [shop, busy]) await assertLedgerAddsUp(server, key);
}

/** What the command says of an archive that it refuses. It has written nothing then. */
async function refusal(bytes) {
  const [file, target] = ["refused.tar.gz", "nothing"].map((name) => join(root, name));
  writeFileSync(file, bytes);
  const error = await restore({ from: file, data: target, say: () => {} }).then(
    () => null,
    (failed) => failed,
  );
  assert.ok(error instanceof Failure, String(error));
  assert.ok(!existsSync(target));
  return error.message;
}

/** A changed bit may mean the same: gzip can copy zeros from any place that has them, and fills up the last byte of some blocks. */
function unpacksTo(tar, archive) {
  try {
    return gunzipSync(archive).equals(tar);
  } catch {
    return false;
  }
}

test("an archive is refused as a whole that is cut off, changed or not one", async () => {
  const whole = readFileSync(archive);
  const cuts = [0, 1, 20, 1_000, whole.length >> 1, whole.length - 9, whole.length - 1];
  for (const length of cuts)
    assert.match(await refusal(whole.subarray(0, length)), /damaged, or no backup/, `${length}`);
  const tar = gunzipSync(whole);
  for (let refused = 0; refused < 20; ) {
    const changed = Buffer.from(whole);
    // Nothing depends on the first ten bytes, gzip's head.
    const place = randomInt(10, whole.length);
    changed[place] ^= 1 << randomInt(8);
    if (unpacksTo(tar, changed)) continue;
    assert.match(await refusal(changed), /damaged, or no backup/, `${place}`);
    refused += 1;
  }
  const place = tar.indexOf("SQLite format 3") + 5_000;
  tar[place] ^= 1;
  assert.match(await refusal(gzipSync(tar)), /its files are not those of its list/);
  assert.match(await refusal(gzipSync(tar.subarray(0, 512 * 20))), /damaged, or no backup/);
  assert.match(await refusal(Buffer.from("text")), /damaged, or no backup/);
});

test("an archive of a newer form or version is refused, and a folder that has something", async () => {
  const newer = async (about) => {
    const file = join(root, "newer.tar.gz");
    rmSync(file, { force: true });
    const made = createArchive(file, { peyk: "0.0.1", at: new Date(0).toISOString(), ...about });
    await made.end();
    return refusal(readFileSync(file));
  };
  assert.match(await newer({ format: 2 }), /made by a newer Peyk \(0\.0\.1\)/);
  assert.match(await newer({ peyk: "0.10.0" }), /made by Peyk 0\.10\.0, and this is/);
  const full = await command("restore", "--from", archive, "--data", restored);
  assert.equal(full.status, 1);
  assert.match(full.output, /restored is not empty\. Name a new folder/);
  const none = await command("restore", "--from", join(root, "none"), "--data", join(root, "nothing"));
  assert.equal(none.status, 1);
  assert.match(none.output, /there is no file/);
});

test("a backup writes over nothing, not into the data, and of nothing but data", async () => {
  const said = async (...words) => {
    const { status, output } = await command("backup", ...words);
    assert.equal(status, 1, output);
    return output;
  };
  const file = join(root, "other.tar.gz");
  assert.match(await said("--data", restored, "--to", archive), /is there already/);
  assert.match(await said("--data", restored, "--to", join(restored, "x")), /is in the folder of the data/);
  assert.match(await said("--data", root, "--to", file), /is no folder of data/);
  assert.match(await said("--to", file), /--data is missing/);
});
