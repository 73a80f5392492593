// What requests leave in the memory of the WebAssembly, and how much of it large ones take at once. An isolate has 128 MB in
// production, and the WebAssembly never gives memory back.
import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, test } from "node:test";
import { toRequest } from "../../bench/connection.mjs";
import { connectInspector, wasmBytes } from "../../bench/inspector.mjs";
import { ownRuntime } from "../support/own-runtime.mjs";
import { api, until } from "../support/server.mjs";
import { all, openShop } from "../support/shop.mjs";

/** A page of the WebAssembly's memory, bytes. */
const PAGE = 64 * 1024;
const MB = 1024 * 1024;
/** Requests that are hung up on at most, in thousands. A leak of a page in each thousand would show. */
const THOUSANDS = 8;
/** How much the WebAssembly may take, whatever is asked at once. */
const MOST = 48 * MB;

let inspector;
const server = ownRuntime({ inspectorPort: 0 }, async ({ worker }) => {
  inspector = await connectInspector(await worker.inspector());
});
after(() => inspector?.close());

/** A body of about 211 KB: 1,000 texts of two parts. */
const bulk = (first = 0) =>
  JSON.stringify({
    messages: Array.from({ length: 1_000 }, (_, index) => ({
      recipient: `0912${String(first + index).padStart(7, "0")}`,
      message: "x".repeat(170),
    })),
  });

const csv = `number,name\n${Array.from({ length: 15_000 }, (_, index) => `0912${String(index).padStart(7, "0")},${"x".repeat(20)}`).join("\n")}\n`;

/** Writes so many bytes of a request and hangs up after a while, ms. */
function hangUp(request, bytes, afterMs) {
  return new Promise((resolve) => {
    const socket = connect(server.worker.port, "127.0.0.1");
    const end = () => setTimeout(() => socket.resetAndDestroy(), afterMs);
    socket.on("error", () => {});
    socket.on("close", resolve);
    socket.resume().write(request.subarray(0, bytes), end);
  });
}

/** Hangs up on so many requests, `atOnce` at a time: on some before their bodies have come, on others before their answers. */
async function hangUps(request, count, atOnce) {
  let left = count;
  const client = async () => {
    while (left > 0) {
      left -= 1;
      const bytes = left % 4 === 0 ? Math.floor((request.length * (left % 100)) / 100) : request.length;
      await hangUp(request, bytes, left % 23);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
}

/** The memory after `rounds` of requests whose clients stay: all before them have ended, or wait no longer. */
async function memoryAfter(rounds, ask) {
  for (let round = 0; round < rounds; round += 1) await Promise.all(Array.from({ length: 4 }, ask));
  return wasmBytes(inspector);
}

/** Hangs up on thousands of requests, and asserts that a thousand comes that takes no memory: with a leak, each takes some. */
async function assertNoLeak(context, request, ask) {
  const pages = [(await memoryAfter(5, ask)) / PAGE];
  const grown = () => pages.at(-1) - pages.at(-2);
  // How much is under way at once depends on the machine, so a later thousand may still take more than those before.
  while (pages.length <= 2 || (grown() > 0 && pages.length <= THOUSANDS)) {
    await hangUps(request, 1_000, 10);
    pages.push((await memoryAfter(5, ask)) / PAGE);
  }
  context.diagnostic(`the memory had ${pages.join(", ")} pages`);
  assert.equal(grown(), 0, `the last thousand took ${grown()} pages`);
  assert.ok(pages.at(-1) * PAGE <= MOST, `${(pages.at(-1) * PAGE) / MB} MB`);
}

test("clients that hang up on large sends leave no memory behind", async (context) => {
  // No money: so the account's object decides about each of them, and nothing is stored.
  const shop = await openShop(server, 0);
  const body = bulk();
  const request = toRequest({ method: "POST", path: "/sms/bulk", port: server.worker.port, key: shop.key, body });
  const options = { key: shop.key, raw: body, headers: { "Content-Type": "application/json" } };
  const ask = async () => {
    const answered = async () => {
      const answer = await api(server, "POST", "/sms/bulk", options);
      // While many wait whose clients have gone, there is no room.
      return answer.status !== 503 && answer;
    };
    const { status, json } = await until(answered, { what: "room" });
    assert.deepEqual([status, json.code], [400, 2001]);
  };
  await assertNoLeak(context, request, ask);
});

test("clients that hang up on imports leave no memory behind", async (context) => {
  const shop = await openShop(server, 0);
  const made = await api(server, "POST", "/phonebook", { key: shop.key, body: { title: "many" } });
  assert.equal(made.status, 201, made.text);
  const path = `/phonebook/${made.json.data.id}/import`;
  const head = toRequest({ method: "POST", path, port: server.worker.port, key: shop.key, body: csv }).toString(
    "latin1",
  );
  const request = Buffer.from(head.replace("application/json", "text/csv"), "latin1");
  const ask = async () => {
    const headers = { "Content-Type": "text/csv" };
    const { status, text } = await api(server, "POST", path, { key: shop.key, raw: csv.slice(0, 3_000), headers });
    assert.equal(status, 201, text);
  };
  await assertNoLeak(context, request, ask);
});

test("however many large sends come at once, they share the memory, and each is answered", async (context) => {
  const shop = await openShop(server, 1_000_000_000);
  const sendAt = new Date(Date.now() + 86_400_000).toISOString();
  const send = async (index) => {
    const body = JSON.stringify({ ...JSON.parse(bulk(index * 1_000)), sendAt });
    const headers = { "Content-Type": "application/json" };
    const answer = await api(server, "POST", "/sms/bulk", { key: shop.key, raw: body, headers });
    // What has waited for too long is asked to come again.
    if (answer.status === 503) assert.match(answer.headers.get("retry-after"), /^\d+$/);
    else assert.equal(answer.status, 201, answer.text);
    return answer.status;
  };
  const statuses = await Promise.all(Array.from({ length: 64 }, (_, index) => send(index)));
  const accepted = statuses.filter((status) => status === 201).length;
  const bytes = await wasmBytes(inspector);
  context.diagnostic(`${accepted} of 64 were accepted, with ${bytes / MB} MB`);
  assert.ok(accepted >= 4);
  assert.equal((await all(server, shop.key, "/messages")).length, accepted);
  assert.ok(bytes <= MOST, `${bytes / MB} MB`);
});
