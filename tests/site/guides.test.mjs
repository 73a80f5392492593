// Every command and every program of the guides does what its guide says, against the running service.
import assert from "node:assert/strict";
import { test } from "node:test";
import { guides } from "../../site/lib/build.mjs";
import { withReceiverOf } from "../support/client-libraries.mjs";
import { blocksOf, Run } from "../support/guides.mjs";
import { listen } from "../support/receiver.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { openShop, send } from "../support/shop.mjs";

const server = sharedServer();
const libraryOf = { js: "typescript", python: "python", php: "php" };

/** Blocks that a test of their own runs. */
const isOfWebhooks = ({ flag }) => flag === "receiver" || flag === "event";

for (const name of guides)
  test(`the code of the guide "${name}" does what the guide says`, async () => {
    const shop = await openShop(server, 1_000_000);
    await listening(async (receiver) => {
      const run = new Run(server, shop.key, { "https://shop.example.com/peyk": receiver.url("/peyk") });
      for (const block of blocksOf(name)) {
        if (block.flag === "not-run") assert.ok(block.reason.length > 10, block.code);
        else if (!isOfWebhooks(block)) await run.block(block);
      }
    });
  });

/** Lets `use` work with a receiver of webhooks. */
async function listening(use) {
  const receiver = await listen();
  try {
    return await use(receiver);
  } finally {
    await receiver.close();
  }
}

test("the event that the guide shows is what Peyk posts, and each receiver of the guide takes it and refuses a forged one", async () => {
  const blocks = blocksOf("webhooks").filter(isOfWebhooks);
  assert.deepEqual(
    blocks.map(({ language, flag }) => `${language} ${flag}`),
    ["json event", "js receiver", "python receiver", "php receiver"],
  );
  const [shown, ...receivers] = blocks;
  const shop = await openShop(server, 1_000_000);
  const { hit, secret } = await listening(async (receiver) => {
    const body = { url: receiver.url(), events: ["message.status"] };
    const made = await api(server, "POST", "/webhook", { key: shop.key, body });
    assert.equal(made.status, 201, made.text);
    await send(server, shop.key, ["09121234567"], { clientRef: "order-7" });
    return { hit: await until(() => receiver.hits[0], { what: "the event" }), secret: made.json.data.secret };
  });
  const run = new Run(server, shop.key);
  assert.deepEqual(run.compare(JSON.parse(shown.code), hit.event, ""), []);
  const event = { body: hit.body.toString(), headers: signatureOf(hit) };
  for (const { language, code } of receivers)
    await withReceiverOf(libraryOf[language], code, secret, async (receive) => {
      assert.equal(await receive(event), 204, language);
      assert.equal(await receive({ ...event, body: event.body.replace("DELIVERED", "REJECTED!") }), 401, language);
    });
});

const signatureOf = ({ headers }) =>
  Object.fromEntries(["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [name, headers[name]]));
